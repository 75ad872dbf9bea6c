// What the emulated RP2040 hears: a microphone.

const NANOS_PER_SECOND = 1e9;

// An INMP441 on GPIO 16 (SCK), 17 (WS) and 18 (SD), with L/R to ground: 24 bits in the left slot,
// which are a sample and 8 zeros; zeros in the right one. Also a voltage at ADC 0 to 2, which is
// half of 3.3 V in silence. Also a PDM microphone on GPIO 14 (CLK) and 15 (DAT), with SEL to ground.
// The sound begins anew at its end.
export class Microphone {
  static SCK = 16;
  static WS = 17;
  static SD = 18;
  static CLK = 14;
  static DAT = 15;

  // samples: int16, little-endian
  constructor(chip, samples, rate) {
    this.samples = samples;
    this.chip = chip;
    this.rate = rate;
    this.heard = 0; // samples that I2S has fetched
    this.word = 0; // what is left of a slot, next bit on top
    this.attachI2S(chip.gpio);
    this.attachPDM(chip.gpio);
    this.attachADC(chip);
  }

  sample(number) {
    return this.samples.readInt16LE(2 * (number % (this.samples.length >> 1)));
  }

  // WS changes with a falling edge of SCK. The slot's first bit comes with the next falling edge,
  // and the chip reads it with the rising edge after that.
  attachI2S(gpio) {
    const [clock, select, data] = [Microphone.SCK, Microphone.WS, Microphone.SD].map((i) => gpio[i]);
    let wasRight = true;
    let isNew = false;
    clock.addListener((level) => {
      if (level === 1) {
        const isRight = select.value === 1;
        isNew = isRight !== wasRight;
        wasRight = isRight;
        return;
      }
      this.word <<= 1;
      if (isNew) this.word = wasRight ? 0 : this.sample(this.heard++) << 16;
      isNew = false;
      data.setInputValue(this.word < 0);
    });
  }

  // DAT changes with a falling edge of CLK. The chip reads it with the rising edge after that.
  attachPDM(gpio) {
    const modulator = new Modulator((number) => this.sample(number));
    gpio[Microphone.CLK].addListener((level) => {
      if (level === 0) gpio[Microphone.DAT].setInputValue(modulator.next());
    });
  }

  attachADC({ adc, clock }) {
    let start = null;
    adc.onADCRead = (channel) => {
      start ??= clock.nanos;
      const number = Math.round(((clock.nanos - start) * this.rate) / NANOS_PER_SECOND);
      adc.channelValues.fill((this.sample(number) + 32768) >> 4, 0, 3);
      adc.currentChannel = channel;
      adc.sampleAlarm.schedule(adc.sampleTime * 1000);
    };
  }
}

// A delta-sigma modulator of third order: 64 bits a sample, and straight lines between samples. The
// loudest sample is an eighth of its range. All numbers are integers below 2**53.
class Modulator {
  static BITS = 64;
  static RANGE = 8 * 32768;

  constructor(sample) {
    this.sample = sample; // of a number
    this.number = 0; // of bits so far
    this.sums = [0, 0, 0];
    [this.here, this.there] = [sample(0), sample(1)];
  }

  // Returns the next bit.
  next() {
    const { BITS, RANGE } = Modulator;
    const { sums } = this;
    const part = this.number % BITS;
    const bit = sums[2] >= 0;
    const back = BITS * (bit ? RANGE : -RANGE);
    sums[2] += sums[1] - 14 * back;
    sums[1] += sums[0] - 5 * back;
    sums[0] += this.here * (BITS - part) + this.there * part - back;
    this.number++;
    if (part === BITS - 1) {
      this.here = this.there;
      this.there = this.sample(this.number / BITS + 1);
    }
    return bit;
  }
}
