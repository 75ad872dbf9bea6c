"""A script as users write them for TFLite's interpreter; test_lite.py runs it with several.

Another script before it imports Interpreter from somewhere and defines FOLDER, where the models
are. Where numpy is, "numpy:" begins lines on what only arrays have.
"""

# ruff: noqa: F821 - see above
try:
    import numpy as np
except ImportError:
    np = None


def array(values, kind):
    return values if np is None else np.array(values, kind)


def plain(value):
    """Return *value* with lists for arrays and names for types."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return [(name, plain(value[name])) for name in sorted(value) if name != "block_size"]
    if np is not None and isinstance(value, type):
        return np.dtype(value).name
    if hasattr(value, "tolist"):
        value = value.tolist()
        return plain(value) if isinstance(value, list) else value
    return round(value, 6) if isinstance(value, float) else value


def show(value):
    print(plain(value))
    if isinstance(value, dict):
        for name in sorted(value):
            show_array(value[name])
    show_array(value)


def show_array(value):
    if np is not None and isinstance(value, np.ndarray):
        print("numpy:", value.shape, value.dtype)


def refused(call, *args, **options):
    """Run what must fail; say how."""
    try:
        call(*args, **options)
        print("no error")
    except ValueError:
        print("ValueError")
    except RuntimeError:
        print("RuntimeError")


# Made from a path, or from contents.
refused(Interpreter)
refused(Interpreter, model_path=FOLDER + "/none.tflite")
refused(Interpreter, model_content=b"no model at all")
refused(Interpreter, model_path=FOLDER + "/signed.tflite", num_threads=0)
signed = Interpreter(model_path=FOLDER + "/signed.tflite", num_threads=1)
with open(FOLDER + "/memory.tflite", "rb") as file:
    memory = Interpreter(model_content=file.read())
# What is known before there is memory.
show(signed.get_input_details())
show(signed.get_output_details())
show(signed.get_tensor_details())
show(memory.get_tensor_details()[1])
show(memory.get_tensor_details()[5])
show(signed.num_subgraphs())
show(signed.get_signature_list())
refused(signed.get_tensor, 0)
refused(signed.invoke)
# A run.
signed.allocate_tensors()
signed.allocate_tensors()
x = signed.get_input_details()[0]["index"]
y = signed.get_output_details()[0]["index"]
signed.set_tensor(x, array([[1, -2, 30, 100]], "int8"))
signed.invoke()
show(signed.get_tensor(y))
show(signed.get_tensor(x))
signed.invoke()
show(signed.get_tensor(y))
view = signed.tensor(x)
if np is None:
    view()[:] = [5, 6, 7, 8]
else:
    view()[:] = 5, 6, 7, 8
signed.invoke()
show(signed.get_tensor(y))
show(list(signed.tensor(y)()) if np is None else signed.tensor(y)()[0])
refused(signed.get_tensor, 99)
refused(signed.set_tensor, x, array([[1, 2, 3]], "int8"))
if np is None:
    refused(signed.set_tensor, x, [[1, 2, 3, 400]])
else:
    refused(signed.set_tensor, x, np.zeros((1, 4), np.float32))
refused(signed.get_tensor_details, 7)
# By names.
run = signed.get_signature_runner("serving_default")
show(run(x=array([[1, 2, 3, 4]], "int8")))
other = signed.get_signature_runner(signature_key="other")
show(other(left=array([[1, 2, 3, 4]], "int8"), right=array([[10, 20, 30, 40]], "int8")))
show(other.get_input_details())
show(other.get_output_details()["sum"]["shape"])
refused(other, left=array([[1, 2, 3, 4]], "int8"))
refused(signed.get_signature_runner)
refused(signed.get_signature_runner, "nobody")
# What it remembers.
memory.resize_tensor_input(0, [1, 6])
memory.allocate_tensors()
for _ in range(2):
    for step in range(3):
        memory.set_tensor(0, array([[9 * step, 5, -6, 7, 8 + step, 90]], "int8"))
        memory.invoke()
        show(memory.get_tensor(memory.get_output_details()[0]["index"]))
    memory.reset_all_variables()
every = Interpreter(model_path=FOLDER + "/signed.tflite", experimental_preserve_all_tensors=True)
every.allocate_tensors()
every.set_tensor(0, array([[1, 1, 2, 3]], "int8"))
every.invoke()
show([every.get_tensor(i) for i in range(2)])
