"""The part of unittest that the tests in this folder use, for firmware that has none.

On a board: `mpremote mount tests_device/lib run tests_device/test_x.py`.
CPython has its own. main() raises SystemExit(1) when a test fails.
"""

import sys


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
        sys.print_exception(error)
        return "FAIL"
    print("%s: ok" % name)
    return "ok"


def main(module="__main__"):
    """Run every test_* method of every TestCase in *module*, sorted by name."""
    results = []
    for value in list(vars_of(module).values()):
        if isinstance(value, type) and issubclass(value, TestCase) and value is not TestCase:
            for name in sorted(dir(value)):
                if name.startswith("test_"):
                    results.append(_run(value(), name))
    failed = results.count("FAIL")
    print("Ran %d tests, %d skipped, %d failed" % (len(results), results.count("skip"), failed))
    if failed or not results:
        raise SystemExit(1)
    print("OK")


def vars_of(module):
    module = __import__(module)
    return {name: getattr(module, name) for name in dir(module)}
