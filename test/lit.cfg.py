# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess

import lit.formats
import lit.util
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "graphc"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test", ".c", ".cpp", ".py"]
config.excludes = ["unit", "Inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.graphc_obj_root, "test")

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "CCACHE_DIR"])
bin_dir = os.path.join(config.graphc_obj_root, "bin")
llvm_config.with_environment("PATH", [bin_dir, config.llvm_tools_dir], append_path=True)

config.substitutions += [
    ("%source_root", config.graphc_src_root),
    ("%build_root", config.graphc_obj_root),
    ("%cc", config.cc),
    ("%cxx", config.cxx),
    ("%python", config.python_executable),
]

# Ours may not exist yet; a test that names one says `REQUIRES: <tool>`.
ours = ["digits", "graph-interpret", "graph-opt", "graph-random", "graph-reduce", "graph-run", "graphc", "tutorial"]
llvm_config.add_tool_substitutions(
    [ToolSubst(tool, unresolved="ignore") for tool in ours], [bin_dir]
)
llvm_config.add_tool_substitutions(
    ["FileCheck", "count", "not", "split-file", "mlir-opt", "mlir-translate", "llc", "llvm-nm",
     "llvm-readelf", "llvm-objdump"],
    [config.llvm_tools_dir],
)
for tool in ours:
    if os.path.exists(os.path.join(bin_dir, tool)):
        config.available_features.add(tool)

# These have names that are words elsewhere: tests write %build_root/bin/names.
for program in ["bench-kernels", "bench-worker", "fashion", "gpt", "names", "test/cuda-kernels",
                "test/trace-modules"]:
    if os.path.exists(os.path.join(bin_dir, program)):
        config.available_features.add(os.path.basename(program))
# Draws what --emit=dot writes; tests would name it `dot`.
if lit.util.which("dot"):
    config.available_features.add("graphviz")
# What Debian's packages bring for them.
for feature, path in [("dataset-fashion-mnist", "/usr/share/datasets/fashion-mnist"),
                      ("tzdata", "/usr/share/zoneinfo/zone.tab")]:
    if os.path.exists(path):
        config.available_features.add(feature)

# Terminals that a program opens for another: a bare chroot has none.
try:
    for end in os.openpty():
        os.close(end)
    config.available_features.add("pty")
except OSError:
    pass

# NVIDIA's compiler of CUDA C++, where lib/Target/Cuda looks for it too.
cuda_roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
nvrtc_names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
find = "import ctypes, sys\nfor name in sys.argv[1:]:\n  try: ctypes.CDLL(name); print(name); break\n  except OSError: pass"
if subprocess.run([config.python_executable, "-c", find] + nvrtc_names
                  + [f"{root}/lib64/{name}" for root in cuda_roots if root for name in nvrtc_names],
                  capture_output=True, text=True).stdout:  # fmt: skip
    config.available_features.add("nvrtc")
llvm_config.with_system_environment(["CUDA_HOME", "CUDA_PATH"])

# Programs of other packages, which check.sh installs.
for program in ["aarch64-linux-gnu-g++", "abidiff", "clang-format-19", "dpkg-shlibdeps", "lintian", "nvim", "pkg-config",
                "qemu-aarch64"]:  # fmt: skip
    if lit.util.which(program):
        config.available_features.add(program)

# Frameworks that some tests compare with. Where one is missing those tests are
# skipped, and check.sh says how many: `REQUIRES: torch`.
peers = ["jax", "numpy", "onnx", "safetensors", "torch"]
find = "import importlib.util, sys; print(*(p for p in sys.argv[1:] if importlib.util.find_spec(p)))"
found = subprocess.run([config.python_executable, "-c", find] + peers, capture_output=True, text=True)
config.available_features.update(found.stdout.split())

if config.build_type == "Debug":
    config.available_features.add("debug-build")
for sanitizer in config.sanitize.split(","):
    if sanitizer:
        config.available_features.add("sanitize-" + sanitizer)
if config.sanitize:
    # LLVM's own allocators poison memory in inline code but not in the library.
    # Its signal handlers bring a stack of their own, which the sanitizer would unmap.
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0:use_sigaltstack=0"

# `lit -Dfull=1` (check.sh --full) adds the long tests: `REQUIRES: full`.
if lit_config.params.get("full", "0") != "0":
    config.available_features.add("full")
