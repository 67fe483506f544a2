// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's compiler of CUDA C++, loaded when it is first asked for. It needs
// neither a GPU nor a driver.

#ifndef GRAPHC_LIB_TARGET_CUDA_NVRTC_H
#define GRAPHC_LIB_TARGET_CUDA_NVRTC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace graphc::cuda {

/// The header that printed kernels include: "gc_prelude.cuh".
llvm::StringRef preludeText();

/// What one kernel takes of a multiprocessor, as ptxas says.
struct Resources {
  std::string kernel;
  int64_t registers = 0;
  int64_t stackBytes = 0; // local memory that is no spill
  int64_t spillBytes = 0; // stores and loads
  int64_t sharedBytes = 0;
};

struct Compiled {
  llvm::SmallVector<char, 0> cubin;
  std::string ptx;
  std::vector<Resources> kernels;
};

class Nvrtc {
public:
  /// Looks where the loader looks, then below $CUDA_HOME, $CUDA_PATH and
  /// /usr/local/cuda. The error names all places.
  static llvm::Expected<Nvrtc> load();

  /// "13.0"
  std::string version() const;

  /// Compiles `text` for `arch` ("sm_90"), without contraction and with exact
  /// division and square roots. The error is the compiler's log.
  llvm::Expected<Compiled> compile(llvm::StringRef text, llvm::StringRef name,
                                   llvm::StringRef arch) const;

  /// NVRTC's functions, by the names and types that its documentation gives.
  struct Api {
    int (*version)(int *, int *);
    const char *(*errorString)(int);
    int (*createProgram)(void **, const char *, const char *, int,
                         const char *const *, const char *const *);
    int (*destroyProgram)(void **);
    int (*compileProgram)(void *, int, const char *const *);
    int (*getLogSize)(void *, size_t *);
    int (*getLog)(void *, char *);
    int (*getCubinSize)(void *, size_t *);
    int (*getCubin)(void *, char *);
    int (*getPtxSize)(void *, size_t *);
    int (*getPtx)(void *, char *);
  };

private:
  Api api;
};

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_NVRTC_H
