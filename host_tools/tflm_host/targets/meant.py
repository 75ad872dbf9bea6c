"""The nearest known name for one that a user mistyped."""

from difflib import get_close_matches


def meant(name, known):
    """Return " Did you mean ...?" for the nearest of *known*, "" where none is near."""
    names = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), names, n=1)
    return f" Did you mean {names[near[0]]}?" if near else ""
