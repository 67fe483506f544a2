# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains each example's network with graphc and with PyTorch, from the same
weights on the same batches with the same optimizer.

  torch_models.py <build folder> <folder> <program rates> [model...]

The learning rate of fashion goes up and down once, by graphc's own schedule (the
program prints it) here and by PyTorch's there. Names is compared without its
dropout: the two draw different masks from any seed.

Compares the loss of every step, and all parameters and buffers after the last,
in f64 within 1e-9 and in f32 within 1e-4, each relative to the tensor's largest
element. Exits with 1 if one is farther off. Three allowances in f32; each is no
larger than it has to be:

  fashion  A ReLU whose input is 0 up to rounding may pass or not, and PyTorch's
           own f32 and f64 differ as much. What follows grows with the learning
           rate: at 0.001 convolutions and running means are up to 1.5e-4 apart,
           at RATE up to 3e-5.
  fashion  The biases of the batch norms start at 0 and have come to some 1e-5
           after 20 such steps, so that one such ReLU is up to a hundredth of
           them: their errors count relative to LEAST at least.
  gpt      Adam divides a gradient by its own size, so rounding counts where a
           gradient is small: 4e-4 apart at the example's learning rate of 0.001,
           5e-5 at 0.0001, and less at RATE. The bias of the keys shifts all
           scores of a query alike, so its gradient is rounding alone: it may
           only move as far as Adam can take it.
"""

import gzip
import os
import struct
import subprocess
import sys

import numpy
import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from torch_peer import Model, distance, run, state  # noqa: E402

build, folder, rates_program = sys.argv[1:4]
programs = os.path.join(build, "bin")
library = os.path.join(build, "lib", "libgraphc.so")
STEPS = 20
LIMIT = {"f64": 1e-9, "f32": 1e-4}
DTYPE = {"f64": torch.float64, "f32": torch.float32}
rng = numpy.random.default_rng(7)


def mlp():
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))


class Cnn(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 4 * 4, 10))

    def forward(self, x):
        return super().forward(x.reshape(-1, 1, 8, 8))


def conv(into, out, size, stride):
    return nn.Conv2d(into, out, size, stride=stride, padding=size // 2, bias=False)


class ResBlock(nn.Module):
    def __init__(self, into, out, stride):
        super().__init__()
        self.conv1, self.bn1 = conv(into, out, 3, stride), nn.BatchNorm2d(out)
        self.conv2, self.bn2 = conv(out, out, 3, 1), nn.BatchNorm2d(out)
        self.shortcut = nn.Sequential()
        if into != out or stride != 1:
            self.shortcut = nn.Sequential(conv(into, out, 1, stride), nn.BatchNorm2d(out))

    def forward(self, x):
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(conv(1, 16, 3, 2), nn.BatchNorm2d(16), nn.ReLU())
        self.blocks = nn.Sequential(ResBlock(16, 16, 1), ResBlock(16, 32, 2), ResBlock(32, 64, 2))
        self.pool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(64, 10)

    def forward(self, x):
        return self.fc(self.pool(self.blocks(self.stem(x.reshape(-1, 1, 28, 28)))).flatten(1))


WIDTH, HEADS, CONTEXT, CHARACTERS = 128, 4, 64, 40


class GptBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        count, time, _ = x.shape
        q, k, v = self.qkv(self.ln1(x)).reshape(count, time, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5
        scores = scores.masked_fill(torch.ones(time, time, dtype=torch.bool).triu(1), -torch.inf)
        y = (scores.softmax(-1) @ v).transpose(1, 2).reshape(count, time, WIDTH)
        x = x + self.proj(y)
        return x + self.mlp(self.ln2(x))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(CHARACTERS, WIDTH)
        self.places = nn.Parameter(torch.zeros(CONTEXT, WIDTH))
        self.blocks = nn.Sequential(*(GptBlock() for _ in range(4)))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, CHARACTERS)

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.tokens(x) * 0.02 + self.places)))


class Names(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.lstm, self.fc = nn.Embedding(28, 24), nn.LSTM(24, 96, batch_first=True), nn.Linear(96, 28)

    def forward(self, x):
        return self.fc(self.lstm(self.letters(x))[0])


def digits_batch():
    return rng.random((64, 64)), rng.integers(0, 10, 64)


def fashion_batch():
    return rng.random((100, 28, 28)), rng.integers(0, 10, 100)


def gpt_batch():
    text = rng.integers(0, CHARACTERS, (2, CONTEXT + 1))
    return text[:, :-1].copy(), text[:, 1:].copy()


def names_batch():
    """Letters in names of any length; what follows their ends does not count."""
    letters, following = rng.integers(1, 28, (32, 16)), rng.integers(1, 28, (32, 16))
    length = rng.integers(2, 16, (32, 1))
    following[numpy.arange(16)[None] > length] = -100
    return letters, following


def sgd(net):
    return torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def nesterov(net):
    return torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)


def groups(net):
    parameters = list(net.parameters())
    return torch.optim.AdamW([{"params": [p for p in parameters if p.dim() > 1]},
                              {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0}],
                             lr=1e-3, betas=(0.9, 0.99))


def adamw(net):
    return torch.optim.AdamW(net.parameters(), lr=4e-3)


def write_idx(name, array):
    with gzip.open(os.path.join(folder, name + "-ubyte.gz"), "wb") as file:
        file.write(struct.pack(f">{array.ndim + 1}I", 0x800 + array.ndim, *array.shape) + array.tobytes())


def write_inputs():
    """What the programs want to see before they save their model."""
    for part in ("train", "t10k"):
        write_idx(part + "-images-idx3", rng.integers(0, 256, (100, 28, 28)).astype(numpy.uint8))
        write_idx(part + "-labels-idx1", rng.integers(0, 10, 100).astype(numpy.uint8))
    with open(os.path.join(folder, "text"), "w") as file:
        file.write("".join(chr(ord("A") + k) for k in range(CHARACTERS)) * 4)
    with open(os.path.join(folder, "zones"), "w") as file:
        file.writelines(f"XX +0000+00000 Zone/N{k}\n" for k in range(64))


# Program and options, network, optimizer, batch, largest norm of the gradients.
MODELS = {
    "mlp": (["digits", "--model=mlp", "--epochs=1"], mlp, sgd, digits_batch, None),
    "cnn": (["digits", "--model=cnn", "--epochs=1"], Cnn, sgd, digits_batch, None),
    "fashion": (["fashion", "--data=.", "--epochs=1", "--images=100"], ResNet, nesterov, fashion_batch, None),
    "gpt": (["gpt", "--data=text", "--steps=1", "--batch=2", "--print=0"], Gpt, groups, gpt_batch, 1.0),
    "names": (["names", "--data=zones", "--epochs=1", "--print=0", "--dropout=0"], Names, adamw, names_batch, 1.0),
}

# The largest learning rate of a schedule, relative to the optimizer's.
PEAK = {"fashion": 2.0}
RATE = {("fashion", "f32"): 3e-4, ("gpt", "f32"): 3e-5}
LEAST = {("fashion", "f32"): 0.05}


def compare(name, dtype):
    command, network, optimizer, batch, clip = MODELS[name]
    model = f"{name}.{dtype}.so"
    run(folder, os.path.join(programs, command[0]), *command[1:], f"--dtype={dtype}", f"--keep={model}")
    graph_run = os.path.join(programs, "graph-run")
    run(folder, graph_run, model, "--save-state=state.safetensors")
    start = state(os.path.join(folder, "state.safetensors"))

    net = network().to(DTYPE[dtype])
    net.load_state_dict({key: torch.from_numpy(start[key]) for key in net.state_dict()}, strict=True)
    net.train()
    optimizer = optimizer(net)
    for group in optimizer.param_groups:
        rate = numpy.array(group["lr"], start["step.lr"].dtype)
        assert numpy.array_equal(start["step.lr"], rate), (start["step.lr"], rate)
        group["lr"] = RATE.get((name, dtype), group["lr"])
    rates, schedule = [group["lr"]] * STEPS, None
    if name in PEAK:
        peak = PEAK[name] * group["lr"]
        printed = subprocess.run([rates_program, repr(peak), str(STEPS)], check=True, stdout=subprocess.PIPE, text=True)
        rates = [float(word) for word in printed.stdout.split()]
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, peak, STEPS, cycle_momentum=False)
        assert len(rates) == STEPS and len(set(rates)) > STEPS // 2 and max(rates) == peak, rates
    own = Model(library, os.path.join(folder, model))
    for key, array in start.items():
        own.set(key, array)
    worst = 0
    losses = []
    for rate in rates:
        own.set("step.lr", numpy.array(rate, start["step.lr"].dtype))
        x, y = batch()
        if x.dtype == numpy.float64:
            x = x.astype(start["step.lr"].dtype)
        (got,) = own.run("step", [x, y], [numpy.empty((), start["step.lr"].dtype)])
        z = net(torch.from_numpy(x))
        loss = functional.cross_entropy(z.reshape(-1, z.shape[-1]), torch.from_numpy(y).reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        if clip:
            nn.utils.clip_grad_norm_(net.parameters(), clip)
        optimizer.step()
        if schedule:
            schedule.step()
        losses.append(loss.item())
        worst = max(worst, distance(got, loss.detach().numpy()))
    far, vague = [], []
    for key, value in net.state_dict().items():
        first, got, expected = start[key], own.get(key, start[key]), value.numpy()
        if key.endswith("qkv.bias") and dtype == "f32":
            keys = slice(WIDTH, 2 * WIDTH)
            way = numpy.abs(got[keys] - first[keys]).max()
            assert way < 1.1 * sum(rates), (key, way, sum(rates))
            first, got, expected = (numpy.delete(b, keys) for b in (first, got, expected))
        least = LEAST.get((name, dtype), 0) if not first.any() and key.endswith("bias") else 0
        far.append((distance(got, expected, least), key))
        if 10 * distance(got, expected, 1) > distance(first, expected, 1):
            vague.append(key)
    own.close()
    most, place = max(far)
    ok = worst < LIMIT[dtype] and most < LIMIT[dtype]
    # Otherwise it shows nothing: each moves ten times as far as it differs.
    assert not vague and len(set(losses)) == STEPS, (vague, losses)
    print(f"{name} {dtype}: {'ok' if ok else 'DIFFERS'}, losses by {worst:.1e}, "
          f"parameters and buffers by {most:.1e} ({place})", flush=True)
    return ok


write_inputs()
chosen = sys.argv[4:] or list(MODELS)
results = [compare(name, dtype) for name in chosen for dtype in ("f64", "f32")]
print(f"{len(results)} comparisons, {results.count(False)} failures")
sys.exit(not all(results))
