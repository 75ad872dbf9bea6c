"""Format names, numbers and the frame of a page. Runs on MicroPython, too, for the web page."""

ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
# What is no text, where the Python at hand does not know: controls, marks of direction, surrogates
UNSEEN = ((0, 0x20), (0x7F, 0xA1), (0x200B, 0x2010), (0x2028, 0x2030), (0x2060, 0x2070))
UNSEEN += ((0xD800, 0xF900), (0xFE00, 0xFE10), (0xFEFF, 0xFF00), (0xFFF0, 0x10000))
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
{body}
</html>
"""


def page(title, style, body):
    """Return an HTML page of its own; *title* and *body* are HTML, too."""
    return PAGE.format(title=title, style=style, body=body)


def visible(text, breaks=False):
    """Return *text* with escapes for characters that do not print, such as \\x1b.

    breaks  True: line breaks stay line breaks
    """
    kept = "\n" if breaks else ""
    return "".join([c if _prints(c) or c in kept else repr(c)[1:-1] for c in text])


def _prints(c):
    if hasattr(c, "isprintable"):
        return c.isprintable()
    return not any(low <= ord(c) < high for low, high in UNSEEN)


def escape(text):
    """Return *text*, which may be a name from a model, for an element or attribute of HTML."""
    text = visible(text)
    for character, entity in ESCAPES:
        text = text.replace(character, entity)
    return text


def number(value):
    return f"{value:,}"


def short(name, length=48):
    """Return a tensor's name cut for display: converters join the names of all fused ops."""
    name = (name or "").rsplit(";", 1)[-1]
    return name if len(name) <= length else "..." + name[3 - length :]
