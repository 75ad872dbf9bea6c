// The second core of an emulated RP2040, which rp2040js does not have.
//
//   const pair = new TwoCores(chip, 'build/rp2040js', { miss: 110 });
//   pair.step();     // one instruction of the core whose time is the earlier
//
// A core of rp2040js reaches memory through its `rp2040`. Here each core has a view of the chip: an
// object with the chip as prototype, and a PPB, a SIO and a core of its own.
//
// Both cores have the time of the chip's clock in cycles. The core that is behind goes first, so
// an access never sees what the other core writes later, by more than one instruction.
import { createRequire } from 'node:module';
import path from 'node:path';

import { Bus, priceAccesses } from './bus.mjs';
import { Races, watchAccesses } from './races.mjs';

const FIFO_WORDS = 8;
const CPUID = 0x00;
const FIFO_ST = 0x50;
const FIFO_WR = 0x54;
const FIFO_RD = 0x58;
const HAS_WORD = 1;
const HAS_ROOM = 2;
const OVERFLOWED = 4; // a word was written to a full mailbox
const UNDERFLOWED = 8; // a word was read from an empty one
const DIVIDER = 0x60; // the first register of the divider
const SPIN_LOCKS = 0x100; // behind the interpolators
const MAILBOX_IRQ = [15, 16];
const PSM = 0x40010;
const PROC1 = 1 << 16;
const WFE = 0xbf20;
const FLASH_REGION = 1; // the first hexadecimal digit of its addresses
const SWITCHES = 64; // steps between two changes of the schedule, on average

// What a core sees of the SIO. Its CPUID, mailbox, divider and interpolators are its own; pins and
// spin locks are the chip's.
class CoreSIO {
  constructor(index, shared, own) {
    this.index = index;
    this.shared = shared; // the chip's
    this.own = own;
    this.other = null; // CoreSIO
    this.core = null;
    this.words = []; // for this core
    this.flags = 0; // OVERFLOWED, UNDERFLOWED
  }

  isOwn(offset) {
    return offset >= DIVIDER && offset < SPIN_LOCKS;
  }

  readUint32(offset) {
    if (offset === CPUID) return this.index;
    if (this.isOwn(offset)) return this.own.readUint32(offset);
    if (offset === FIFO_ST) return this.status();
    if (offset === FIFO_RD) return this.take();
    return this.shared.readUint32(offset);
  }

  writeUint32(offset, value) {
    if (this.isOwn(offset)) this.own.writeUint32(offset, value);
    else if (offset === FIFO_WR) this.send(value >>> 0);
    else if (offset === FIFO_ST) this.mark(this.flags & ~value);
    else this.shared.writeUint32(offset, value);
  }

  status() {
    const room = this.other.words.length < FIFO_WORDS ? HAS_ROOM : 0;
    return (this.words.length > 0 ? HAS_WORD : 0) | room | this.flags;
  }

  take() {
    if (this.words.length === 0) {
      this.mark(this.flags | UNDERFLOWED);
      return 0;
    }
    const word = this.words.shift();
    this.interrupt();
    return word;
  }

  send(word) {
    if (this.other.words.length === FIFO_WORDS) {
      this.mark(this.flags | OVERFLOWED);
    } else {
      this.other.words.push(word);
      this.other.interrupt();
    }
  }

  mark(flags) {
    this.flags = flags & (OVERFLOWED | UNDERFLOWED);
    this.interrupt();
  }

  interrupt() {
    this.core.setInterrupt(MAILBOX_IRQ[this.index], this.words.length > 0 || this.flags !== 0);
  }
}

// The chip's members that a view has itself, where the engine finds them at once.
const SAME = ['bootrom', 'sram', 'sramView', 'flash', 'flash16', 'flashView', 'usbDPRAM'];
SAME.push('usbDPRAMView', 'usbCtrl', 'peripherals', 'clock');

function viewOf(chip, index, { RPPPB, RPSIO, CortexM0Core }) {
  const view = Object.create(chip);
  for (const name of SAME) view[name] = chip[name];
  view.core = index === 0 ? chip.core : new CortexM0Core(view);
  view.core.rp2040 = view;
  view.ppb = index === 0 ? chip.ppb : new RPPPB(view, 'PPB1');
  view.sio = new CoreSIO(index, chip.sio, new RPSIO(view));
  view.sio.core = view.core;
  return view;
}

function classesOf(rp2040js) {
  const folder = path.dirname(createRequire(rp2040js + '/').resolve('rp2040js'));
  const load = createRequire(folder + '/');
  return {
    ...load('./peripherals/ppb.js'),
    ...load('./sio.js'),
    ...load('./cortex-m0-core.js'),
  };
}

// One core as TwoCores has two: what the bridge runs by default.
export class OneCore {
  constructor(chip) {
    this.chip = chip;
    this.current = chip.core;
  }

  step() {
    const { core } = this.chip;
    return core.waiting ? -1 : core.executeInstruction();
  }

  event() {}
}

export class TwoCores {
  // miss: cycles of a missed line of flash; undefined: memory never waits (see bus.mjs)
  // sync: addresses of words that order the cores; with them races are looked for (see races.mjs)
  // jitter, seed: the cores' times may differ by so many cycles, at random
  constructor(chip, rp2040js, { miss, sync, jitter = 0, seed = 1 } = {}) {
    const classes = classesOf(rp2040js);
    this.chip = chip;
    this.views = [0, 1].map((index) => viewOf(chip, index, classes));
    this.cores = this.views.map((view) => view.core);
    const [first, second] = this.views.map((view) => view.sio);
    first.other = second;
    second.other = first;
    this.current = this.cores[0]; // whose instruction runs
    this.times = [0, 0]; // cycles
    this.latest = 0; // up to here the chip's clock has gone
    this.slept = [false, false];
    this.isHeld = false; // core 1, in reset
    this.jitter = jitter;
    this.random = seed;
    this.lead = 0; // by how much core 0 may be ahead
    this.bus = miss === undefined ? null : new Bus(miss);
    this.races = sync === undefined ? null : new Races(sync, chip.sram.length);
    for (const index of [0, 1]) {
      if (this.bus) priceAccesses(this.bus, this.cores[index], index, () => this.times[index]);
      if (this.races) watchAccesses(this.races, this.cores[index], index);
    }
    this.guardFlash();
    chip.setInterrupt = (irq, value) => {
      for (const core of this.cores) core.setInterrupt(irq, value);
    };
    this.watchPower(chip.peripherals[PSM]);
    this.reset();
  }

  // While one core writes flash, the other one cannot fetch from there.
  guardFlash() {
    for (const [index, view] of this.views.entries()) {
      const other = this.cores[1 - index];
      for (const name of ['writeUint32', 'writeUint16', 'writeUint8']) {
        const write = this.chip[name];
        view[name] = (address, value) => {
          if (address >>> 28 === FLASH_REGION && this.isRunning(1 - index)
            && other.PC >>> 28 === FLASH_REGION) {
            const pc = other.PC.toString(16);
            this.chip.logger.warn('flash', `core ${index} writes flash where the other runs, ${pc}`);
          }
          write.call(view, address, value);
        };
      }
    }
  }

  watchPower(psm) {
    const write = psm.writeUint32.bind(psm);
    psm.writeUint32 = (offset, value) => {
      write(offset, value);
      const isOff = (psm.frceOff & ~psm.frceOn & PROC1) !== 0;
      if (this.isHeld && !isOff) this.reset();
      this.isHeld = isOff;
    };
  }

  // Core 1 begins as after power on, in the boot ROM.
  reset() {
    const core = this.cores[1];
    const { pendingInterrupts, cycles } = core;
    const fresh = new core.constructor(this.views[1]);
    for (const [name, value] of Object.entries(fresh)) {
      if (typeof value !== 'function' && name !== 'registers') core[name] = value;
    }
    core.registers.fill(0);
    Object.assign(core, { pendingInterrupts, cycles });
    core.SP = this.chip.bootrom[0];
    core.PC = this.chip.bootrom[1] & ~1;
    this.times[1] = Math.max(...this.times);
    this.races?.join();
  }

  // What SEV does: both cores see it. A core in WFI sleeps on.
  event() {
    for (const core of this.cores) {
      if (core.waiting && this.chip.readUint16(core.PC - 2) === WFE) core.waiting = false;
      else core.eventRegistered = true;
    }
  }

  isRunning(index) {
    return !this.cores[index].waiting && !(index === 1 && this.isHeld);
  }

  // Runs one instruction. Returns by how many cycles the chip's time went on, -1 if no core runs.
  step() {
    const { times } = this;
    const first = this.wake(0);
    const second = this.wake(1);
    if (!first && !second) return -1;
    if (this.jitter > 0) this.draw();
    const isFirst = first && (!second || times[0] <= times[1] + this.lead);
    this.run(isFirst ? 0 : 1);
    const before = this.latest;
    this.latest = Math.max(before, this.now());
    return this.latest - before;
  }

  // Returns whether the core runs. One that has slept goes on from now.
  wake(index) {
    const runs = this.isRunning(index);
    if (runs && this.slept[index]) this.times[index] = Math.max(this.times[index], this.latest);
    this.slept[index] = !runs;
    return runs;
  }

  draw() {
    this.random = (Math.imul(this.random, 1103515245) + 12345) & 0x7fffffff;
    const high = this.random >>> 8;
    if (high % SWITCHES === 0) {
      this.lead = (Math.floor(high / SWITCHES) % (2 * this.jitter + 1)) - this.jitter;
    }
  }

  run(index) {
    const core = this.cores[index];
    this.current = core;
    const before = core.cycles;
    core.executeInstruction();
    if (this.bus) core.cycles += this.bus.takeWaits(index);
    this.times[index] += core.cycles - before; // with the cycles that the divider adds
  }

  // The time up to which all has happened.
  now() {
    const { times } = this;
    if (this.isRunning(0) && this.isRunning(1)) return Math.min(times[0], times[1]);
    return this.isRunning(1) ? times[1] : times[0];
  }
}
