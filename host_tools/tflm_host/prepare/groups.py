"""A group of nodes that runs row by row, acted out: what its tensors need.

group = Group(members, wanted)    members: see members.py

The schedule is that of firmware/tflm/groups.c: same decisions, without the bytes.
"""

from dataclasses import replace

from tflm.arena import align_up

FED = -2  # what makes a tensor whose rows come from outside, as in groups.c


class Group:
    """Nodes that run as one.

    members  in order;  first, last  nodes
    fed  a tensor that it reads, whose rows come from outside one by one; None: there is none
    tensors  what it reads, that one first, then what its members make, in order
    inputs, outputs  those of them that have a place of their own
    capacity  {tensor: rows that it needs room for}, of the others
    distances  {(output, input): bytes}, of the memory plan
    apart  {tensor, or -1 - node of a member: bits}: which tensors hold rows that are still
        needed while that one is made, or this member runs; bit[tensor] is a tensor's
    calls  {node: calls of its kernel}
    moved  bytes that slide to the front of their places, at most
    """

    def __init__(self, members, wanted, fed=None):
        """*wanted*: tensors that others than *members* read, or that are the model's outputs."""
        self.members = members
        self.fed = fed
        self.first, self.last = members[0].node, members[-1].node
        self._maker = {member.output: member for member in members}
        read = [t for member in members for t in member.inputs if t not in self._maker]
        self.inputs = [t for t in dict.fromkeys(read) if t != fed]
        self.outputs = [t for t in self._maker if t in wanted]
        given = [] if fed is None else [fed]
        self._made = given + list(self._maker)  # row by row
        self.tensors = [*given, *self.inputs, *self._maker]
        self.shapes = {t: shape for member in members for t, shape in member.shapes.items()}
        self._users = {
            t: [member for member in members if t in member.inputs] for t in self.tensors
        }
        self.capacity = {t: 0 for t in self._made if t not in self.outputs}
        self.distances = {
            (o, t): -align_up(self.nbytes(t)) for o in self.outputs for t in self.inputs
        }
        self.calls = dict.fromkeys([member.node for member in members], 0)
        self.moved = 0
        self.bit = {t: 1 << i for i, t in enumerate(self.tensors)}
        self.apart = dict.fromkeys([*self.capacity, *(-1 - m.node for m in members)], 0)
        self.schedule()

    def with_strips_doubled(self, numbers):
        """Return this group with calls of the members *numbers* that make twice the rows."""
        members = list(self.members)
        for i in numbers:
            strip = min(2 * members[i].strip, members[i].longest)
            members[i] = replace(members[i], strip=strip)
        return Group(members, self.outputs, self.fed)

    def neighbours(self, i):
        """Return the numbers of member *i*, of those that it reads, and of those that read it."""
        one = self.members[i]
        return [
            k
            for k, other in enumerate(self.members)
            if k == i or other.output in one.inputs or one.output in other.inputs
        ]

    def nbytes(self, tensor):
        shape = self.shapes[tensor]
        return shape.height * shape.nbytes

    def maker_number(self, tensor):
        """Return the number of the member that makes *tensor*, -1 where none does; FED."""
        if tensor == self.fed:
            return FED
        return self.members.index(self._maker[tensor]) if tensor in self._maker else -1

    def reader_numbers(self, tensor):
        """Return the numbers of the first and the last member that read *tensor*; (1, 0): none."""
        numbers = [self.members.index(member) for member in self._users[tensor]]
        return (min(numbers), max(numbers)) if numbers else (1, 0)

    def schedule(self):
        """Act the group out, to find the capacities and distances."""
        made = {t: 0 if t in self._made else self.shapes[t].height for t in self.tensors}
        needed = {t: self._needed(t, made) for t in self.tensors}
        live = 0
        for member, strip in self._turns(made):
            output = self.fed if member is None else member.output
            self._note(member, output, strip, made, needed[output])
            live |= self.bit[output]
            if output in self.apart:
                self.apart[output] |= live
            if member is not None:
                self.apart[-1 - member.node] |= live
                self.calls[member.node] += 1
            made[output] += strip
            read = member.inputs if member else ()
            for tensor in read:
                needed[tensor] = self._needed(tensor, made)
            for tensor in (output, *read):
                if needed[tensor] >= made[tensor]:
                    live &= ~self.bit[tensor]

    def _turns(self, made):
        """Yield the member that runs next, and its rows; None: a row is fed. The caller counts.

        Who waits for rows of another one waits below it on a stack.
        """
        for goal in reversed([self._maker[t] for t in self.outputs]):
            while made[goal.output] < goal.height:
                waiting = [(goal, min(goal.strip, goal.height - made[goal.output]))]
                while waiting:
                    member, strip = waiting[-1]
                    tensor, wanted = self._missing(member, strip, made)
                    if not wanted:
                        yield waiting.pop()
                    elif tensor == self.fed:
                        yield None, 1
                    else:
                        maker = self._maker[tensor]
                        # What fills no strip comes first: those behind it then are whole.
                        waiting.append((maker, (wanted - 1) % maker.strip + 1))

    def _missing(self, member, strip, made):
        """Return the first input that lacks rows for *strip* rows of *member*, and how many."""
        last = made[member.output] + strip - 1
        for tensor in member.inputs:
            wanted = member.end(last, tensor) - made[tensor]
            if wanted > 0:
                return tensor, wanted
        return None, 0

    def _needed(self, tensor, made):
        """Return the first row of *tensor* that is still to be read; its height: none."""
        first = self.shapes[tensor].height
        for user in self._users[tensor]:
            at = made[user.output]
            if at < self.shapes[user.output].height:
                first = min(first, user.low(at, tensor))
        return first

    def _note(self, member, output, strip, made, needed):
        """Note what *strip* rows more of *output* take; *needed*: the first row to be read."""
        if output in self.capacity:
            kept = made[output] - min(needed, made[output])
            self.capacity[output] = max(self.capacity[output], kept + strip)
            self.moved += kept * self.shapes[output].nbytes
            return
        row = self.shapes[output].nbytes
        for tensor in self.inputs:
            late = self._late(member, strip, made, tensor, row)
            self.distances[output, tensor] = max(self.distances[output, tensor], late)

    def _late(self, member, strip, made, tensor, row):
        """Return by how many bytes *member*'s next strip outruns the first unread of *tensor*."""
        first, (height, width) = made[member.output], self._size(tensor)
        others = [u for u in self._users[tensor] if u is not member]
        lows = [u.low(made[u.output], tensor) for u in others if made[u.output] < u.height]
        late, written = -align_up(height * width), (first + strip) * row
        if member.sums:  # it writes everything at the end, when it has read all
            written = member.sums
            lows = lows if first + strip == member.height else []
        if min(lows, default=height) < height:
            late = written - min(lows) * width
        if tensor not in member.inputs or member.sums:
            return late
        for y in range(first, first + strip):
            # Element by element, each is read before its result is written.
            ahead = 0 if member.elements and row == width else 1
            ahead = first + strip - y if member.is_mixed else ahead
            low = member.low(y, tensor)
            if low < height:  # else it reads none
                late = max(late, (y + ahead) * row - low * width)
        return late

    def _size(self, tensor):
        """Return the rows of *tensor*, and the bytes of one."""
        return self.shapes[tensor].height, self.shapes[tensor].nbytes
