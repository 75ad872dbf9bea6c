// Finds bytes of SRAM that one core of an RP2040 writes and the other one reads or writes, where
// nothing says which comes first.
//
// Each core counts its releases. What core A did before a release is known to core B once B has
// read a word of synchronisation that A wrote then: one of the addresses given, or a register of
// SIO (mailbox, spin locks). An access to a byte that the other core touched after the last release
// that is known is a race, whatever the order in which it happened this time.

const SRAM = 0x20000000;
const WIDTHS = { readUint32: 4, readUint16: 2, readUint8: 1 };
Object.assign(WIDTHS, { writeUint32: 4, writeUint16: 2, writeUint8: 1 });
const SIO_REGION = 0xd;
const PRINTED = 20; // races

// What a word of synchronisation has told: of each core, up to which release.
class Word {
  constructor() {
    this.known = [0, 0];
  }
}

export class Races {
  // sync: addresses of words that only order other accesses; bytes: the size of SRAM
  constructor(sync, bytes) {
    this.words = new Map(sync.map((address) => [address, new Word()]));
    this.sio = new Word();
    this.bytes = bytes;
    this.releases = [1, 1]; // of each core
    this.known = [0, 0]; // how many releases of the other core each one knows
    this.wrote = [0, 1].map(() => new Uint32Array(bytes)); // the release that was next then, or 0
    this.read = [0, 1].map(() => new Uint32Array(bytes));
    this.found = new Map(); // how often, of each text
  }

  // Both cores know all: one of them begins.
  join() {
    this.releases[0]++;
    this.releases[1]++;
    this.known = [this.releases[1] - 1, this.releases[0] - 1];
  }

  acquire(index, word) {
    this.known[index] = Math.max(this.known[index], word.known[1 - index]);
  }

  release(index, word) {
    word.known[index] = this.releases[index]++;
    word.known[1 - index] = Math.max(word.known[1 - index], this.known[index]);
  }

  access(index, address, width, isWrite, pc) {
    const word = address >>> 28 === SIO_REGION ? this.sio : this.words.get(address);
    if (word !== undefined) {
      // Registers do more than memory: a read of a spin lock takes it, one of a mailbox empties it.
      if (!isWrite || word === this.sio) this.acquire(index, word);
      if (isWrite || word === this.sio) this.release(index, word);
      return;
    }
    const first = address - SRAM;
    if (first < 0 || first >= this.bytes) return;
    const other = 1 - index;
    const known = this.known[index];
    for (let i = first; i < first + width; i++) {
      const write = this.wrote[other][i] > known;
      if (write || (isWrite && this.read[other][i] > known)) {
        this.report(index, address, isWrite, write, pc);
      }
      (isWrite ? this.wrote : this.read)[index][i] = this.releases[index];
    }
  }

  report(index, address, isWrite, otherWrote, pc) {
    const what = `core ${index} ${isWrite ? 'writes' : 'reads'} what the other one `
      + `${otherWrote ? 'wrote' : 'read'}, pc ${pc.toString(16)}`;
    const count = this.found.get(what) ?? 0;
    this.found.set(what, count + 1);
    if (count === 0 && this.found.size <= PRINTED) {
      console.error(`race: ${what}, address ${address.toString(16)}`);
    }
  }
}

// Tells *races* of each access of *core*, number *index*.
export function watchAccesses(races, core, index) {
  for (const [name, width] of Object.entries(WIDTHS)) {
    const isWrite = name.startsWith('write');
    const access = core[name].bind(core);
    core[name] = (address, value) => {
      const region = address >>> 28;
      if (region === 2 || region === SIO_REGION) {
        races.access(index, address >>> 0, width, isWrite, core.PC);
      }
      return access(address, value);
    };
  }
}
