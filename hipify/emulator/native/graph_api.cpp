// Graphs: recorded from streams or built node by node, and run in the order of their edges.
#include <algorithm>
#include <set>

#include "runtime.hpp"

namespace emu {

hipError_t request_from_node(const hipKernelNodeParams& p, LaunchRequest& r);  // launch.cpp
hipError_t copy_3d_now(const hipMemcpy3DParms& p);                             // memory_api.cpp
hipError_t fill_box_now(const hipMemsetParams& p);
hipError_t symbol_address(const void* symbol, size_t bytes, size_t offset, void*& place);

Node* Graph::add(hipGraphNodeType type, Action run, std::vector<Node*> needs) {
  auto node = std::make_unique<Node>();
  node->type = type;
  node->run = std::move(run);
  node->needs = std::move(needs);
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

namespace {

/// An instantiated graph: actions in an order that respects the edges.
struct Executable {
  struct Step {
    const Node* origin;
    Action run;
    bool enabled = true;
  };
  std::vector<Step> steps;
  Step* find(const Node* origin) {
    for (Step& s : steps)
      if (s.origin == origin) return &s;
    return nullptr;
  }
};

Graph* graph_of(hipGraph_t g) { return reinterpret_cast<Graph*>(g); }
Node* node_of(hipGraphNode_t n) { return reinterpret_cast<Node*>(n); }
Executable* executable_of(hipGraphExec_t e) { return reinterpret_cast<Executable*>(e); }

/// Depth-first order; false when the edges form a circle.
bool visit(Node* n, std::set<Node*>& open, std::set<Node*>& done, Executable& e) {
  if (done.count(n)) return true;
  if (!open.insert(n).second) return false;
  for (Node* before : n->needs)
    if (!visit(before, open, done, e)) return false;
  open.erase(n);
  done.insert(n);
  e.steps.push_back({n, n->run});
  return true;
}

hipError_t instantiate(hipGraphExec_t* out, hipGraph_t graph) {
  if (!out || !graph) return hipErrorInvalidValue;
  auto e = std::make_unique<Executable>();
  std::set<Node*> open, done;
  for (const auto& n : graph_of(graph)->nodes)
    if (!visit(n.get(), open, done, *e)) return hipErrorInvalidValue;
  *out = reinterpret_cast<hipGraphExec_t>(e.release());
  return hipSuccess;
}

hipError_t run_executable(Executable& e) {
  for (const Executable::Step& s : e.steps)
    if (s.enabled && s.run)
      if (const hipError_t bad = s.run()) return bad;
  return hipSuccess;
}

hipError_t add_node(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* needs, size_t count,
                    hipGraphNodeType type, Action run, std::shared_ptr<void> parameters = nullptr) {
  if (!out || !graph || (count && !needs)) return hipErrorInvalidValue;
  std::vector<Node*> before;
  for (size_t k = 0; k < count; k++) before.push_back(node_of(needs[k]));
  Node* n = graph_of(graph)->add(type, std::move(run), std::move(before));
  n->parameters = std::move(parameters);
  *out = reinterpret_cast<hipGraphNode_t>(n);
  return hipSuccess;
}

hipError_t kernel_action(const hipKernelNodeParams* p, Action& run) {
  if (!p) return hipErrorInvalidValue;
  auto r = std::make_shared<LaunchRequest>();
  if (const hipError_t bad = request_from_node(*p, *r)) return bad;
  if (const hipError_t bad = check_launch(*r)) return bad;
  run = [r] { return run_request(*r); };
  return hipSuccess;
}

template <class T>
hipError_t list(const std::vector<T>& all, hipGraphNode_t* out, size_t* count) {
  if (!count) return hipErrorInvalidValue;
  if (out)
    for (size_t k = 0; k < std::min(*count, all.size()); k++)
      out[k] = reinterpret_cast<hipGraphNode_t>(all[k]);
  *count = all.size();
  return hipSuccess;
}

std::vector<Node*> all_nodes(hipGraph_t graph, bool roots_only) {
  std::vector<Node*> found;
  for (const auto& n : graph_of(graph)->nodes)
    if (!roots_only || n->needs.empty()) found.push_back(n.get());
  return found;
}

}  // namespace
}  // namespace emu

using namespace emu;

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned) {
  EMU_REQUIRE(graph, hipErrorInvalidValue);
  *graph = reinterpret_cast<hipGraph_t>(new Graph);
  return set_error(hipSuccess);
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
  EMU_REQUIRE(graph, hipErrorInvalidValue);
  delete graph_of(graph);
  return set_error(hipSuccess);
}

hipError_t hipGraphInstantiate(hipGraphExec_t* e, hipGraph_t g, hipGraphNode_t*, char*, size_t) {
  return set_error(instantiate(e, g));
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* e, hipGraph_t g, unsigned long long) {
  return set_error(instantiate(e, g));
}
hipError_t hipGraphExecDestroy(hipGraphExec_t e) {
  EMU_REQUIRE(e, hipErrorInvalidValue);
  delete executable_of(e);
  return set_error(hipSuccess);
}
hipError_t hipGraphUpload(hipGraphExec_t e, hipStream_t) {
  EMU_REQUIRE(e, hipErrorInvalidValue);
  return set_error(hipSuccess);
}
hipError_t hipGraphLaunch(hipGraphExec_t e, hipStream_t stream) {
  EMU_REQUIRE(e, hipErrorInvalidValue);
  Executable* x = executable_of(e);
  return set_error(submit(stream, hipGraphNodeTypeGraph, [x] { return run_executable(*x); }));
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs, size_t count,
                                 const hipKernelNodeParams* p) {
  Action run;
  if (const hipError_t bad = kernel_action(p, run)) return set_error(bad);
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeKernel, std::move(run),
                            std::make_shared<hipKernelNodeParams>(*p)));
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t n, hipKernelNodeParams* p) {
  EMU_REQUIRE(n && p && node_of(n)->parameters && node_of(n)->type == hipGraphNodeTypeKernel,
              hipErrorInvalidValue);
  *p = *static_cast<hipKernelNodeParams*>(node_of(n)->parameters.get());
  return set_error(hipSuccess);
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t n, const hipKernelNodeParams* p) {
  EMU_REQUIRE(n, hipErrorInvalidValue);
  if (const hipError_t bad = kernel_action(p, node_of(n)->run)) return set_error(bad);
  node_of(n)->parameters = std::make_shared<hipKernelNodeParams>(*p);
  return set_error(hipSuccess);
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t e, hipGraphNode_t n, const hipKernelNodeParams* p) {
  EMU_REQUIRE(e && n, hipErrorInvalidValue);
  Executable::Step* s = executable_of(e)->find(node_of(n));
  EMU_REQUIRE(s, hipErrorInvalidValue);
  return set_error(kernel_action(p, s->run));
}

namespace {
Action memcpy_action(void* to, const void* from, size_t bytes) {
  return [=] { return copy_bytes(to, from, bytes); };
}
}  // namespace

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs, size_t count,
                                   void* to, const void* from, size_t bytes, hipMemcpyKind) {
  EMU_REQUIRE(to && from, hipErrorInvalidValue);
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeMemcpy, memcpy_action(to, from, bytes)));
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t e, hipGraphNode_t n, void* to, const void* from,
                                             size_t bytes, hipMemcpyKind) {
  EMU_REQUIRE(e && n && to && from, hipErrorInvalidValue);
  Executable::Step* s = executable_of(e)->find(node_of(n));
  EMU_REQUIRE(s, hipErrorInvalidValue);
  s->run = memcpy_action(to, from, bytes);
  return set_error(hipSuccess);
}
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs, size_t count,
                                 const hipMemcpy3DParms* p) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  const hipMemcpy3DParms copy = *p;
  return set_error(
      add_node(out, g, needs, count, hipGraphNodeTypeMemcpy, [copy] { return copy_3d_now(copy); }));
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs,
                                         size_t count, const void* symbol, const void* from, size_t bytes,
                                         size_t offset, hipMemcpyKind) {
  void* to;
  if (const hipError_t bad = symbol_address(symbol, bytes, offset, to)) return set_error(bad);
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeMemcpy, memcpy_action(to, from, bytes)));
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs,
                                           size_t count, void* to, const void* symbol, size_t bytes,
                                           size_t offset, hipMemcpyKind) {
  void* from;
  if (const hipError_t bad = symbol_address(symbol, bytes, offset, from)) return set_error(bad);
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeMemcpy, memcpy_action(to, from, bytes)));
}
hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs, size_t count,
                                 const hipMemsetParams* p) {
  EMU_REQUIRE(p && p->dst, hipErrorInvalidValue);
  const hipMemsetParams copy = *p;
  return set_error(
      add_node(out, g, needs, count, hipGraphNodeTypeMemset, [copy] { return fill_box_now(copy); }));
}
hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs, size_t count,
                               const hipHostNodeParams* p) {
  EMU_REQUIRE(p && p->fn, hipErrorInvalidValue);
  const hipHostNodeParams copy = *p;
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeHost, [copy] {
    copy.fn(copy.userData);
    return hipSuccess;
  }));
}
hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs, size_t count) {
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeEmpty, {}));
}
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs,
                                     size_t count, hipGraph_t child) {
  hipGraphExec_t e;
  if (const hipError_t bad = instantiate(&e, child)) return set_error(bad);
  const std::shared_ptr<Executable> owned(executable_of(e));
  return set_error(
      add_node(out, g, needs, count, hipGraphNodeTypeGraph, [owned] { return run_executable(*owned); }));
}
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* needs,
                                      size_t count, hipEvent_t event) {
  return set_error(add_node(out, g, needs, count, hipGraphNodeTypeEventRecord,
                            [event] { return hipEventRecord(event, nullptr); }));
}

hipError_t hipGraphAddDependencies(hipGraph_t g, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  EMU_REQUIRE(g && (count == 0 || (from && to)), hipErrorInvalidValue);
  for (size_t k = 0; k < count; k++) node_of(to[k])->needs.push_back(node_of(from[k]));
  return set_error(hipSuccess);
}
hipError_t hipGraphGetNodes(hipGraph_t g, hipGraphNode_t* nodes, size_t* count) {
  EMU_REQUIRE(g, hipErrorInvalidValue);
  return set_error(list(all_nodes(g, false), nodes, count));
}
hipError_t hipGraphGetRootNodes(hipGraph_t g, hipGraphNode_t* nodes, size_t* count) {
  EMU_REQUIRE(g, hipErrorInvalidValue);
  return set_error(list(all_nodes(g, true), nodes, count));
}
hipError_t hipGraphGetEdges(hipGraph_t g, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  EMU_REQUIRE(g && count, hipErrorInvalidValue);
  size_t found = 0;
  for (const auto& n : graph_of(g)->nodes)
    for (Node* before : n->needs) {
      if (from && to && found < *count) {
        from[found] = reinterpret_cast<hipGraphNode_t>(before);
        to[found] = reinterpret_cast<hipGraphNode_t>(n.get());
      }
      found++;
    }
  *count = found;
  return set_error(hipSuccess);
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t n, hipGraphNode_t* nodes, size_t* count) {
  EMU_REQUIRE(n, hipErrorInvalidValue);
  return set_error(list(node_of(n)->needs, nodes, count));
}
hipError_t hipGraphNodeGetType(hipGraphNode_t n, hipGraphNodeType* type) {
  EMU_REQUIRE(n && type, hipErrorInvalidValue);
  *type = node_of(n)->type;
  return set_error(hipSuccess);
}
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t e, hipGraphNode_t n, unsigned enabled) {
  EMU_REQUIRE(e && n, hipErrorInvalidValue);
  Executable::Step* s = executable_of(e)->find(node_of(n));
  EMU_REQUIRE(s, hipErrorInvalidValue);
  s->enabled = enabled != 0;
  return set_error(hipSuccess);
}
hipError_t hipGraphExecUpdate(hipGraphExec_t e, hipGraph_t g, hipGraphNode_t* bad,
                              hipGraphExecUpdateResult* result) {
  EMU_REQUIRE(e && g, hipErrorInvalidValue);
  hipGraphExec_t fresh;
  if (const hipError_t error = instantiate(&fresh, g)) return set_error(error);
  const std::unique_ptr<Executable> owned(executable_of(fresh));
  const bool same = owned->steps.size() == executable_of(e)->steps.size();
  if (bad) *bad = nullptr;
  if (result) *result = same ? hipGraphExecUpdateSuccess : hipGraphExecUpdateErrorTopologyChanged;
  EMU_REQUIRE(same, hipErrorGraphExecUpdateFailure);
  for (size_t k = 0; k < owned->steps.size(); k++) executable_of(e)->steps[k].run = owned->steps[k].run;
  return set_error(hipSuccess);
}

// ---------------------------------------------------------------- capture

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode) {
  Stream* s = find_stream(stream);
  EMU_REQUIRE(s, hipErrorInvalidHandle);
  EMU_REQUIRE(stream, hipErrorStreamCaptureUnsupported);  // not the default stream
  EMU_REQUIRE(!s->capture, hipErrorIllegalState);
  s->capture = new Graph;
  s->capture_tail.clear();
  s->capture_origin = true;
  return set_error(hipSuccess);
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  Stream* s = find_stream(stream);
  EMU_REQUIRE(s && graph, hipErrorInvalidValue);
  EMU_REQUIRE(s->capture && s->capture_origin, hipErrorIllegalState);
  *graph = reinterpret_cast<hipGraph_t>(s->capture);
  leave_capture(s->capture);
  return set_error(hipSuccess);
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  Stream* s = find_stream(stream);
  EMU_REQUIRE(s && status, hipErrorInvalidValue);
  *status = s->capture ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
  return set_error(hipSuccess);
}
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id) {
  if (id) *id = reinterpret_cast<u64>(find_stream(stream) ? find_stream(stream)->capture : nullptr);
  return hipStreamIsCapturing(stream, status);
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  thread_local hipStreamCaptureMode current = hipStreamCaptureModeGlobal;
  EMU_REQUIRE(mode, hipErrorInvalidValue);
  std::swap(current, *mode);
  return set_error(hipSuccess);
}
