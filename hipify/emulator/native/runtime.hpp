// The emulated HIP runtime: state shared by the API's parts.
#pragma once

#include <hip/hip_runtime_api.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "program.hpp"

namespace emu {

/// One code object that a program brought along, decoded when it is first needed.
class Module {
 public:
  explicit Module(std::string image) : image_(std::move(image)) {}
  /// The loaded program, or nullptr (the reason has been printed).
  Program* program();
  const Kernel* kernel(const std::string& name);
  bool symbol(const std::string& name, Symbol& found);

 private:
  std::string image_;
  std::unique_ptr<Program> program_;
  bool failed_ = false;
  std::mutex lock_;
};

/// The environment for other programs, ended by a null: without the order to load this library.
std::vector<char*> environment_of_others();

/// The architecture that is emulated, for example gfx90a.
const std::string& architecture();
unsigned wave_size();

/// Picks this architecture's code object out of a bundle or takes the ELF file itself.
std::unique_ptr<Module> module_from_image(const void* image);

/// Names that host code registered.
const Kernel* registered_kernel(const void* host_function);
bool registered_symbol(const void* host_symbol, Symbol& found);

// ---------------------------------------------------------------- errors

/// Remembers an error for hipGetLastError and gives it back.
hipError_t set_error(hipError_t error);
/// After a fault every call fails with the same error.
hipError_t sticky_error();
void set_sticky_error(hipError_t error);

#define EMU_REQUIRE(CONDITION, ERROR) \
  if (!(CONDITION)) return emu::set_error(ERROR)

// ---------------------------------------------------------------- streams and graphs

using Action = std::function<hipError_t()>;

struct Node {
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  Action run;
  std::vector<Node*> needs;
  std::shared_ptr<void> parameters;  // what hipGraph…GetParams gives back
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  Node* add(hipGraphNodeType type, Action run, std::vector<Node*> needs);
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  Graph* capture = nullptr;           // being recorded into
  std::vector<Node*> capture_tail;    // what the next node depends on
  bool capture_origin = false;
};

/// The stream behind a handle, the default stream for null and its special values; null if unknown.
Stream* find_stream(hipStream_t stream);

/// Ends the recording of all streams that record into a graph.
void leave_capture(const Graph* graph);

/// Runs an action now, or records it when the stream is being captured.
hipError_t submit(hipStream_t stream, hipGraphNodeType type, Action run,
                  std::shared_ptr<void> parameters = nullptr);

// ---------------------------------------------------------------- launches

struct LaunchRequest {
  const Kernel* kernel = nullptr;
  Dim grid, block;
  u32 dynamic_lds = 0;
  std::vector<u8> arguments;  // the explicit part of the kernel argument segment
  bool cooperative = false;
};

/// Lays out arguments given one pointer each.
std::vector<u8> pack_arguments(const Kernel& kernel, void** arguments);
hipError_t check_launch(const LaunchRequest& request);
hipError_t run_request(const LaunchRequest& request);

// ---------------------------------------------------------------- memory

/// Copies between any two places that the host can see.
hipError_t copy_bytes(void* to, const void* from, size_t bytes);
bool is_device_memory(const void* p);
hipPitchedPtr array_memory(hipArray_const_t array);
size_t array_element(hipArray_const_t array);  // bytes of an element
/// Host memory that hipHostRegister made known to the device; false when it was so already, or not yet.
bool register_host(void* p, size_t size);
bool unregister_host(void* p);

}  // namespace emu
