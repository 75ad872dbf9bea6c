"""Requests to an arena and the bytes that they took, by kind and by node."""


class Recording:
    """Requested and used bytes of every allocation of one arena.

    Used bytes are requested bytes plus the cost of alignment. Temps are freed again. Their rows
    have the sum of all requests; `peak` of the arena has the bytes in use at once.
    """

    def __init__(self):
        self._kinds = {}  # kind -> [requested, used, count]
        self._nodes = {}  # (subgraph, node) -> used bytes of its persistent buffers

    def add(self, kind, requested, used, node):
        """Count one allocation of *kind* for *node* ((subgraph, node) indices, or None)."""
        row = self._kinds.setdefault(kind, [0, 0, 0])
        row[0] += requested
        row[1] += used
        row[2] += 1
        if node is not None and kind != "temp":
            self._nodes[node] = self._nodes.get(node, 0) + used

    def rows(self):
        """Return [(kind, requested, used, count)], in the order of first use."""
        return [(kind, row[0], row[1], row[2]) for kind, row in self._kinds.items()]

    def node_bytes(self, node):
        """Return the used persistent bytes of *node*, (subgraph, node) indices."""
        return self._nodes.get(node, 0)
