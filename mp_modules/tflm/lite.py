"""TensorFlow's interface: a script for other interpreters runs here with its import changed.

    import tflm.lite as tflite      # was: import ai_edge_litert.interpreter as tflite

`Interpreter` has the methods of tf.lite.Interpreter, of ai_edge_litert's and of tflite_micro's
runtime.Interpreter. Values are numpy arrays if numpy is installed. Otherwise they are lists, and
types are names such as "int8". `invoke()` keeps the inputs, as in those interpreters, which takes
more arena. A prepared model does not keep them.
"""

from struct import unpack_from

from .base.port import const
from .file.flatbuffer import follow, ints, table
from .interpreter import Interpreter as _Interpreter
from .model import Model

try:
    import numpy
except ImportError:
    numpy = None

_SHAPE_SIGNATURE = const(7)  # field of a tensor


class OpResolverType:
    """The choices of TFLite's interpreter. Here all run the same kernels, with the same bytes."""

    AUTO = 0
    BUILTIN = 1
    BUILTIN_REF = 2
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3


def load_delegate(library, options=None):  # noqa: ARG001 - no library can be loaded
    """Raise ValueError, as TFLite does where a delegate's library cannot be loaded.

    Scripts then run without it. A delegate here is a Python object: docs/delegates.md.
    """
    raise ValueError(
        "Failed to load delegate from %s: tflm loads no libraries, run the model without it"
        % (library,)
    )


def _type(info):
    """Return the type of a tensor: numpy's, or its name."""
    name = info.type_name
    return getattr(numpy, name + "_" if name == "bool" else name, name)


def _array(values, kind):
    return list(values) if numpy is None else numpy.array(values, kind)


def _details(info, subgraph):
    """Return the details of the tensor *info*."""
    buf = subgraph.model.buf
    at = follow(buf, subgraph.places[0] + 4 * info.index)
    _, count, points = info.quantization()
    points = unpack_from("<%dq" % count, buf, points) if points else ()
    shape = info.shape
    single = (info.scale(), info.zero_point()) if count == 1 else (0.0, 0)
    return {
        "name": info.name,
        "index": info.index,
        "shape": _array(shape, "int32"),
        "shape_signature": _array(
            ints(buf, table(buf, at, _SHAPE_SIGNATURE + 1)[_SHAPE_SIGNATURE]) or shape, "int32"
        ),
        "dtype": _type(info),
        "quantization": single,
        "quantization_parameters": {
            "scales": _array(info.scales(), "float32"),
            "zero_points": _array(points, "int32"),
            "quantized_dimension": info.quantized_dimension(),
        },
        "sparsity_parameters": {},
    }


def _values(tensor):
    return tensor.nested() if numpy is None else numpy.array(tensor)


def _assign(tensor, values):
    """Set *tensor*; arrays must have its type and shape."""
    kind, shape = getattr(values, "dtype", None), getattr(values, "shape", None)
    if numpy is not None and kind is not None and kind != _type(tensor._info):
        raise ValueError("tensor %s is %s, not %s" % (tensor.name, tensor.dtype, kind))
    if shape is not None and tuple(shape) != tensor.shape:
        raise ValueError("tensor %s has shape %s, not %s" % (tensor.name, tensor.shape, shape))
    tensor.assign(values)


class Interpreter:
    """Runs one model: a file's path (str or Path), or its contents.

    prepared  as of tflm.Interpreter; the others' have no such argument
    """

    def __init__(
        self,
        model_path=None,
        model_content=None,
        experimental_delegates=None,
        num_threads=None,
        experimental_op_resolver_type=None,  # noqa: ARG002 - here there is one
        experimental_preserve_all_tensors=False,
        prepared=None,
    ):
        if (model_path is None) == (model_content is None):
            raise ValueError("one of model_path and model_content must be given")
        if num_threads is not None and not (isinstance(num_threads, int) and num_threads > 0):
            raise ValueError("num_threads is %s, an int of 1 or more expected" % (num_threads,))
        try:
            source = model_content if model_path is None else str(model_path)
            self._model = Model(source, prepared)
        except OSError as error:
            raise ValueError("could not open %s: %s" % (model_path, error)) from None
        options = {"keep_inputs": self._model.snapshot is None, "allocate": False}
        if experimental_preserve_all_tensors:
            options["preserve_all_tensors"] = True
        if experimental_delegates:
            options["delegates"] = tuple(experimental_delegates)
        self._first = self._model, options  # as the caller gave them
        self._interp = _Interpreter(self._model, **options)

    def modify_graph_with_delegate(self, delegate):
        """Let *delegate* run what it supports, after those given before; as the method of C++.

        Then call `allocate_tensors()`. Values, states and shapes of inputs are the file's again.
        """
        model, options = self._first
        options = dict(options)
        options["delegates"] = options.get("delegates", ()) + (delegate,)
        self._interp = _Interpreter(model, **options)
        self._model, self._first = model, (model, options)

    @classmethod
    def from_file(
        cls,
        model_path,
        custom_op_registerers=None,  # noqa: ARG003
        arena_size=None,  # noqa: ARG003
        prepared=None,
    ):
        """The method of tflite_micro's runtime. The arena has exactly the needed size."""
        return cls(model_path, prepared=prepared)._ready()

    @classmethod
    def from_bytes(
        cls,
        model_data,
        custom_op_registerers=None,  # noqa: ARG003
        arena_size=None,  # noqa: ARG003
        prepared=None,
    ):
        """Like `from_file`, with the contents of a file."""
        return cls(None, model_data, prepared=prepared)._ready()

    def _ready(self):
        self.allocate_tensors()
        return self

    def allocate_tensors(self):
        self._interp.allocate_tensors()
        if hasattr(self._interp.model, "sizes"):  # of a ResizedModel
            self._model = self._interp.model

    def invoke(self):
        self._interp._require("invoke()")
        self._interp.invoke()

    def reset_all_variables(self):
        self._interp.reset()

    reset = reset_all_variables

    def num_subgraphs(self):
        return len(self._model.subgraphs)

    # What the tensors are

    def get_tensor_details(self, subgraph_index=0):
        """Return the details of all tensors."""
        graph = self._graph(subgraph_index)
        return [_details(graph.tensor(i), graph) for i in range(graph.tensor_count)]

    def get_input_details(self, index=None):
        """Return the details of all inputs, or of input *index*."""
        return self._some_details(self._graph(0).inputs, index)

    def get_output_details(self, index=None):
        """Return the same of outputs."""
        return self._some_details(self._graph(0).outputs, index)

    def _graph(self, index):
        graphs = self._model.subgraphs
        getattr(self._model, "base", self._model).verify()  # sizes may be set one by one
        if not 0 <= index < len(graphs):
            raise ValueError("subgraph %s of %d does not exist" % (index, len(graphs)))
        return graphs[index]

    def _some_details(self, tensors, index):
        graph = self._model.subgraphs[0]
        if index is not None:
            return _details(graph.tensor(tensors[index]), graph)
        return [_details(graph.tensor(i), graph) for i in tensors]

    # Their values

    def _tensor(self, index, subgraph=0):
        if not 0 <= index < self._graph(subgraph).tensor_count:
            raise ValueError("tensor %s does not exist" % index)
        if self._interp.graph is None:
            raise ValueError("tensor %s has no memory: call allocate_tensors() before" % index)
        return self._interp.tensor(index, subgraph)

    def set_tensor(self, tensor_index, value):
        _assign(self._tensor(tensor_index), value)

    def get_tensor(self, tensor_index, subgraph_index=0):
        """Return a copy of the elements."""
        return _values(self._tensor(tensor_index, subgraph_index))

    def tensor(self, tensor_index):
        """Return a function that returns a view of the elements, which can be set."""
        tensor = self._tensor(tensor_index)
        return lambda: tensor if numpy is None else numpy.asarray(tensor)

    def set_input(self, input_data, index):
        self.set_tensor(self._model.subgraphs[0].inputs[index], input_data)

    def get_output(self, index):
        return self.get_tensor(self._model.subgraphs[0].outputs[index])

    def resize_tensor_input(self, input_index, tensor_size, strict=False):
        """Give an input another shape, for the next `allocate_tensors()`.

        strict  raise ValueError unless the converter left this dimension open
        """
        graph = self._model.subgraphs[0]
        if input_index not in graph.inputs:
            raise ValueError("tensor %s is no input" % input_index)
        info, shape = graph.tensor(input_index), tuple([int(n) for n in tensor_size])
        if shape == info.shape:
            return
        if strict:
            left = [int(n) for n in _details(info, graph)["shape_signature"]]
            if len(left) != len(shape) or [1 for a, b in zip(left, shape) if a not in (-1, b)]:
                raise ValueError("tensor %d is %s, not %s" % (input_index, left, shape))
        self._interp.resize_input(graph.inputs.index(input_index), shape)
        self._model = self._interp.model

    # Signatures

    def get_signature_list(self):
        """Return {key: {"inputs": [names], "outputs": [names]}}."""
        found = self._model.signatures
        return {
            key: {"inputs": sorted(found[key][1]), "outputs": sorted(found[key][2])}
            for key in found
        }

    def get_signature_runner(self, signature_key=None):
        """Return the signature as a function of arrays, which returns arrays by name."""
        self.allocate_tensors()
        return SignatureRunner(self._interp.signature(signature_key))


class SignatureRunner:
    """The function that `get_signature_runner` returns."""

    def __init__(self, signature):
        self._signature = signature

    def __call__(self, **values):
        run = self._signature
        if sorted(values) == sorted(run.inputs):  # else it says what is wrong
            for name in values:
                _assign(run.inputs[name], values[name])
                values[name] = run.inputs[name].data
        found = run(**values)
        return {name: _values(found[name]) for name in sorted(found)}

    def get_input_details(self):
        """Return the details of the inputs by name."""
        return self._by_name(self._signature.inputs)

    def get_output_details(self):
        """Return the same of outputs."""
        return self._by_name(self._signature.outputs)

    def _by_name(self, tensors):
        graph = self._signature.subgraph
        return {name: _details(tensors[name]._info, graph) for name in sorted(tensors)}
