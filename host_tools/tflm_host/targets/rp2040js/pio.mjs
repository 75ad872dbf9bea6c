// State machines of the emulated RP2040's PIO, and devices at its pins, in time with the core.

const LARGEST_DIVIDER = 65536; // which the register writes as 0

// rp2040js steps PIO as fast as the host can, whatever its clock dividers say. Here an instruction
// of a state machine takes divider * (1 + delay) cycles of the chip.
export class PioClock {
  constructor(chip) {
    this.pios = chip.pio;
    this.now = 0; // cycles
    this.next = 0; // when the first of the machines is to take a step
    this.timed = [];
    for (const pio of chip.pio) {
      pio.run = () => {}; // called where the chip starts the first machine
      for (const machine of pio.machines) this.add(new StateMachine(pio, machine));
    }
  }

  // unit: isOn, and step(), which returns the cycles to its next step
  add(unit) {
    this.timed.push({ unit, due: 0 });
  }

  get isRunning() {
    return !(this.pios[0].stopped && this.pios[1].stopped);
  }

  // Let so many cycles pass. A machine that starts takes its first step with the next one of those
  // that run, so at most one of their instructions later than on silicon.
  advance(cycles) {
    this.now += cycles;
    if (this.now < this.next) return;
    this.next = Infinity;
    for (const timed of this.timed) {
      const { unit } = timed;
      if (!unit.isOn) {
        timed.due = 0;
        continue;
      }
      if (timed.due === 0) timed.due = this.now;
      while (timed.due <= this.now && unit.isOn) timed.due += unit.step();
      this.next = Math.min(this.next, timed.due);
    }
    if (this.next === Infinity) this.next = 0; // all have stopped
  }

  get cyclesToNext() {
    return Math.max(this.next - this.now, 1);
  }
}

class StateMachine {
  constructor(pio, machine) {
    this.pio = pio;
    this.machine = machine;
  }

  get isOn() {
    return this.machine.enabled;
  }

  step() {
    const { machine } = this;
    const before = machine.cycles;
    machine.step();
    this.pio.checkChangedPins();
    const divider = (machine.clockDivInt || LARGEST_DIVIDER) + machine.clockDivFrac / 256;
    return divider * Math.max(machine.cycles - before, 1);
  }
}
