"""What the scripts of this folder share; firmware and packages have it, so that they run alone.

    mpremote run tests_device/test_conv.py      # on a board
    python3 tests_device/test_conv.py           # CPython and the unix port take this file

TestCase and main() are the part of unittest that the scripts use, because firmware has none.
KernelCalls tries kernels, answers() runs models, walk() runs examples.
"""

import gc
import sys
from binascii import a2b_base64
from struct import pack

import tflm.base.layout as layout
from tflm import kernels
from tflm.ops.index import kernel_index

try:
    import _tflm
except ImportError:
    _tflm = None

RUNS = 3  # of a model
ALIGN = 16
GUARD = b"\xa5" * ALIGN


class SkipTest(Exception):
    """Raised by a test that cannot run here; says why."""


class _Raises:
    """Context of assertRaises(); keeps the exception."""

    def __init__(self, expected):
        self.expected = expected
        self.exception = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            raise AssertionError("%s was not raised" % self.expected.__name__)
        self.exception = value
        return issubclass(kind, self.expected)


class TestCase:
    def setUp(self):
        pass

    def tearDown(self):
        pass

    def assertEqual(self, first, second, msg=None):
        if first != second:
            raise AssertionError(msg or "%r != %r" % (first, second))

    def assertTrue(self, value, msg=None):
        if not value:
            raise AssertionError(msg or "%r is not true" % (value,))

    def assertLess(self, first, second, msg=None):
        if not first < second:
            raise AssertionError(msg or "%r is not less than %r" % (first, second))

    def assertRaises(self, expected):
        return _Raises(expected)

    def skipTest(self, reason):
        raise SkipTest(reason)


def print_exception(error):
    try:
        sys.print_exception(error)
    except AttributeError:  # CPython
        sys.excepthook(type(error), error, error.__traceback__)


def _run(case, name):
    """Run one test; return "ok", "skip" or "FAIL"."""
    try:
        case.setUp()
        try:
            getattr(case, name)()
        finally:
            case.tearDown()
    except SkipTest as reason:
        print("%s: skipped, %s" % (name, reason))
        return "skip"
    except Exception as error:
        print("%s: FAIL" % name)
        print_exception(error)
        return "FAIL"
    print("%s: ok" % name)
    return "ok"


def main(module=None):
    """Run every test_* method of every TestCase in *module* (none: __main__), sorted by name."""
    module = module or __import__("__main__")
    results = []
    for value in [getattr(module, name) for name in dir(module)]:
        if isinstance(value, type) and issubclass(value, TestCase) and value is not TestCase:
            for name in sorted(dir(value)):
                if name.startswith("test_"):
                    results.append(_run(value(), name))
    failed = results.count("FAIL")
    print("Ran %d tests, %d skipped, %d failed" % (len(results), results.count("skip"), failed))
    if failed or not results:
        raise SystemExit(1)
    print("OK")


def unpacked(text):
    """Return the bytes of *text*: base64, "*5" for five zero bytes, or "-" for none."""
    if text[0] == "*":
        return bytes(int(text[1:]))
    return b"" if text == "-" else a2b_base64(text)


class Arena:
    """Buffers with guards around each, in one block of memory."""

    def __init__(self, room):
        self.memory = bytearray(room)
        self.view = memoryview(self.memory)
        self.end = 0

    def add(self, data, shift=0):
        """Return the offset of a copy of *data*, *shift* bytes off an aligned one."""
        start = self.end + ALIGN + shift
        self.memory[self.end : start] = (GUARD + GUARD)[: start - self.end]
        self.memory[start : start + len(data)] = data
        self.end = (start + len(data) + ALIGN - 1) & -ALIGN
        self.memory[start + len(data) : self.end] = GUARD[: self.end - start - len(data)]
        return start

    def has_guards(self, start, end):
        return self.memory[start - ALIGN : start] == GUARD and (
            self.memory[end : (end + ALIGN - 1) & -ALIGN] == GUARD[: -end % ALIGN]
        )


class Call:
    """One call of a kernel, its arguments in an arena, read from a text such as

        conv_2d_s8 3 1,2,-128 ~AQID - > *4:AQIDBA== *16

    The kernel, a distance, the words of the operator parameters, the inputs, ">", the outputs. An
    output is the bytes before the call, ":" and the bytes after it, if these are known. Arguments
    after "~" lie the distance off an aligned offset. Those within [ ] are passed as one tuple.

    places  (offset, bytes) of each argument in the arena; no bytes: it is absent
    after   the text after each ":", in a list; inputs have none
    count   of the inputs
    """

    def __init__(self, text):
        self.name, shift, words, parts = text.split(" ", 3)
        words = [int(word) for word in words.split(",") if word != "-"]
        self.words = pack("<%di" % len(words), *words)
        parts = parts.split(">")
        self.tuples = ["[" in part for part in parts]
        inputs, outputs = [part.strip(" []").split() for part in parts]
        self.count = len(inputs)
        texts = [argument.split(":") for argument in inputs + outputs]
        self.after = [parts[1:] for parts in texts]
        data = [unpacked(parts[0].lstrip("~")) for parts in texts]
        self.places = []
        self.arena = Arena(sum([len(each) + 4 * ALIGN for each in data]) + 512)
        for parts, each in zip(texts, data):
            start = self.arena.add(each, int(shift) if parts[0][0] == "~" else 0)
            self.places.append((start, len(each)))

    def views(self):
        """Return the arguments as a viper kernel takes them."""
        args = [self.arena.view[start : start + size] for start, size in self.places]
        inputs, outputs = args[: self.count], args[self.count :]
        if self.tuples[0]:
            inputs = [tuple(inputs)]
        return inputs + ([tuple(outputs)] if self.tuples[1] else outputs)


class KernelCalls:
    """The tests of `calls`, to be combined with TestCase. Guards lie around all that is written.

    calls   texts that Call reads: make_device_tests.py writes them
    native  names of the kernels without a viper form
    """

    native = ()

    def setUp(self):
        gc.collect()

    def check(self, call):
        for (start, size), after in zip(call.places[call.count :], call.after[call.count :]):
            end = start + size
            self.assertTrue(call.arena.has_guards(start, end), call.name + " wrote outside")
            for text in after:
                self.assertEqual(bytes(call.arena.view[start:end]), unpacked(text), call.name)

    def test_c_kernels_write_expected_bytes(self):
        if _tflm is None:
            self.skipTest("no C kernels here")
        for text in self.calls:
            kernel = kernel_index(text.split(" ")[0])
            if not _tflm.form(kernel):
                continue
            call = Call(text)
            arena = call.arena
            refs = [start << 1 if size else layout.ABSENT for start, size in call.places]
            record = arena.add(pack("<%di" % len(refs), *refs) + call.words)
            table = arena.add(pack(layout.NODE_FORMAT, kernel, len(refs), record << 1))
            left = int(call.name == "circular_every")  # where Python says whether it goes on
            self.assertEqual(_tflm.Graph(arena.memory, b"", table << 1, 1)(), left, call.name)
            self.check(call)

    def test_viper_kernels_write_expected_bytes(self):
        if kernels.find("copy") is None:
            self.skipTest("no viper kernels here")
        for text in self.calls:
            name = text.split(" ")[0]
            kernel = kernels.find(name)
            if name in self.native:
                self.assertTrue(kernel is None)
                continue
            call = Call(text)
            kernel(call.words, *call.views())
            self.check(call)


def pattern(count, run):
    """Return the input of run number *run*: make_device_tests.py has the same formula."""
    found = bytearray(count)
    for i in range(count):
        found[i] = (i * 37 + 11 + 91 * run) & 0xFF
    return found


def answer(interp, run):
    interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, run)
    interp.invoke()
    return bytes(interp.outputs[0].data)


def answers(interp):
    """Return the outputs of all runs, joined."""
    return b"".join([answer(interp, run) for run in range(RUNS)])


def walk(text, names, where=None):
    """Run the examples of *text* with the globals *names*; return a list of what is wrong.

    >>> 1 + 1
    2
    >>> [][1]
    IndexError: list index out of range

    An example begins with ">>> ", its other lines with "... ". An expression shows its repr, None
    nothing, an exception its name and message. Lines that begin with "#" say what follows.

    where  the folder that stands for /rom in them
    """
    wrong = []
    for example in text.split(">>> ")[1:]:
        gc.collect()  # what the example before left does not stand in the way of an arena
        lines = [line for line in example.split("\n") if line and line[0] != "#"]
        count = 1
        while lines[count : count + 1] and lines[count][:3] == "...":
            count += 1
        source = "\n".join([lines[0]] + [line[4:] for line in lines[1:count]])
        if where is not None:
            source = source.replace('"/rom/', '"' + where + "/")
        found = shown(source, names)
        if found != "\n".join(lines[count:]):
            wrong.append("%s\n%s\n" % ("\n".join(lines), found))
    return wrong


def shown(source, names):
    """Return what *source*, an expression or statements, shows."""
    try:
        try:
            value = eval(source, names)
        except SyntaxError:
            value = exec(source, names)
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
    return "" if value is None else repr(value)
