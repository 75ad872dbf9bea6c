// Runs firmware of the RP2040 on rp2040js, its USB serial port on a socket.
//
//   node bridge.mjs --rp2040js FOLDER --bootrom FILE --uf2 FILE --listen SOCKET
//       [--image FILE --offset BYTES] [--mic FILE] [--camera FILE --row BYTES --rows NUMBER]
//       [--cores 2 [--miss CYCLES] [--sync ADDRESS,...] [--jitter CYCLES --seed NUMBER]]
//
//   --rp2040js  folder in which npm installed rp2040js
//   --listen    path of a Unix socket; the chip starts when somebody has connected to it
//   --image     goes into the flash at --offset, after the firmware
//   --mic       what a microphone hears, see sound.mjs: int16 samples, 16,000 a second
//   --camera    what a camera sees, see camera.mjs: frames of --rows rows of --row bytes
//   --cores     2: with the second core, see cores.mjs
//   --miss      flash and SRAM let the cores wait, a missed line so many cycles; see bus.mjs
//   --sync      reports races, but for these words of SRAM, which order the cores; see races.mjs
//   --jitter    the cores' times differ by up to so many cycles, drawn from --seed
//
// It ends with status 3 and a line "fault: ..." when the chip has done what silicon answers
// with a HardFault. The flash keeps its contents over a reset by the watchdog.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { parseArgs } from 'node:util';

import { Camera } from './camera.mjs';
import { OneCore, TwoCores } from './cores.mjs';
import { PioClock } from './pio.mjs';
import { Microphone } from './sound.mjs';

const FLASH_BASE = 0x10000000;
const BOOTROM_BYTES = 16384;
const INSTRUCTIONS_A_TURN = 200000; // between looks at the socket
const WAITS_LIKE = 100; // instructions, so that a turn of a sleeping chip ends too
const FAULT_STATUS = 3;
const MICROPHONE_RATE = 16000;

const NAMES = ['rp2040js', 'bootrom', 'uf2', 'listen', 'image', 'offset', 'mic'];
NAMES.push('camera', 'row', 'rows');
NAMES.push('cores', 'miss', 'sync', 'jitter', 'seed');
const { values: options } = parseArgs({
  options: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
});
const sound = options.mic && fs.readFileSync(options.mic);
const frames = options.camera && fs.readFileSync(options.camera);
const { RP2040, USBCDC } = createRequire(options.rp2040js + '/')('rp2040js');

class Fault extends Error {}

// What rp2040js only complains about and silicon answers with a HardFault.
const FAULTS = /not 32 bit aligned|invalid memory address|undefined address|writes flash where/;

const log = {
  debug() {},
  info(_name, text) {
    if (text === 'SEV') machine.cores.event(); // rp2040js does no more
  },
  warn(_name, text) {
    if (FAULTS.test(text)) throw new Fault(text);
  },
  error(_name, text) {
    log.warn(_name, text);
    console.error(text);
  },
};

// A device that no silicon has, at 0x4f000000: write 1 to start counting cycles, 0 to stop;
// then read the count's low word at offset 0, its high word at 4. The cycles are core 0's. While it
// counts, nothing comes in over USB: how the host's time passes does not matter. At offset 8 stands
// how many kinds of races there were since it was last written, at 12 how many lines of flash both
// cores have missed.
class Stopwatch {
  static PAGE = 0x4f000;

  constructor(chip, cores) {
    this.chip = chip;
    this.cores = cores;
    this.running = false;
    this.start = 0;
    this.cycles = 0;
  }

  readUint32(offset) {
    if (offset === 8) return this.cores.races?.found.size ?? 0;
    if (offset === 12) return this.cores.bus?.missed ?? 0;
    return (offset === 0 ? this.cycles : Math.floor(this.cycles / 2 ** 32)) >>> 0;
  }

  writeUint32Atomic(offset, value) {
    if (offset === 8) {
      this.cores.races?.found.clear();
      return;
    }
    const now = this.chip.core.cycles;
    this.running = value !== 0;
    if (this.running) this.start = now;
    else this.cycles = now - this.start;
  }
}

function loadBootrom(chip) {
  const bytes = Buffer.alloc(BOOTROM_BYTES);
  fs.readFileSync(options.bootrom).copy(bytes);
  chip.loadBootrom(new Uint32Array(bytes.buffer, bytes.byteOffset, BOOTROM_BYTES / 4));
}

// Blocks of 512 bytes: two magic words, flags, address, size, ..., data from byte 32 on.
function loadUF2(flash, path) {
  const file = fs.readFileSync(path);
  for (let at = 0; at + 512 <= file.length; at += 512) {
    const [first, second, , address, size] = Array.from({ length: 5 }, (_, i) =>
      file.readUInt32LE(at + 4 * i),
    );
    if (first !== 0x0a324655 || second !== 0x9e5d5157) throw new Error(`${path} is no UF2 file`);
    flash.set(file.subarray(at + 32, at + 32 + size), address - FLASH_BASE);
  }
}

function newFlash(flash) {
  loadUF2(flash, options.uf2);
  if (options.image) flash.set(fs.readFileSync(options.image), Number(options.offset));
}

class Machine {
  constructor(output) {
    this.output = output; // called with bytes from the chip
    this.input = []; // bytes for it
    this.scheduled = false;
    this.boot(null);
  }

  boot(flash) {
    const chip = new RP2040();
    this.chip = chip;
    chip.logger = log;
    loadBootrom(chip); // this resets the chip and clears its flash
    if (flash) chip.flash.set(flash);
    else newFlash(chip.flash);
    chip.onBreak = (code) => {
      throw new Fault(`breakpoint ${code}`);
    };
    this.resetRequested = false;
    chip.peripherals[0x40058].onWatchdogTrigger = () => {
      this.resetRequested = true;
    };
    this.cores = options.cores === '2' ? this.twoCores(chip) : new OneCore(chip);
    this.stopwatch = new Stopwatch(chip, this.cores);
    chip.peripherals[Stopwatch.PAGE] = this.stopwatch;
    if (options.cores !== '2') this.answerForCore1();
    this.attachSerial();
    this.pioClock = new PioClock(chip);
    if (sound) this.microphone = new Microphone(chip, sound, MICROPHONE_RATE);
    if (frames) this.pioClock.add(new Camera(chip, frames, +options.row, +options.rows));
  }

  twoCores(chip) {
    return new TwoCores(chip, options.rp2040js, {
      miss: options.miss === undefined ? undefined : Number(options.miss),
      sync: options.sync?.split(',').map(Number),
      jitter: Number(options.jitter ?? 0),
      seed: Number(options.seed ?? 1),
    });
  }

  // Where there is one core. Who resets the other waits for the 0 that it says when it is up.
  answerForCore1() {
    const FIFO_STATUS = 0x50;
    const FIFO_READ = 0x58;
    const HAS_WORD_AND_ROOM = 3;
    const { sio } = this.chip;
    const read = sio.readUint32.bind(sio);
    sio.readUint32 = (offset) => {
      if (offset === FIFO_STATUS) return HAS_WORD_AND_ROOM;
      return offset === FIFO_READ ? 0 : read(offset);
    };
  }

  // rp2040js answers the chip's request for bytes at once, with none where there are none, and
  // the chip asks again after 10 us, for ever. Here a request waits until there are some.
  attachSerial() {
    const usb = this.chip.usbCtrl;
    this.serial = new USBCDC(usb);
    this.requested = 0;
    usb.onEndpointRead = (endpoint, size) => {
      if (endpoint === this.serial.outEndpoint) {
        this.requested = size;
        this.feed();
      }
    };
    this.serial.onSerialData = this.output;
  }

  feed() {
    if (this.requested && this.input.length && !this.stopwatch.running) {
      const bytes = Uint8Array.from(this.input.splice(0, this.requested));
      this.requested = 0;
      this.chip.usbCtrl.endpointReadDone(this.serial.outEndpoint, bytes);
    }
  }

  receive(bytes) {
    this.input.push(...bytes);
    this.feed();
    this.schedule();
  }

  schedule() {
    if (!this.scheduled) {
      this.scheduled = true;
      setImmediate(() => this.turn());
    }
  }

  turn() {
    this.scheduled = false;
    const asleep = this.execute();
    if (this.resetRequested) this.boot(this.chip.flash.slice());
    this.feed();
    if (!asleep) this.schedule(); // else receive() does
  }

  // Returns whether the chip waits for something from outside.
  execute() {
    const { clock, clkSys } = this.chip;
    const { cores, pioClock } = this;
    const nanosPerCycle = 1e9 / clkSys;
    for (let i = 0; i < INSTRUCTIONS_A_TURN && !this.resetRequested; i++) {
      const cycles = cores.step();
      if (cycles >= 0) {
        clock.tick(cycles * nanosPerCycle);
        if (pioClock.isRunning) pioClock.advance(cycles);
      } else if (pioClock.isRunning) {
        let passed = pioClock.cyclesToNext;
        if (clock.nextAlarm) passed = Math.min(passed, clock.nanosToNextAlarm / nanosPerCycle);
        clock.tick(passed * nanosPerCycle);
        pioClock.advance(passed);
      } else if (clock.nextAlarm) {
        clock.tick(clock.nanosToNextAlarm);
        i += WAITS_LIKE;
      } else {
        return true;
      }
    }
    return false;
  }

  // Where the fault is: behind a breakpoint in a handler, the interrupted code.
  describe(fault) {
    const core = this.cores.current;
    let [pc, lr] = [core.PC, core.LR];
    if (core.IPSR !== 0) {
      const frame = core.SP;
      lr = this.chip.readUint32(frame + 20);
      pc = this.chip.readUint32(frame + 24);
    }
    return `fault: pc=${pc.toString(16)} lr=${(lr & ~1).toString(16)}: ${fault.message}`;
  }
}

let client = null;
const machine = new Machine((bytes) => client?.write(Buffer.from(bytes)));

process.on('uncaughtException', (error) => {
  console.error(error instanceof Fault ? machine.describe(error) : error.stack);
  process.exit(FAULT_STATUS);
});
process.on('SIGTERM', () => process.exit(0));

net
  .createServer((socket) => {
    client = socket;
    socket.on('data', (bytes) => machine.receive(bytes));
    socket.on('error', () => {});
    socket.on('close', () => process.exit(0));
    machine.schedule();
  })
  .listen(options.listen);
