"""An extension of griffe: the project's docstrings as Markdown."""

import griffe

from tflm_host.cli.docstring_text import as_markdown


class Docstrings(griffe.Extension):
    """Rewrites each docstring when griffe has read it."""

    def on_instance(self, *, obj, **_):
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
