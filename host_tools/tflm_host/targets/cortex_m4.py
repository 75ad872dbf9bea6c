"""A Cortex-M4F: PyPI's Unicorn executes instructions, the rest of the core is here.

That are exceptions and their priorities, the interrupt controller, SysTick and the cycle counter.
An instruction counts as one cycle, and interrupts are taken between slices of instructions: time
is not modelled. Only the main stack is. A subclass maps memories and has the interrupts' sources.

Source: ARMv7-M Architecture Reference Manual, DDI 0403E, B1.5 and B3.
"""

import struct

from .registers import Registers
from .repl import TargetError

try:
    import unicorn
    from unicorn import arm_const as arm
except ImportError:  # it comes with the extra `test` only
    unicorn = arm = None

MISSING = "Unicorn executes this board's firmware and is missing: pip install unicorn"
HARD_FAULT, SVCALL, PENDSV, SYSTICK, FIRST_IRQ = 3, 11, 14, 15, 16
SLICE = 8192  # instructions between two looks at interrupts, at most
SHORT = 64  # that a slice counts as which an exception ended
NOWHERE = 0xFFFFFFFE  # no address at which to stop
RETURNS = 0xFFFFFFE0  # and above: not an address, but the return from an exception
RETURN_WITH_FP, NO_FP_SAVED = 0xFFFFFFE9, 0x10
ALIGNED = 1 << 9  # of a saved xPSR: the frame begins 4 bytes below the stack
FLAGS = 0xFF0FFC00 & ~ALIGNED  # of a saved xPSR
WFI = 0xBF30
SEMIHOSTING = 0xBEAB  # a breakpoint with the number of a call in R0
EXITS = 0x18, 0x20
# Numbers of Unicorn's interrupts.
SUPERVISOR_CALL, BREAKPOINT, EXCEPTION_RETURN = 2, 7, 8

SYSTEM, SYSTEM_SIZE = 0xE0000000, 0x100000
CYCCNT = 0xE0001004
SYST_CSR, SYST_RVR, SYST_CVR = 0xE000E010, 0xE000E014, 0xE000E018
TICK_ON, TICK_INTERRUPT, TICK_WRAPPED = 1, 2, 1 << 16
ENABLE, DISABLE, PEND, UNPEND = 0xE000E100, 0xE000E180, 0xE000E200, 0xE000E280
IRQ_WORDS = 8
PRIORITIES = 0xE000E400
CPUID, ICSR, VTOR, AIRCR = 0xE000ED00, 0xE000ED04, 0xE000ED08, 0xE000ED0C
SYSTEM_PRIORITIES = 0xE000ED18 - 4  # a byte for each exception, from number 4 on
CORTEX_M4 = 0x410FC241
AIRCR_KEY, RESET_REQUEST = 0x05FA0000, 1 << 2
PENDSV_SET, PENDSV_CLEAR, TICK_SET, TICK_CLEAR = 1 << 28, 1 << 27, 1 << 26, 1 << 25
NO_PRIORITY = 256


class CortexM4:
    def __init__(self):
        if unicorn is None:
            raise TargetError(MISSING)
        self.uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M4)
        self.uc.hook_add(unicorn.UC_HOOK_INTR, self._interrupted)
        self.registers = Registers()
        self.map_registers(SYSTEM, SYSTEM_SIZE)
        self._add_system_registers()
        self.vectors = 0  # where they are after a reset
        self.stopped = None  # why the chip runs no more
        self.pc = 0
        self.cycles = 0
        self.exceptions = 0  # that were taken

    def map_registers(self, base, size):
        found = self.registers
        self.uc.mmio_map(base, size, found.load, base, found.store, base)

    def reset(self):
        """Start from the reset vector. Memories keep what they hold."""
        self.pending, self._enabled = set(), set()
        self._active = []  # pairs (exception, priority), the latest last
        self._tick_at = None  # cycle at which SysTick wraps
        self._reset_asked = False
        self.registers.reset({CPUID: CORTEX_M4, VTOR: self.vectors, **self.reset_words()})
        for name in ("PRIMASK", "BASEPRI", "FAULTMASK", "IPSR", "CONTROL"):
            self._set(name, 0)
        stack, self.pc = struct.unpack("<2I", self.uc.mem_read(self.vectors, 8))
        self._set("SP", stack)

    def reset_words(self):
        """Return {address: value after a reset} of a subclass's registers."""
        return {}

    def levels(self):
        """Return the numbers of the exceptions that a subclass's peripherals hold up now."""
        return ()

    def step(self):
        """Run some instructions; return whether the core sleeps, for want of interrupts."""
        self._take_interrupt()
        count = SLICE
        if self._tick_at is not None:
            count = max(1, min(SLICE, self._tick_at - self.cycles))
        self._is_short = False
        has_ended = self._run(count)
        self.cycles += min(count, SHORT) if self._is_short else count
        if self._reset_asked:
            self.reset()
            return False
        return has_ended and self._is_asleep()

    def stop_short(self):
        """End the slice of instructions that runs; how many it had is not known."""
        self._is_short = True
        self.uc.emu_stop()

    def _run(self, count):
        """Run *count* instructions at most; return whether no exception ended them."""
        self._number = None
        try:
            self.uc.emu_start(self.pc | 1, NOWHERE, count=count)
        except unicorn.UcError as error:
            self._fail(str(error))
            return False
        self.pc = self._get("PC")
        if self._number is not None:
            self._raise(self._number)
        return self._number is None

    # Exceptions

    def _interrupted(self, _uc, number, _data):
        self._number = number
        self.stop_short()

    def _fail(self, why):
        """Deal with an address that is none: the return from an exception, or a bus fault."""
        self._is_short = True
        self.pc = self._get("PC")
        if self.pc >= RETURNS and self._active:
            self._leave()
        else:
            self._fault(why)

    def _raise(self, number):
        """Deal with an interrupt of Unicorn, at the instruction that caused it."""
        if number == EXCEPTION_RETURN or (self.pc >= RETURNS and self._active):
            self._leave()
        elif number == BREAKPOINT:
            self._stop_at_breakpoint()
        elif number == SUPERVISOR_CALL:
            self._enter(SVCALL)
        else:
            self._fault(f"exception {number}")

    def _stop_at_breakpoint(self):
        """Stop; but a call of semihosting other than an exit fails, and the program goes on."""
        (code,) = struct.unpack("<H", self.uc.mem_read(self.pc & ~1, 2))
        if code != SEMIHOSTING or self._get("R0") in EXITS:
            self.stopped = f"it ended at {self.pc:#x}"
            return
        self._set("R0", 0xFFFFFFFF)  # that failed
        self.pc += 2

    def _fault(self, why):
        if any(exception == HARD_FAULT for exception, _ in self._active):
            self.stopped = f"it locked up at {self.pc:#x}: {why}"
            return
        self._enter(HARD_FAULT)

    def _enter(self, exception):
        """Save a frame with the FPU's registers, as the core does once a program has used it."""
        stack = self._get("SP")
        frame = stack - 104 & ~7
        status = self._get("XPSR") | 1 << 24 | (ALIGNED if stack & 4 else 0)
        words = [self._get(name) for name in ("R0", "R1", "R2", "R3", "R12", "LR")]
        words += [self.pc & ~1, status, *self._floats(), self._get("FPSCR"), 0]
        self.uc.mem_write(frame, struct.pack("<26I", *words))
        self._set("SP", frame)
        self._set("LR", RETURN_WITH_FP if not self._active else RETURN_WITH_FP & ~8)
        self._active.append((exception, self._priority(exception)))
        self._set("IPSR", exception)
        self.exceptions += 1
        vector = self.registers[VTOR] + 4 * exception
        (self.pc,) = struct.unpack("<I", self.uc.mem_read(vector, 4))

    def _leave(self):
        frame = self._get("SP")
        words = struct.unpack("<26I", self.uc.mem_read(frame, 104))
        for name, value in zip(("R0", "R1", "R2", "R3", "R12", "LR"), words[:6], strict=True):
            self._set(name, value)
        for i, value in enumerate(words[8:24]):
            self.uc.reg_write(arm.UC_ARM_REG_S0 + i, value)
        self._set("FPSCR", words[24])
        self._active.pop()
        self._set("SP", frame + 104 + (4 if words[7] & ALIGNED else 0))
        self._set("XPSR", words[7] & FLAGS)
        self._set("IPSR", self._active[-1][0] if self._active else 0)
        self.pc = words[6]

    def _floats(self):
        return [self.uc.reg_read(arm.UC_ARM_REG_S0 + i) for i in range(16)]

    def _get(self, name):
        return self.uc.reg_read(getattr(arm, f"UC_ARM_REG_{name}"))

    def _set(self, name, value):
        self.uc.reg_write(getattr(arm, f"UC_ARM_REG_{name}"), value)

    # Interrupts

    def _take_interrupt(self):
        self._tick()
        exception = self._ready()
        if exception is None or self._get("PRIMASK") & 1:
            return
        masked = self._get("BASEPRI") or NO_PRIORITY
        if self._priority(exception) < min([masked, *(p for _, p in self._active)]):
            self.pending.discard(exception)
            self._enter(exception)

    def _ready(self):
        """Return the pending exception of the highest priority, None without one."""
        found = self.pending | set(self.levels())
        found = [n for n in found if n < FIRST_IRQ or n in self._enabled]
        return min(found, key=lambda n: (self._priority(n), n), default=None)

    def _priority(self, exception):
        if exception < 4:
            return exception - 4  # fixed, above all others
        irq = exception - FIRST_IRQ
        address = PRIORITIES + irq if irq >= 0 else SYSTEM_PRIORITIES + exception
        return self.registers[address & ~3] >> 8 * (address & 3) & 0xFF

    def _tick(self):
        if self._tick_at is None or self.cycles < self._tick_at:
            return
        period = self.registers[SYST_RVR] + 1
        self._tick_at += period * ((self.cycles - self._tick_at) // period + 1)
        control = self.registers[SYST_CSR]
        self.registers[SYST_CSR] = control | TICK_WRAPPED
        if control & TICK_INTERRUPT:
            self.pending.add(SYSTICK)

    def _is_asleep(self):
        """Return whether the core waits for an interrupt; its clock goes on to SysTick's next."""
        if self.stopped or self.pc < 2 or self.pc >= RETURNS or self._ready() is not None:
            return False
        if struct.unpack("<H", self.uc.mem_read((self.pc & ~1) - 2, 2))[0] != WFI:
            return False
        if self._tick_at is not None:
            self.cycles = max(self.cycles, self._tick_at)
        return True

    # Registers

    def _add_system_registers(self):
        reads, writes = self.registers.reads, self.registers.writes
        for i in range(IRQ_WORDS):
            first = FIRST_IRQ + 32 * i
            for base, found, change in (
                (ENABLE, "_enabled", set.update),
                (DISABLE, "_enabled", set.difference_update),
                (PEND, "pending", set.update),
                (UNPEND, "pending", set.difference_update),
            ):
                reads[base + 4 * i] = lambda _, found=found, first=first: _bits(
                    getattr(self, found), first
                )
                writes[base + 4 * i] = lambda value, found=found, first=first, change=change: (
                    change(getattr(self, found), _numbers(value, first)) or 0
                )
        reads[CYCCNT] = lambda _: self.cycles
        reads[SYST_CSR], writes[SYST_CSR] = self._read_tick_control, self._start_tick
        reads[SYST_CVR], writes[SYST_CVR] = self._tick_left, self._restart_tick
        reads[ICSR], writes[ICSR] = self._read_state, self._write_state
        writes[AIRCR] = self._ask_for_reset

    def _read_tick_control(self, value):
        self.registers[SYST_CSR] = value & ~TICK_WRAPPED
        return value

    def _start_tick(self, value):
        was_on = self._tick_at is not None
        if not value & TICK_ON:
            self._tick_at = None
        elif not was_on:
            self._tick_at = self.cycles + self.registers[SYST_RVR] + 1
        return value & ~TICK_WRAPPED

    def _restart_tick(self, _value):
        if self._tick_at is not None:
            self._tick_at = self.cycles + self.registers[SYST_RVR] + 1
        return 0

    def _tick_left(self, _value):
        if self._tick_at is None:
            return 0
        return max(0, self._tick_at - self.cycles) % (self.registers[SYST_RVR] + 1)

    def _read_state(self, _value):
        pending = (PENDSV_SET if PENDSV in self.pending else 0) | (
            TICK_SET if SYSTICK in self.pending else 0
        )
        return pending | (self._active[-1][0] if self._active else 0)

    def _write_state(self, value):
        for bit, exception in ((PENDSV_SET, PENDSV), (TICK_SET, SYSTICK)):
            if value & bit:
                self.pending.add(exception)
                self.stop_short()  # so that it is taken at once
        for bit, exception in ((PENDSV_CLEAR, PENDSV), (TICK_CLEAR, SYSTICK)):
            if value & bit:
                self.pending.discard(exception)
        return 0

    def _ask_for_reset(self, value):
        if value & 0xFFFF0000 == AIRCR_KEY and value & RESET_REQUEST:
            self._reset_asked = True
            self.stop_short()
        return value & 0xFFFF & ~RESET_REQUEST | 0xFA050000


def _bits(exceptions, first):
    """Return the word whose bit i says whether exception *first* + i is among *exceptions*."""
    return sum(1 << n - first for n in exceptions if first <= n < first + 32)


def _numbers(value, first):
    return [first + i for i in range(32) if value >> i & 1]
