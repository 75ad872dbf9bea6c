"""The exceptions of tflm. Each message names the place, the expected and the actual value."""

ABORT = object()  # what an operator's invoke returns to end the run: no error


class ModelError(ValueError):
    """The model is malformed, or this runtime refuses its contents."""


class UnsupportedOpError(ModelError):
    """The model needs operators, versions or types that this build does not have."""


class ArenaError(MemoryError):
    """The arena is too small; sizes in bytes."""

    def __init__(self, what, requested, available):
        super().__init__(
            message_of("%s: %d bytes requested, %d available, %d missing")
            % (what, requested, available, requested - available)
        )
        self.requested = requested
        self.available = available
        self.missing = requested - available


class StateError(RuntimeError):
    """A call that the present state (init, prepare, memory planning, invoke) does not allow."""


def message_of(message):
    """Return the text of *message*, a number where firmware has it packed."""
    return message
