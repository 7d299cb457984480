// Calls of the CUDA driver API from HIP, which has one API: hipError_t for CUresult, void * for CUdeviceptr,
// and the runtime's types for the driver's.

#ifndef HIP_ON_CUDA_DRIVER_CALL_H
#define HIP_ON_CUDA_DRIVER_CALL_H

#ifdef __cplusplus

#include <type_traits>
#include <utility>

namespace hip_on_cuda {

// The numbers of CUresult and cudaError_t are the same for all errors that both know.
inline cudaError_t status(CUresult result) { return static_cast<cudaError_t>(result); }
inline cudaError_t status(cudaError_t result) { return result; }

// An argument as the driver wants it. What converts by itself does so, and the rest is cast: pointers to
// each other and to device addresses, enumerations of the runtime to the driver's, NULL to any pointer.
template <typename To, typename From, bool = std::is_convertible<From, To>::value>
struct Argument {
  static To of(From &&value) { return std::forward<From>(value); }
};
template <typename To, typename From>
struct Argument<To, From, false> {
  typedef typename std::decay<From>::type Value;
  static_assert((std::is_pointer<Value>::value || std::is_enum<Value>::value || std::is_integral<Value>::value ||
                 std::is_same<Value, decltype(nullptr)>::value) &&
                    (std::is_pointer<To>::value || std::is_enum<To>::value || std::is_integral<To>::value),
                "an argument of this HIP function has a wrong type");
  // By way of a number as wide as a pointer, where a number is given: NULL may be a narrower one.
  typedef typename std::conditional<std::is_integral<Value>::value, unsigned long long, Value>::type Wide;
  static To of(From &&value) { return (To)(Wide)value; }
};

// A function of the driver that is called like HIP's.
template <typename... Wanted>
struct Driver {
  CUresult(CUDAAPI *function)(Wanted...);

  template <typename... Given>
  cudaError_t operator()(Given &&...given) const {
    static_assert(sizeof...(Wanted) == sizeof...(Given), "wrong number of arguments of this HIP function");
    return status(function(Argument<Wanted, Given>::of(std::forward<Given>(given))...));
  }
};

template <typename... Wanted>
inline Driver<Wanted...> driver(CUresult(CUDAAPI *function)(Wanted...)) {
  return Driver<Wanted...>{function};
}

}  // namespace hip_on_cuda

#define HIP_ON_CUDA_DRIVER(function) hip_on_cuda::driver(function)

#else

#define HIP_ON_CUDA_DRIVER(function) (cudaError_t)function

#endif  // __cplusplus

#endif  // HIP_ON_CUDA_DRIVER_CALL_H
