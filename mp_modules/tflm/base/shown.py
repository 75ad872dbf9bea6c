"""The common __repr__ of this package's classes."""


def show(self):
    """Be the __repr__ of a class of ours; how to show what is imported on first use."""
    from .reprs import shown

    return shown(self)
