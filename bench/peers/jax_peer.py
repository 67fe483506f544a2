# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX: the whole step under jit, with donated arguments."""
import os
import time

from common import mark, read_inputs, read_state, serve, threads, workload

# Its CPU client has as many threads as the process has CPUs, which run.py limits.
os.environ["JAX_PLATFORMS"] = "cpu"
if threads == 1:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import jax
import jax.numpy as jnp
from jax_models import loss_of, optimizer_of

state = {name: array for name, array in read_state().items() if "running_" not in name}
inputs = read_inputs()
if workload == "iv":
    state = {name: array.transpose(2, 3, 1, 0) if array.ndim == 4 else array for name, array in state.items()}
    inputs[0] = inputs[0].transpose(0, 2, 3, 1)
parameters = {name: jnp.asarray(array) for name, array in state.items()}
inputs = [jnp.asarray(array) for array in inputs]
count = sum(array.size for array in parameters.values())
del state
loss_function = loss_of(workload)

start = time.perf_counter()
if workload == "v":
    run = jax.jit(loss_function).lower(parameters, *inputs).compile()

    def step():
        global pending
        pending = run(parameters, *inputs)
        return pending

    value = mark
else:
    update, kept = optimizer_of(workload, parameters)

    def whole(p, kept, *inputs):
        loss, gradients = jax.value_and_grad(loss_function)(p, *inputs)
        p, kept = update(p, gradients, kept)
        return loss, p, kept

    run = jax.jit(whole, donate_argnums=(0, 1)).lower(parameters, kept, *inputs).compile()

    def step():
        global parameters, kept, pending
        pending = loss, parameters, kept = run(parameters, kept, *inputs)
        return loss

    value = float

serve(step, value, {
    "version": jax.__version__,
    "config": "jit, donated arguments",
    "parameters": count,
    "compile_seconds": time.perf_counter() - start,
}, lambda: jax.block_until_ready(pending))
