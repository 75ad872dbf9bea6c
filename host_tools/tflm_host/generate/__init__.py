"""Files derived from the rows of the operators' families, at build time and into build/.

    from tflm_host.generate import write_headers
    python3 -m tflm_host.generate    every file that a firmware needs, into build/generated

The rows are in mp_modules/tflm/ops: see collect.py there. Firmware and the kernels of this machine
are built from the results; none of them is in git. This package needs only Python, before anything
else is installed.
"""

from pathlib import Path

from ..places import BUILD
from .audio_tables import audio_tables_h
from .c_files import adapters_h, layout_h, shapes_h, slices_h
from .files import write
from .rows import PACKAGE, layout, rows

FOLDER = Path(__file__).parent
GENERATED = "generated"  # as C includes it
ALL = BUILD / GENERATED


def headers():
    """Return {name: text} of the headers of kernels and runner."""
    found = rows()
    return {
        "layout.h": layout_h(layout(), found),
        "adapters.h": adapters_h(found),
        "slices.h": slices_h(found),
        "audio_tables.h": audio_tables_h(),
        "shapes.h": shapes_h(found),
    }


def sources_of_headers():
    """Return the files that decide what headers() gives: whoever keeps it compares these."""
    read = [*sorted((PACKAGE / "ops").glob("*.py")), PACKAGE / "base" / "layout.py"]
    return [*read, *sorted(FOLDER.rglob("*.py"))]


def write_headers(folder):
    """Write changed headers to *folder*/generated."""
    write(folder / GENERATED, headers())
