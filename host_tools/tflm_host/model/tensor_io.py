"""Tensors in and out of files: raw little-endian bytes, or .npy by suffix."""

from io import BytesIO
from pathlib import Path

import numpy as np

from .files import InputError, write_file

NUMPY_TYPES = {
    "float32": np.float32,
    "int64": np.int64,
    "int32": np.int32,
    "uint32": np.uint32,
    "int16": np.int16,
    "int8": np.int8,
    "uint8": np.uint8,
    "bool": np.bool_,
}


def read_tensor(path, tensor):
    """Return the bytes of file *path* for *tensor* (a TensorInfo)."""
    path = Path(path)
    if path.suffix == ".npy":
        return _read_npy(path, tensor)
    data = path.read_bytes()
    if len(data) != tensor.nbytes:
        raise InputError(
            f"{path}: {len(data)} bytes, input '{tensor.name}' takes {tensor.nbytes}"
            f" ({tensor.type_name} {list(tensor.shape)})"
        )
    return data


def _read_npy(path, tensor):
    try:
        array = np.load(path, allow_pickle=False)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    wanted = NUMPY_TYPES.get(tensor.type_name)
    if array.dtype != wanted or array.size != tensor.elements:
        raise InputError(
            f"{path}: {array.dtype} {list(array.shape)}, input '{tensor.name}' takes"
            f" {tensor.type_name} {list(tensor.shape)}"
        )
    return np.ascontiguousarray(array).tobytes()


def write_tensor(path, data, tensor):
    """Write the bytes of *tensor* to *path*, raw or as .npy."""
    path = Path(path)
    if path.suffix == ".npy":
        dtype = NUMPY_TYPES.get(tensor.type_name, np.uint8)
        array = np.frombuffer(data, dtype)
        if dtype is not np.uint8 or tensor.type_name == "uint8":
            array = array.reshape(tensor.shape)
        file = BytesIO()
        np.save(file, array)
        data = file.getvalue()
    write_file(path, data)


def random_tensor(tensor, rng):
    """Return random bytes for *tensor*: all values for integers, -4..4 for float32."""
    if tensor.type_name == "float32":
        return rng.uniform(-4, 4, tensor.elements).astype(np.float32).tobytes()
    if tensor.type_name == "bool":
        return rng.integers(0, 2, tensor.elements, np.uint8).tobytes()
    return rng.integers(0, 256, tensor.nbytes, np.uint8).tobytes()
