"""An STM32F4 around cortex_m4.py: memories, clocks, flash, and a serial port.

Ready bits that the port's start waits for are set. All other registers read back the value written
last. So a program that waits for a peripheral that is not here waits for ever.

Source: ST RM0090 (F405), RM0383 (F411), RM0390 (F446).
"""

import struct
from dataclasses import dataclass

from . import stm32_flash
from .cortex_m4 import FIRST_IRQ, CortexM4, unicorn
from .stm32_flash import ERASED, Flash

KB = 1024
FLASH, CCM, SYSTEM_MEMORY, RAM = 0x08000000, 0x10000000, 0x1FFF0000, 0x20000000
UNIQUE_ID, FLASH_KB = 0x1FFF7A10, 0x1FFF7A22
PERIPHERALS = (0x40000000, 0x80000), (0x50000000, 0x61000)
BIT_BAND, BIT_BAND_SIZE, BIT_BAND_OF = 0x42000000, 0x2000000, 0x40000000
DBGMCU_IDCODE = 0xE0042000
PT_LOAD = 1

PWR_CR, PWR_CSR = 0x40007000, 0x40007004
RCC_CR, RCC_CFGR, RCC_BDCR, RCC_CSR = 0x40023800, 0x40023808, 0x40023870, 0x40023874
RTC_ISR = 0x4000280C
RNG_SR, RNG_DR = 0x50060804, 0x50060808
GPIO, PORTS, PORT_STEP, IDR = 0x40020000, 9, 0x400, 0x10
OSCILLATORS = 0x15010001  # bits of RCC_CR that switch one on; the next bit says that it is ready
VOLTAGE_READY, OVER_DRIVE = 1 << 14, 3 << 16
# Of a USART: registers, and bits of its status and of its first control register.
STATUS, DATA, CONTROL = 0x00, 0x04, 0x0C
SENT, CAN_SEND, HAS_RECEIVED = 1 << 6, 1 << 7, 1 << 5
INTERRUPT_RECEIVED, INTERRUPT_CAN_SEND = 1 << 5, 1 << 7

F4_SECTORS = (16, 16, 16, 16, 64)


@dataclass(frozen=True)
class Part:
    sectors: tuple  # KB of each sector of the flash
    ram_kb: int
    ccm_kb: int
    idcode: int
    usart: int  # address of the serial port
    irq: int  # number of its interrupt


F405 = Part((*F4_SECTORS, *[128] * 7), 128, 64, 0x10076413, 0x40011000, 37)
F446 = Part((*F4_SECTORS, *[128] * 3), 128, 0, 0x10006421, 0x40004400, 38)
F411 = Part((*F4_SECTORS, *[128] * 3), 128, 0, 0x10006431, 0x40011000, 37)
PARTS = {
    "NUCLEO_F446RE": F446,
    "WEACT_F411_BLACKPILL": F411,
    **dict.fromkeys(("PYBV11", "NETDUINOPLUS2", "QEMU_F405"), F405),
}


class Stm32F4(CortexM4):
    """A chip without a program: load() one, then power_on()."""

    def __init__(self, part):
        super().__init__()
        self.part = part
        self.received = bytearray()  # for the serial port
        self.sent = bytearray()  # by it
        self._random = 1
        self.vectors = FLASH
        self.flash = Flash(self, FLASH, part.sectors, self._lose_power)
        self._map_memories()
        self._add_registers()

    def load(self, elf):
        """Put the firmware *elf* (bytes) where it lies in flash."""
        (table,) = struct.unpack_from("<I", elf, 28)
        size, count = struct.unpack_from("<HH", elf, 42)
        for i in range(count):
            kind, offset, _, address, nbytes = struct.unpack_from("<5I", elf, table + i * size)
            if kind == PT_LOAD and nbytes:
                self.uc.mem_write(address, elf[offset : offset + nbytes])

    def power_on(self):
        """Start with empty RAM. The flash has what was last written."""
        self.stopped = None
        self.flash.operations_left = None
        self.uc.mem_write(RAM, bytes(self.part.ram_kb * KB))
        self.received.clear()
        self.sent.clear()
        self.reset()

    def reset(self):
        self.flash.reset()
        super().reset()

    def reset_words(self):
        return {DBGMCU_IDCODE: self.part.idcode, RCC_CR: 0x83, stm32_flash.CR: stm32_flash.LOCK}

    def levels(self):
        control = self.registers[self.part.usart + CONTROL]
        has_cause = (self.received and control & INTERRUPT_RECEIVED) or (
            control & INTERRUPT_CAN_SEND
        )
        return (FIRST_IRQ + self.part.irq,) if has_cause else ()

    def _lose_power(self):
        self.stopped = "the power failed"
        self.stop_short()

    def _map_memories(self):
        part, uc = self.part, self.uc
        uc.mem_map(FLASH, self.flash.size, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC)
        uc.mem_write(FLASH, ERASED * self.flash.size)
        uc.hook_add(
            unicorn.UC_HOOK_MEM_WRITE_PROT,
            self.flash.program,
            begin=FLASH,
            end=FLASH + self.flash.size - 1,
        )
        uc.mem_map(RAM, part.ram_kb * KB)
        if part.ccm_kb:
            uc.mem_map(CCM, part.ccm_kb * KB)
        uc.mem_map(SYSTEM_MEMORY, 64 * KB)
        uc.mem_write(UNIQUE_ID, b"emulated F4!")
        uc.mem_write(FLASH_KB, struct.pack("<H", self.flash.size // KB))
        for base, size in PERIPHERALS:
            self.map_registers(base, size)
        found = self.registers
        of = BIT_BAND_OF
        uc.mmio_map(BIT_BAND, BIT_BAND_SIZE, found.load_bit, of, found.store_bit, of)

    def _add_registers(self):
        reads, writes = self.registers.reads, self.registers.writes
        reads[RCC_CR] = lambda value: value | (value & OSCILLATORS) << 1
        reads[RCC_CFGR] = lambda value: value & ~0xC | (value & 3) << 2  # the clock in use
        reads[RCC_BDCR] = reads[RCC_CSR] = lambda value: value | (value & 1) << 1
        reads[PWR_CSR] = lambda value: value | VOLTAGE_READY | self.registers[PWR_CR] & OVER_DRIVE
        reads[RTC_ISR] = lambda value: value | 0x27 | (value & 0x80) >> 1  # in step, may be set
        reads[RNG_SR] = lambda _: 1
        reads[RNG_DR] = self._draw
        for port in range(PORTS):
            reads[GPIO + port * PORT_STEP + IDR] = lambda _: 0xFFFF  # inputs are pulled up
        usart = self.part.usart
        reads[usart + STATUS] = self._status
        reads[usart + DATA] = lambda _: self.received.pop(0) if self.received else 0
        writes[usart + DATA] = self._send

    def _status(self, _value):
        """Return the status. A byte whose interrupt is still to be taken is not there yet.

        On the chip the handler has it before the next instruction. A program that took it here,
        between two slices of instructions, would get bytes in another order.
        """
        waits = self.registers[self.part.usart + CONTROL] & INTERRUPT_RECEIVED and not self._active
        return SENT | CAN_SEND | (HAS_RECEIVED if self.received and not waits else 0)

    def _send(self, value):
        self.sent.append(value & 0xFF)
        return 0

    def _draw(self, _value):
        self._random = self._random * 1103515245 + 12345 & 0xFFFFFFFF
        return self._random
