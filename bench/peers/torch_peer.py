# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch: eager, or with the options `compile`, `channels_last`, `flops` (count them)."""
import time

from common import mark, options, read_inputs, read_state, serve, threads, workload

import torch
from torch_models import loss_of, optimizer_of

torch.set_num_threads(threads)
isCompiled = "compile" in options
fused = int(torch.__version__.split(".")[0]) >= 2
parameters, state = [], {}
for name, array in read_state().items():
    tensor = torch.from_numpy(array)
    if "channels_last" in options and tensor.dim() == 4:
        tensor = tensor.contiguous(memory_format=torch.channels_last)
    if "running_" not in name:
        tensor.requires_grad_(workload != "v")
        parameters.append(tensor)
    state[name] = tensor
    if name.endswith("running_mean"):
        # Counted, as nn.BatchNorm2d does.
        state[name.replace("running_mean", "num_batches_tracked")] = torch.zeros((), dtype=torch.int64)
inputs = [torch.from_numpy(array) for array in read_inputs()]
if "channels_last" in options:
    inputs[0] = inputs[0].contiguous(memory_format=torch.channels_last)

loss_function = loss_of(workload)
flops = None
if "flops" in options:
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as counter:
        result = loss_function(state, *inputs)
        if workload != "v":
            result.backward()
    flops = counter.get_total_flops()
    for parameter in parameters:
        parameter.grad = None

if workload == "v":
    if isCompiled:
        # Weights become constants that the compiler may pack.
        import torch._inductor.config
        torch._inductor.config.freezing = True

        class Forward(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.names = {name.replace(".", "_"): name for name in state}
                for attribute, name in self.names.items():
                    self.register_parameter(attribute, torch.nn.Parameter(state[name], requires_grad=False))

            def forward(self, x):
                return loss_function({name: getattr(self, at) for at, name in self.names.items()}, x)

        module = torch.compile(Forward().eval())

        def forward(_, x):
            return module(x)
    else:
        forward = loss_function

    def step():
        with torch.inference_mode() if not isCompiled else torch.no_grad():
            return forward(state, *inputs)

    def value(logits):
        return mark(logits.numpy())
else:
    optimizer = optimizer_of(workload, parameters, fused)
    if isCompiled:
        loss_function = torch.compile(loss_function)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_function(state, *inputs)
        loss.backward()
        optimizer.step()
        return loss.detach()

    value = float

compile_seconds = None
if isCompiled:
    # Twins of the state, so that the steps compared start where the others' do.
    kept = [tensor.detach().clone() for tensor in state.values()]
    start = time.perf_counter()
    step()
    compile_seconds = time.perf_counter() - start
    with torch.no_grad():
        for tensor, before in zip(state.values(), kept):
            tensor.copy_(before)
    if workload != "v":
        optimizer.state.clear()
    del kept

serve(step, value, {
    "version": torch.__version__,
    "config": ", ".join((["fused optimizer"] if fused and workload != "v" else []) + options) or "eager",
    "parameters": sum(p.numel() for p in parameters),
    "compile_seconds": compile_seconds,
    "flops": flops,
})
