"""Modules that firmware leaves out, because flash is short: files that mip wrote to the board."""

import sys


def imported(package, module, name):
    """Return *name* of a module of *package*, such as "tflm.detect", frozen or from a file.

    The files lie in folders of `sys.path` as they lie in the clone.
    """
    holder = sys.modules[package]
    first = holder.__path__
    folder = "/" + package.replace(".", "/")
    for place in [first] + [path + folder for path in sys.path]:
        holder.__path__ = place
        try:
            return getattr(__import__(package + "." + module, None, None, (name,)), name)
        except ImportError:
            pass
        finally:
            holder.__path__ = first  # of the other modules of the package
    raise ImportError(
        "%s is not in this firmware: on the PC, mpremote mip install build/package/ARCH/%s.json"
        % (name, package.split(".")[-1] if "." in package else module)
    )
