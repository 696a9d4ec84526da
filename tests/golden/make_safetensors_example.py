#!/usr/bin/env python3
"""Writes example.safetensors with the Python package, for tests/storage/safetensors_test.cpp.

Needs numpy and safetensors (0.8.0 made the file that is here). The values are either ones that both
F32 and F64 hold exactly or special ones that a reader must not touch.
"""

import pathlib

import numpy
from safetensors.numpy import save_file

nan_with_payload = numpy.array([0x7FC12345], numpy.uint32).view(numpy.float32)[0]

tensors = {
    "encoder.0.weight": numpy.arange(6, dtype=numpy.float32).reshape(2, 3) / 4,
    "special": numpy.array(
        [-0.0, numpy.inf, -numpy.inf, nan_with_payload, 1e-45, 3.4028235e38], numpy.float32
    ),
    "double": numpy.array([[1.5, -2.25], [1e-300, 0.1]], numpy.float64),
    "scalar": numpy.array(3.5, numpy.float32),
    "double scalar": numpy.array(-7.0, numpy.float64),
    "no rows": numpy.zeros((0, 4), numpy.float32),
    "rank 4": numpy.arange(24, dtype=numpy.float32).reshape(1, 2, 3, 4),
    'schräg "\\ 𝄞': numpy.array([1], numpy.float32),
}
# One entry only: the package writes several in an order that changes from run to run.
metadata = {"configuration": '{"name": "größe",\n\t"layers": 2}'}

save_file(tensors, pathlib.Path(__file__).with_name("example.safetensors"), metadata)
