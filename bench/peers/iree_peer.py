# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IREE, forward only: the ONNX model imported and compiled for this CPU."""
import importlib.metadata
import os
import subprocess
import sys
import time

from common import folder, mark, read_inputs, read_state, serve, threads, workload

import iree.runtime
from gpt2_onnx import parameters_of, save

if workload != "v":
    raise SystemExit("IREE is measured on forward passes only")
state = read_state()
count = parameters_of(state)
tokens, = read_inputs()
onnx_path, mlir_path, compiled_path, weights_path = (
    os.path.join(folder, name) for name in ("gpt2.onnx", "gpt2.iree.mlir", "gpt2.vmfb", "gpt2.irpa"))
if not os.path.exists(onnx_path):
    save(onnx_path, state, tokens)
del state
bin_folder = os.path.dirname(sys.executable)


def tool(name, *arguments):
    subprocess.run([os.path.join(bin_folder, name), *arguments], check=True, stdout=sys.stderr)


compile_seconds = None
if not os.path.exists(compiled_path):
    start = time.perf_counter()
    tool("iree-import-onnx", onnx_path, "-o", mlir_path, "--externalize-params", f"--save-params-to={weights_path}")
    tool("iree-compile", mlir_path, "-o", compiled_path, "--iree-hal-target-device=local",
         "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
         # Its layer norm of 768 wants more stack than the default allows.
         "--iree-opt-data-tiling", "--iree-llvmcpu-stack-allocation-limit=262144")
    compile_seconds = time.perf_counter() - start

iree.runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
device = iree.runtime.get_device("local-task" if threads > 1 else "local-sync")
config = iree.runtime.Config(device=device)
parameters = iree.runtime.ParameterIndex()
parameters.load(weights_path)
provider = parameters.create_provider(scope="model")
modules = [iree.runtime.create_io_parameters_module(config.vm_instance, provider),
           iree.runtime.create_hal_module(config.vm_instance, device)]
with open(compiled_path, "rb") as file:
    modules.append(iree.runtime.VmModule.copy_buffer(config.vm_instance, file.read()))
function = iree.runtime.SystemContext(vm_modules=modules, config=config).modules.module["gpt2"]
resident = iree.runtime.asdevicearray(device, tokens)


def step():
    return function(resident)


def value(logits):
    return mark(logits.to_host())


serve(step, value, {
    "version": importlib.metadata.version("iree-base-runtime"),
    "config": "llvm-cpu for this CPU, O3, data tiling",
    "parameters": count,
    "compile_seconds": compile_seconds,
    "artifact_bytes": os.path.getsize(compiled_path) + os.path.getsize(weights_path),
})
