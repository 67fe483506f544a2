# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the comparisons with PyTorch share: running a model.so, its state as
arrays, and how far two are apart."""

import json
import os
import struct
import subprocess

import numpy

TYPES = {"F64": numpy.float64, "F32": numpy.float32, "I64": numpy.int64}


def state(path):
    """The tensors of a safetensors file by name."""
    with open(path, "rb") as file:
        data = file.read()
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, info in header.items():
        begin, end = (8 + size + at for at in info["data_offsets"])
        values = numpy.frombuffer(data[begin:end], TYPES[info["dtype"]])
        tensors[name] = values.reshape(info["shape"]).copy()
    return tensors


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")


def call(folder, graph_run, model, function, inputs, outputs, *options):
    """Results of a function of a model, which takes and gives arrays."""
    arguments = []
    for k, value in enumerate(inputs):
        numpy.save(os.path.join(folder, f"in{k}.npy"), value)
        arguments.append(f"--input=in{k}.npy")
    arguments += [f"--output=out{k}.npy" for k in range(outputs)]
    run(folder, graph_run, model, f"--function={function}", *arguments, *options)
    return [numpy.load(os.path.join(folder, f"out{k}.npy")) for k in range(outputs)]


def distance(got, expected, least=0.0):
    """Largest difference, relative to the largest element or to `least`; NaN is as
    far as can be."""
    if got.shape != expected.shape or got.dtype != expected.dtype:
        raise SystemExit(f"{got.dtype}{got.shape} is not {expected.dtype}{expected.shape}")
    if got.size == 0:
        return 0.0
    got, expected = got.astype(numpy.float64), expected.astype(numpy.float64)
    if not numpy.isfinite(got).all() or not numpy.isfinite(expected).all():
        return 0.0 if numpy.array_equal(got, expected) else numpy.inf
    return numpy.abs(got - expected).max() / max(numpy.abs(expected).max(), least, 1e-300)
