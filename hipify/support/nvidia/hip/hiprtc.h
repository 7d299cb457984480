// Compilation at run time with NVRTC.

#ifndef HIP_ON_CUDA_HIPRTC_H
#define HIP_ON_CUDA_HIPRTC_H

#include <hip/hip_runtime_api.h>
#include <nvrtc.h>
#include <hip_on_cuda/names/rtc.h>

#ifdef __cplusplus

#include <string.h>
#include <string>
#include <vector>

namespace hip_on_cuda {

// What an option of clang is called by NVRTC; empty for options that it has no need of.
inline std::string rtc_option(const std::string &option) {
  static const char *const architectures[] = {"--offload-arch=", "--gpu-architecture=", "-arch="};
  for (const char *name : architectures) {
    if (option.compare(0, strlen(name), name) == 0) {
      const std::string value = option.substr(strlen(name));
      return value.compare(0, 3, "gfx") == 0 ? std::string() : "--gpu-architecture=" + value;
    }
  }
  if (option == "-ffast-math") return "--use_fast_math";
  if (option == "-fgpu-rdc") return "--relocatable-device-code=true";
  if (option == "-fno-gpu-rdc") return "--relocatable-device-code=false";
  const bool of_clang = option.compare(0, 2, "-O") == 0 || option.compare(0, 2, "-W") == 0 ||
                        option.compare(0, 2, "-f") == 0 || option.compare(0, 2, "-m") == 0;
  return of_clang && option.compare(0, 5, "-fmad") != 0 ? std::string() : option;
}

// HIP's compiler knows this header at run time; NVRTC is given what kernels need of it.
static const char rtc_header[] =
    "#pragma once\n"
    "#define __HIP_PLATFORM_NVIDIA__ 1\n"
    "#define __HIPCC_RTC__ 1\n"
    "#define HIP_KERNEL_NAME(...) __VA_ARGS__\n"
    "#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];\n";

}  // namespace hip_on_cuda

inline nvrtcResult hiprtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                                       const char *const *headers, const char *const *include_names) {
  std::vector<const char *> texts(headers, headers + count), names(include_names, include_names + count);
  static const char *const ours = "hip/hip_runtime.h";
  bool given = false;
  for (const char *each : names) given = given || strcmp(each, ours) == 0;
  if (!given) {
    texts.push_back(hip_on_cuda::rtc_header);
    names.push_back(ours);
  }
  return nvrtcCreateProgram(program, source, name, static_cast<int>(names.size()), texts.data(), names.data());
}

inline nvrtcResult hiprtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
  std::vector<std::string> kept;
  for (int i = 0; i < count; ++i) {
    const std::string option = hip_on_cuda::rtc_option(options[i]);
    if (!option.empty()) kept.push_back(option);
  }
  std::vector<const char *> words;
  for (const std::string &each : kept) words.push_back(each.c_str());
  return nvrtcCompileProgram(program, static_cast<int>(words.size()), words.data());
}

#else

#define hiprtcCreateProgram nvrtcCreateProgram
#define hiprtcCompileProgram nvrtcCompileProgram

#endif  // __cplusplus

#endif  // HIP_ON_CUDA_HIPRTC_H
