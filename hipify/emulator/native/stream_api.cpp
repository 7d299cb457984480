// Streams and events. Work runs when it is submitted, which is one of the orders that HIP allows.
#include <chrono>
#include <set>

#include "runtime.hpp"

namespace emu {
namespace {

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
  std::vector<Node*> captured;  // what a wait on it during capture depends on
  Graph* graph = nullptr;
};

struct Streams {
  std::mutex lock;
  std::set<Stream*> all;
  std::set<Event*> events;
  Stream ordinary, per_thread;
};
Streams& streams() {
  static Streams* s = new Streams;
  return *s;
}

Event* find_event(hipEvent_t event) {
  Event* e = reinterpret_cast<Event*>(event);
  const std::lock_guard<std::mutex> guard(streams().lock);
  return streams().events.count(e) ? e : nullptr;
}

}  // namespace

Stream* find_stream(hipStream_t stream) {
  if (!stream || stream == hipStream_t(1)) return &streams().ordinary;
  if (stream == hipStreamPerThread) return &streams().per_thread;
  Stream* s = reinterpret_cast<Stream*>(stream);
  const std::lock_guard<std::mutex> guard(streams().lock);
  return streams().all.count(s) ? s : nullptr;
}

void leave_capture(const Graph* graph) {
  const std::lock_guard<std::mutex> guard(streams().lock);
  for (Stream* s : streams().all) {
    if (s->capture != graph) continue;
    s->capture = nullptr;
    s->capture_tail.clear();
    s->capture_origin = false;
  }
  for (Event* e : streams().events)
    if (e->graph == graph) e->graph = nullptr;
}

hipError_t submit(hipStream_t stream, hipGraphNodeType type, Action run, std::shared_ptr<void> parameters) {
  Stream* s = find_stream(stream);
  if (!s) return hipErrorContextIsDestroyed;
  if (!s->capture) return run();
  Node* node = s->capture->add(type, std::move(run), s->capture_tail);
  node->parameters = std::move(parameters);
  s->capture_tail = {node};
  return hipSuccess;
}

}  // namespace emu

using namespace emu;

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  EMU_REQUIRE(stream, hipErrorInvalidValue);
  auto* s = new Stream;
  s->flags = flags;
  s->priority = priority;
  const std::lock_guard<std::mutex> guard(streams().lock);
  streams().all.insert(s);
  *stream = reinterpret_cast<hipStream_t>(s);
  return set_error(hipSuccess);
}
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}
hipError_t hipStreamCreate(hipStream_t* stream) { return hipStreamCreateWithPriority(stream, 0, 0); }

hipError_t hipStreamDestroy(hipStream_t stream) {
  Stream* s = reinterpret_cast<Stream*>(stream);
  const std::lock_guard<std::mutex> guard(streams().lock);
  EMU_REQUIRE(streams().all.erase(s), hipErrorInvalidHandle);
  delete s;
  return set_error(hipSuccess);
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  Stream* s = find_stream(stream);
  EMU_REQUIRE(s, hipErrorInvalidHandle);
  EMU_REQUIRE(!s->capture, hipErrorStreamCaptureUnsupported);
  return set_error(sticky_error());
}
hipError_t hipStreamQuery(hipStream_t stream) { return hipStreamSynchronize(stream); }
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  Stream* s = find_stream(stream);
  EMU_REQUIRE(s && flags, hipErrorInvalidValue);
  *flags = s->flags;
  return set_error(hipSuccess);
}
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  Stream* s = find_stream(stream);
  EMU_REQUIRE(s && priority, hipErrorInvalidValue);
  *priority = s->priority;
  return set_error(hipSuccess);
}
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  EMU_REQUIRE(find_stream(stream) && device, hipErrorInvalidValue);
  *device = 0;
  return set_error(hipSuccess);
}

int hipGetStreamDeviceId(hipStream_t) { return 0; }

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned) {
  Stream* s = find_stream(stream);
  Event* e = find_event(event);
  EMU_REQUIRE(s && e, hipErrorInvalidHandle);
  if (e->graph) {  // waiting for captured work joins the capture
    s->capture = e->graph;
    s->capture_tail.insert(s->capture_tail.end(), e->captured.begin(), e->captured.end());
  }
  return set_error(hipSuccess);
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t call, void* data, unsigned) {
  EMU_REQUIRE(call, hipErrorInvalidValue);
  return set_error(submit(stream, hipGraphNodeTypeHost, [=] {
    call(stream, sticky_error(), data);
    return hipSuccess;
  }));
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t call, void* data) {
  EMU_REQUIRE(call, hipErrorInvalidValue);
  return set_error(submit(stream, hipGraphNodeTypeHost, [=] {
    call(data);
    return hipSuccess;
  }));
}

// ---------------------------------------------------------------- events

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  EMU_REQUIRE(event, hipErrorInvalidValue);
  auto* e = new Event;
  e->flags = flags;
  const std::lock_guard<std::mutex> guard(streams().lock);
  streams().events.insert(e);
  *event = reinterpret_cast<hipEvent_t>(e);
  return set_error(hipSuccess);
}
hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, 0); }

hipError_t hipEventDestroy(hipEvent_t event) {
  Event* e = reinterpret_cast<Event*>(event);
  const std::lock_guard<std::mutex> guard(streams().lock);
  EMU_REQUIRE(streams().events.erase(e), hipErrorInvalidHandle);
  delete e;
  return set_error(hipSuccess);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  Stream* s = find_stream(stream);
  Event* e = find_event(event);
  EMU_REQUIRE(s && e, hipErrorInvalidHandle);
  e->graph = s->capture;
  e->captured = s->capture_tail;
  if (!s->capture) {
    e->recorded = true;
    e->at = std::chrono::steady_clock::now();
  }
  return set_error(hipSuccess);
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned) {
  return hipEventRecord(event, stream);
}
hipError_t hipEventSynchronize(hipEvent_t event) {
  EMU_REQUIRE(find_event(event), hipErrorInvalidHandle);
  return set_error(sticky_error());
}
hipError_t hipEventQuery(hipEvent_t event) { return hipEventSynchronize(event); }

hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  EMU_REQUIRE(ms, hipErrorInvalidValue);
  Event *a = find_event(start), *b = find_event(stop);
  EMU_REQUIRE(a && b && a->recorded && b->recorded, hipErrorInvalidHandle);
  EMU_REQUIRE(!((a->flags | b->flags) & hipEventDisableTiming), hipErrorInvalidHandle);
  *ms = std::chrono::duration<float, std::milli>(b->at - a->at).count();
  return set_error(hipSuccess);
}
