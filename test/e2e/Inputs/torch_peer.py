# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the comparisons with PyTorch share: running a model.so, its state as
arrays, and how far two are apart."""

import ctypes
import json
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


class Tensor(ctypes.Structure):
    """graphc_tensor."""

    _fields_ = [("dtype", ctypes.c_int), ("rank", ctypes.c_uint32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.c_void_p), ("data", ctypes.c_void_p)]
    CODES = {"float64": 1, "float32": 2, "bool": 5, "int64": 9}

    def __init__(self, array):
        assert array.flags.c_contiguous
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        super().__init__(self.CODES[array.dtype.name], array.ndim, shape, None, array.ctypes.data)
        self.owners = (array, shape)


class Model:
    """A loaded model.so, through the C API. Takes and fills arrays."""

    def __init__(self, library, path):
        self.api = ctypes.CDLL(library)
        self.api.graphc_error_message.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        self.check(self.api.graphc_model_load(path.encode(), None, ctypes.byref(self.handle)))

    def check(self, status):
        if status:
            raise SystemExit(self.api.graphc_error_message().decode())

    def run(self, function, inputs, outputs):
        tensors = [[Tensor(array) for array in side] for side in (inputs, outputs)]
        views = [(Tensor * len(side))(*side) for side in tensors]
        size = ctypes.c_size_t
        self.check(self.api.graphc_model_run(self.handle, function.encode(), views[0], size(len(inputs)), views[1],
                                             size(len(outputs))))
        return outputs

    def get(self, name, like):
        array = numpy.empty_like(like, order="C")
        self.check(self.api.graphc_model_get_variable(self.handle, name.encode(), ctypes.byref(Tensor(array))))
        return array

    def set(self, name, array):
        self.check(self.api.graphc_model_set_variable(self.handle, name.encode(), ctypes.byref(Tensor(array))))

    def close(self):
        self.api.graphc_model_destroy(self.handle)


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
