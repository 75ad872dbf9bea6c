"""Memory-mapped registers of an emulated chip: words, some with functions behind them."""

WORD = 0xFFFFFFFF


class Registers:
    """Words by their address. A word without a function reads back the value written last.

    reads   {address: function}: from the stored value to the one that the core reads
    writes  {address: function}: from the value that the core writes to the one that is stored
    """

    def __init__(self):
        self.reads, self.writes = {}, {}
        self._words = {}

    def reset(self, words):
        """Forget what was written; *words*: {address: value after a reset}, if not 0."""
        self._words = dict(words)

    def __getitem__(self, address):
        return self._words.get(address, 0)

    def __setitem__(self, address, value):
        self._words[address] = value & WORD

    def word(self, address):
        """Return what the core reads at *address*, a multiple of 4."""
        stored, read = self[address], self.reads.get(address)
        return stored if read is None else read(stored) & WORD

    def put(self, address, value):
        """Write a word as the core does."""
        write = self.writes.get(address)
        self[address] = value if write is None else write(value)

    # The callbacks of a region at address *base*: 1, 2 or 4 bytes that lie in one word.

    def load(self, _uc, offset, size, base):
        address = base + offset
        return self.word(address & ~3) >> 8 * (address & 3) & (1 << 8 * size) - 1

    def store(self, _uc, offset, size, value, base):
        address = base + offset
        shift, mask = 8 * (address & 3), (1 << 8 * size) - 1
        if size < 4:
            value = self[address & ~3] & ~(mask << shift) | (value & mask) << shift
        self.put(address & ~3, value)

    # The callbacks of bit-banding: each bit of a peripheral at 0x40000000 is a word of its own.

    def load_bit(self, _uc, offset, _size, base):
        return self.word(base + (offset >> 7) * 4) >> (offset >> 2 & 31) & 1

    def store_bit(self, _uc, offset, _size, value, base):
        address, bit = base + (offset >> 7) * 4, offset >> 2 & 31
        self.put(address, self[address] & ~(1 << bit) | (value & 1) << bit)
