# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who is compared with, and in which configurations."""
import os
import subprocess
from dataclasses import dataclass

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers")

# glibc gives big blocks back to the kernel at once, which costs eager frameworks a page fault for each page of each
# temporary: 1.1 to 4 times the step.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": "4294967296", "MALLOC_TRIM_THRESHOLD_": "4294967296",
               "MALLOC_TOP_PAD_": "67108864"}


@dataclass(frozen=True)
class Peer:
    name: str
    module: str  # That Python must find.
    script: str
    # A worker for each of these lists of options; the fastest is the peer's number.
    configurations: tuple = ((),)
    forward_only: bool = False

    def configurations_of(self, workload):
        # Inductor lays convolutions out by itself: the same code comes out either way.
        if self.name == "torch" and workload.id == "iv":
            return self.configurations + (("channels_last",),)
        return self.configurations

    def measures(self, workload):
        return workload.is_forward or not self.forward_only


PEERS = {p.name: p for p in (
    Peer("torch", "torch", "torch_peer.py"),
    Peer("torch-compile", "torch", "torch_peer.py", (("compile",),)),
    Peer("jax", "jax", "jax_peer.py"),
    Peer("onnxruntime", "onnxruntime", "onnxruntime_peer.py", forward_only=True),
    Peer("iree", "iree.compiler", "iree_peer.py", forward_only=True),
)}


def environment(threads, folder):
    return {**KEEP_MEMORY, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads),
            "OPENBLAS_NUM_THREADS": str(threads), "PYTHONDONTWRITEBYTECODE": "1",
            # So that compile times are of this run.
            "TORCHINDUCTOR_CACHE_DIR": os.path.join(folder, "inductor")}


def modules_found(python, names):
    """Those of `names` that `python` can import, without importing them."""
    code = ("import importlib.util, sys\n"
            "def found(name):\n"
            "    try:\n"
            "        return importlib.util.find_spec(name) is not None\n"
            "    except ImportError:\n"
            "        return False\n"
            "print(*filter(found, sys.argv[1:]))")
    result = subprocess.run([python, "-c", code, *names], capture_output=True, text=True)
    return set(result.stdout.split()) if result.returncode == 0 else set()
