"""How generated files are written: in one step each, and only where they differ."""

import os


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
