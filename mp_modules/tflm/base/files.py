"""Modules that firmware leaves out, because flash is short: files that mip wrote to the board."""

import sys


def later(module, name, *places):
    """Return *name*, which *module* takes from others; each of *places* is one and its names."""
    for place in places:
        if name in place[1:]:
            return imported("tflm", place[0], name)
    raise AttributeError("module '%s' has no attribute '%s'" % (module, name))


def imported(package, module, name):
    """Return *name* of a module of *package*, such as "tflm.detect", frozen or from a file.

    The files lie in folders of `sys.path` as they lie in the clone. A package below tflm whose
    modules are files has this folder from then on.
    """
    holder = sys.modules[package]
    first = holder.__path__
    folder = "/" + package.replace(".", "/")
    for place in [first] + [path + folder for path in sys.path]:
        holder.__path__ = place
        try:
            found = getattr(__import__(package + "." + module, None, None, (name,)), name)
            if "." in package:
                first = place
            return found
        except ImportError:
            pass
        finally:
            holder.__path__ = first
    raise ImportError(
        "%s is not in this firmware: on the PC, mpremote mip install build/package/ARCH/%s.json"
        % (name, package.split(".")[-1] if "." in package else module)
    )
