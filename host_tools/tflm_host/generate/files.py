"""Write generated files: each in one step, and only if its contents change."""

import os
from contextlib import contextmanager


def write(folder, texts):
    """Write {name: text} to *folder*. Several builds may write the same at one time."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / name
        if path.exists() and path.read_text() == text:
            continue
        own = folder / f"{name}.{os.getpid()}"
        own.write_text(text)
        own.replace(path)


@contextmanager
def locked(path):
    """Hold the lock file *path*: one process at a time does what stands inside."""
    try:
        import fcntl  # only Unix has it
    except ImportError:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
