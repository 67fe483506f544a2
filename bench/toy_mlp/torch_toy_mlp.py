# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same step in PyTorch, on one thread; prints microseconds, the median."""
import statistics
import time

import torch
from torch import nn

torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(2, 30), nn.ReLU(), nn.Linear(30, 20), nn.ReLU(), nn.Linear(20, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(2, 2), torch.randn(2, 2)


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()


for _ in range(500):
    step()
times = []
for _ in range(21):
    start = time.perf_counter()
    for _ in range(200):
        step()
    times.append((time.perf_counter() - start) / 200 * 1e6)
print(f"{statistics.median(times):.3f}")
