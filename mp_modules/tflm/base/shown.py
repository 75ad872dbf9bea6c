"""The common __repr__ of this package's classes."""


def show(self):
    """Be the __repr__ of a class of ours; how to show what is imported on first use."""
    try:
        from .reprs import shown
    except ImportError:  # firmware without the service `report`
        return "<%s>" % type(self).__name__
    return shown(self)
