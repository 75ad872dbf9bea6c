// What the cores of an RP2040 wait for: one access a cycle to each bank of memory, and flash behind
// a cache of 16 KB, which has 2 ways, lines of 8 bytes and one port.
//
// Source: RP2040 datasheet 2.1 (bus fabric, banks), 2.6.3 (cache). What a line costs: docs/cycles.md.

const FLASH = 6;
const ROM = 7;
const PERIPHERALS = 8;
const BANKS = 9; // 0 to 3 hold SRAM in turn, word by word; 4 and 5 the last two blocks of 4 KB
const STRIPED_BYTES = 0x40000;
const BLOCK_BYTES = 0x1000;
const RING = 256; // cycles that are remembered of each bank
const SETS = 1024;
const WAYS = 2;
const LINE_SHIFT = 3;
const UNCACHED = 2; // in the address's third hexadecimal digit, of 0x12000000 and 0x13000000

function bankOf(address) {
  const region = address >>> 28;
  if (region === 2) {
    const offset = address & 0xfffff;
    if (offset < STRIPED_BYTES) return (offset >>> 2) & 3;
    return offset < STRIPED_BYTES + BLOCK_BYTES ? 4 : 5;
  }
  if (region === 1) return FLASH;
  if (region === 0) return ROM;
  return region === 4 || region === 5 ? PERIPHERALS : -1; // SIO and PPB: one for each core
}

export class Bus {
  constructor(miss) {
    this.miss = miss; // cycles
    this.taken = [0, 1].map(() => new Float64Array(BANKS * RING).fill(-1)); // cycle, of each bank
    this.tags = new Int32Array(SETS * WAYS).fill(-1);
    this.youngest = new Uint8Array(SETS);
    this.flashFree = 0; // the cycle in which the port to flash is free again
    this.waits = [0, 0]; // cycles, of the instruction that runs
    this.missed = 0; // lines, of both cores
  }

  // Returns how many cycles core *index* has waited since the last call.
  takeWaits(index) {
    const waits = this.waits[index];
    this.waits[index] = 0;
    return waits;
  }

  // Returns when core *index*, which wants *address* in cycle *at*, has it.
  access(index, address, at) {
    const bank = bankOf(address);
    if (bank < 0) return at;
    let when = bank === FLASH ? Math.max(at, this.flashFree) : at;
    const others = this.taken[1 - index];
    const first = bank * RING;
    while (others[first + (when & (RING - 1))] === when) when++;
    this.taken[index][first + (when & (RING - 1))] = when;
    if (bank === FLASH && ((address >>> 24) & UNCACHED) === 0 && this.misses(address)) {
      this.missed++;
      when += this.miss;
      this.flashFree = when;
    }
    this.waits[index] += when - at;
    return when;
  }

  // Returns whether the line has to be fetched, and puts it in place of the older of its set.
  misses(address) {
    const line = (address & 0xffffff) >>> LINE_SHIFT;
    const set = line & (SETS - 1);
    for (let way = 0; way < WAYS; way++) {
      if (this.tags[set * WAYS + way] === line) {
        this.youngest[set] = way;
        return false;
      }
    }
    const way = 1 - this.youngest[set];
    this.tags[set * WAYS + way] = line;
    this.youngest[set] = way;
    return true;
  }
}

const READS = ['readUint32', 'readUint16', 'readUint8'];
const WRITES = ['writeUint32', 'writeUint16', 'writeUint8'];

// Lets *bus* price each access of *core*, number *index*. now(): the cycle in which the instruction
// begins. Two instructions are fetched as one word; the accesses of an instruction follow its
// fetch, one a cycle.
export function priceAccesses(bus, core, index, now) {
  let at = 0;
  let fetched = -1; // address of the word that holds the instruction
  let isFetch = false;
  const execute = core.executeInstruction.bind(core);
  core.executeInstruction = () => {
    at = now();
    isFetch = true;
    const from = core.PC;
    const cycles = execute();
    const went = core.PC - from;
    if (went < 0 || went > 4) fetched = -1; // a jump empties the prefetch
    return cycles;
  };
  for (const name of [...READS, ...WRITES]) {
    const access = core[name].bind(core);
    core[name] = (address, value) => {
      const where = address >>> 0;
      if (isFetch && name === 'readUint16' && where - core.PC >>> 0 <= 2) {
        const word = where >>> 2;
        if (word !== fetched) at = bus.access(index, where, at);
        fetched = word;
      } else {
        isFetch = false;
        at = bus.access(index, where, at + 1);
      }
      return access(address, value);
    };
  }
}
