# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime, forward only: every optimization, output memory bound once."""
import os
import time

from common import folder, mark, read_inputs, read_state, serve, threads, workload

import numpy as np
import onnxruntime
from gpt2_onnx import parameters_of, save

if workload != "v":
    raise SystemExit("ONNX Runtime is measured on forward passes only")
state = read_state()
count = parameters_of(state)
tokens, = read_inputs()
path = os.path.join(folder, "gpt2.onnx")
if not os.path.exists(path):
    save(path, state, tokens)
del state

start = time.perf_counter()
settings = onnxruntime.SessionOptions()
settings.intra_op_num_threads = threads
settings.inter_op_num_threads = 1
settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
binding = session.io_binding()
binding.bind_cpu_input("tokens", tokens)
logits = np.empty(session.get_outputs()[0].shape, np.float32)
binding.bind_output("logits", "cpu", 0, np.float32, logits.shape, logits.ctypes.data)


def step():
    session.run_with_iobinding(binding)
    return logits


serve(step, mark, {
    "version": onnxruntime.__version__,
    "config": "all optimizations",
    "parameters": count,
    "compile_seconds": time.perf_counter() - start,
    "artifact_bytes": os.path.getsize(path),
})
