// hipRTC through the installed compiler: a program's source is compiled by clang for the emulated target.
#include <hip/hiprtc.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "runtime.hpp"

namespace emu {
namespace {

#ifndef HIPIFY_EMULATOR_CLANG
#define HIPIFY_EMULATOR_CLANG "clang++"
#endif

struct RtcProgram {
  std::string source, name, log, code;
  std::vector<std::pair<std::string, std::string>> headers;  // name, text
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered;
};

RtcProgram* program_of(hiprtcProgram p) { return reinterpret_cast<RtcProgram*>(p); }

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

int run(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments;
  for (const std::string& text : command) arguments.push_back(const_cast<char*>(text.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::vector<char*> variables = environment_of_others();
  pid_t child;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  int status;
  if (failed || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Name expressions become pointers in an array, whose relocations keep the instances alive; the
/// kernels' names are then those of the symbols that were asked for, in order.
std::string with_expressions(const RtcProgram& p) {
  // hipRTC has the runtime's declarations built in; programs may ask for the macro.
  std::string text = "#include <hip/hip_runtime.h>\n#define __HIPCC_RTC__ 1\n#line 1 \"" +
                     (p.name.empty() ? "program.hip" : p.name) + "\"\n" + p.source;
  for (size_t k = 0; k < p.expressions.size(); k++)
    text += "\n__device__ __attribute__((used)) const void* hiprtc_name_" + std::to_string(k) +
            " = (const void*)(" + p.expressions[k] + ");";
  return text + "\n";
}

std::vector<std::string> command_line(const std::string& folder, int count, const char** options) {
  const char* clang = getenv("HIPIFY_EMULATOR_CLANG");
  std::vector<std::string> c = {clang ? clang : HIPIFY_EMULATOR_CLANG, "-x", "hip", "--cuda-device-only",
                                "--no-gpu-bundle-output", "-O3", "-std=c++17", "-w",
                                "-DHIP_ENABLE_WARP_SYNC_BUILTINS",
                                "--offload-arch=" + architecture(), "-I" + folder};
  for (int k = 0; k < count; k++) {
    const std::string option = options[k];
    if (option.compare(0, 14, "--offload-arch") == 0 || option.compare(0, 18, "--gpu-architecture") == 0) continue;
    c.push_back(option);
  }
  return c;
}

hiprtcResult compile(RtcProgram& p, int count, const char** options) {
  char folder[] = "/tmp/hipify-rtc-XXXXXX";
  if (!mkdtemp(folder)) return HIPRTC_ERROR_INTERNAL_ERROR;
  const std::string at = std::string(folder) + "/";
  for (const auto& [name, text] : p.headers) write_file(at + name, text);
  write_file(at + "program.hip", with_expressions(p));
  std::vector<std::string> command = command_line(folder, count, options);
  command.insert(command.end(), {"-c", at + "program.hip", "-o", at + "program.co"});
  const int status = run(command, at + "log");
  p.log = read_file(at + "log");
  p.code = status == 0 ? read_file(at + "program.co") : "";
  for (const auto& [name, text] : p.headers) unlink((at + name).c_str());
  for (const char* name : {"program.hip", "program.co", "log"}) unlink((at + name).c_str());
  rmdir(folder);
  return status == 0 ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
}

}  // namespace
}  // namespace emu

using namespace emu;

const char* hiprtcGetErrorString(hiprtcResult r) {
  switch (r) {
    case HIPRTC_SUCCESS: return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY: return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE: return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT: return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM: return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION: return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION: return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    default: return "HIPRTC_ERROR_INTERNAL_ERROR";
  }
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = 9;
  *minor = 0;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* out, const char* source, const char* name, int count,
                                 const char** headers, const char** names) {
  if (!out || !source || count < 0) return HIPRTC_ERROR_INVALID_INPUT;
  auto* p = new RtcProgram;
  p->source = source;
  p->name = name ? name : "";
  for (int k = 0; k < count; k++) p->headers.push_back({names[k], headers[k]});
  *out = reinterpret_cast<hiprtcProgram>(p);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* p) {
  if (!p || !*p) return HIPRTC_ERROR_INVALID_PROGRAM;
  delete program_of(*p);
  *p = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram p, const char* expression) {
  if (!p || !expression) return HIPRTC_ERROR_INVALID_INPUT;
  program_of(p)->expressions.push_back(expression);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram p, int count, const char** options) {
  if (!p) return HIPRTC_ERROR_INVALID_PROGRAM;
  return compile(*program_of(p), count, options);
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram p, size_t* size) {
  if (!p || !size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = program_of(p)->log.size() + 1;
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram p, char* log) {
  if (!p || !log) return HIPRTC_ERROR_INVALID_INPUT;
  memcpy(log, program_of(p)->log.c_str(), program_of(p)->log.size() + 1);
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetCodeSize(hiprtcProgram p, size_t* size) {
  if (!p || !size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = program_of(p)->code.size();
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetCode(hiprtcProgram p, char* code) {
  if (!p || !code) return HIPRTC_ERROR_INVALID_INPUT;
  memcpy(code, program_of(p)->code.data(), program_of(p)->code.size());
  return HIPRTC_SUCCESS;
}

/// A plain function's symbol is found by its name within the mangled ones.
hiprtcResult hiprtcGetLoweredName(hiprtcProgram p, const char* expression, const char** lowered) {
  if (!p || !expression || !lowered) return HIPRTC_ERROR_INVALID_INPUT;
  RtcProgram& r = *program_of(p);
  if (!r.lowered.count(expression)) {
    const std::unique_ptr<Module> m = module_from_image(r.code.data());
    const auto found = std::find(r.expressions.begin(), r.expressions.end(), expression);
    Symbol pointer;
    if (found == r.expressions.end() || !m || !m->program()) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    const std::string name = "hiprtc_name_" + std::to_string(found - r.expressions.begin());
    if (!m->symbol(name, pointer)) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    u64 target;
    memcpy(&target, reinterpret_cast<const void*>(pointer.address), 8);
    for (const auto& [symbol, place] : m->program()->symbols)
      if (place.address == target && symbol != name) r.lowered[expression] = symbol;
    if (!r.lowered.count(expression)) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  }
  *lowered = r.lowered[expression].c_str();
  return HIPRTC_SUCCESS;
}
