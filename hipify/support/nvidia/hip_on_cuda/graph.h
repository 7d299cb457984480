// Graphs: CUDA 12 and 13 changed functions whose shape HIP kept.

#ifndef HIP_ON_CUDA_GRAPH_H
#define HIP_ON_CUDA_GRAPH_H

#ifdef __cplusplus

inline cudaError_t hipGraphInstantiate(
    cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log, size_t log_size) {
#if CUDART_VERSION >= 12000
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_size > 0) log[0] = '\0';
  return cudaGraphInstantiate(executable, graph, 0);
#else
  return cudaGraphInstantiate(executable, graph, error_node, log, log_size);
#endif
}
// HIP has this form as a function of another name; code that was CUDA 12 may use it all the same.
inline cudaError_t hipGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

inline cudaError_t hipGraphExecUpdate(
    cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t *error_node, cudaGraphExecUpdateResult *result) {
#if CUDART_VERSION >= 12000
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t status = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return status;
#else
  return cudaGraphExecUpdate(executable, graph, error_node, result);
#endif
}

#if CUDART_VERSION >= 13000

inline cudaError_t hipGraphAddDependencies(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t hipGraphRemoveDependencies(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t hipGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t hipGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}
inline cudaError_t hipGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}
inline cudaError_t hipGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                   size_t count, cudaGraphNodeParams *parameters) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}
inline cudaError_t hipStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id) {
  return cudaStreamGetCaptureInfo(stream, status, id);
}
inline cudaError_t hipStreamGetCaptureInfo_v2(
    cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id = nullptr,
    cudaGraph_t *graph = nullptr, const cudaGraphNode_t **dependencies = nullptr, size_t *count = nullptr) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
inline cudaError_t hipStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *dependencies, size_t count, unsigned flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}

#else

#define hipGraphAddDependencies cudaGraphAddDependencies
#define hipGraphRemoveDependencies cudaGraphRemoveDependencies
#define hipGraphGetEdges cudaGraphGetEdges
#define hipGraphNodeGetDependencies cudaGraphNodeGetDependencies
#define hipGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes
#define hipStreamGetCaptureInfo cudaStreamGetCaptureInfo
#define hipStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo_v2
#define hipStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies
#if CUDART_VERSION >= 12020
#define hipGraphAddNode cudaGraphAddNode
#endif

#endif  // CUDART_VERSION

#endif  // __cplusplus

#endif  // HIP_ON_CUDA_GRAPH_H
