"""Parts of a long list of models, each of which a board takes as one file."""


def batches(items, room, size_of, at_once=None):
    """Yield lists of the *items* in order: each has *at_once* of them at most, None: any number.

    size_of  function of an item that returns the bytes it takes of a file. A list takes *room*
             bytes or less, unless it is one item that is larger
    """
    batch, size = [], 0
    for item in items:
        nbytes = size_of(item)
        if batch and (size + nbytes > room or len(batch) == at_once):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += nbytes
    if batch:
        yield batch
