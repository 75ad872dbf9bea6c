"""The flash of an STM32F4, as its controller lets a program write it.

Erased bytes are 0xFF, and programming clears bits only. Nothing is written before the two keys.
If `operations_left` is a number, the power fails at the operation after that many.

Source: ST RM0390, 3.5 to 3.8.
"""

KEYR, SR, CR = 0x40023C04, 0x40023C0C, 0x40023C10
KEYS = 0x45670123, 0xCDEF89AB
LOCK, START, PROGRAM, ERASE_SECTOR, ERASE_ALL = 1 << 31, 1 << 16, 1, 1 << 1, 1 << 2
SECTOR_SHIFT, SECTOR_MASK = 3, 15
END_OF_OPERATION, PROTECTION_ERROR, SEQUENCE_ERROR, BUSY = 1, 1 << 4, 1 << 7, 1 << 16
KB = 1024
ERASED = b"\xff"


class Flash:
    """The flash of *chip*.

    sectors       KB of each
    on_power_cut  a function that is called where the power fails
    """

    def __init__(self, chip, base, sectors, on_power_cut):
        self.base, self.size = base, KB * sum(sectors)
        self.programmed = 0  # writes of a program, 1 to 4 bytes each
        self.erased = []  # numbers of sectors, in order
        self.operations_left = None  # before the power fails; None: it does not
        self._sectors = sectors
        self._uc, self._registers = chip.uc, chip.registers
        self._on_power_cut = on_power_cut
        self._keys = 0
        writes = self._registers.writes
        writes[KEYR], writes[SR], writes[CR] = self._unlock, self._clear, self._control
        self._registers.reads[SR] = lambda value: value & ~BUSY

    def reset(self):
        self._keys = 0

    def program(self, _uc, _access, address, size, value, _data):
        """Let the core write *size* bytes at *address*, which the memory map protects."""
        control = self._registers[CR]
        if control & LOCK or not control & PROGRAM:
            self._registers[SR] |= SEQUENCE_ERROR
        elif self._has_power():
            old = int.from_bytes(self._uc.mem_read(address, size), "little")
            left = old & value & (1 << 8 * size) - 1
            self._uc.mem_write(address, left.to_bytes(size, "little"))
            self.programmed += 1
            self._registers[SR] |= END_OF_OPERATION
        return True

    def _has_power(self):
        if self.operations_left is None:
            return True
        if self.operations_left == 0:
            self._on_power_cut()
            return False
        self.operations_left -= 1
        return True

    def _unlock(self, value):
        """Take a key; a wrong one locks the controller until a reset."""
        if self._keys is None or value != KEYS[self._keys]:
            self._keys = None
        else:
            self._keys += 1
            if self._keys == len(KEYS):
                self._registers[CR] &= ~LOCK
                self._keys = 0
        return 0

    def _clear(self, value):
        return self._registers[SR] & ~value

    def _control(self, value):
        old = self._registers[CR]
        if old & LOCK:
            return old
        if value & START:
            if value & ERASE_SECTOR:
                self._erase(value >> SECTOR_SHIFT & SECTOR_MASK)
            elif value & ERASE_ALL:
                self._registers[SR] |= PROTECTION_ERROR  # no firmware of ours does it
        return value & ~START

    def _erase(self, number):
        if number >= len(self._sectors):
            self._registers[SR] |= PROTECTION_ERROR
            return
        start = self.base + KB * sum(self._sectors[:number])
        size = KB * self._sectors[number]
        if not self._has_power():
            size //= 2  # an erase that ends early leaves a part as it was
        else:
            self.erased.append(number)
            self._registers[SR] |= END_OF_OPERATION
        self._uc.mem_write(start, ERASED * size)
