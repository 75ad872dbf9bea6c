// What the emulated RP2040 sees: a camera with eight data lines, as an OV7670 or a GC2145.

const ROW_CLOCKS = 990; // of the pixel clock, with the pause behind a row
const HALF_CLOCK = 16; // cycles: 3.9 MHz at 125 MHz
const SYNC_ROWS = 3; // in which VSYNC is high, in front of a frame
const DARK_ROWS = 4; // before the first row, and behind the last
const REGISTERS = 256;

// D0 to D7 on GPIO 2 to 9, PCLK on 10, HREF on 11, VSYNC on 12, which is high in front of a frame.
// Its registers answer at I2C0, GPIO 20 (SDA) and 21 (SCL). Its clock runs while PIO does. Frames
// follow each other, and begin anew at the end: rows of `rowBytes`, `height` of them a frame.
export class Camera {
  static DATA = 2;
  static PCLK = 10;
  static HREF = 11;
  static VSYNC = 12;
  static ADDRESS = 0x21;

  constructor(chip, frames, rowBytes, height) {
    this.gpio = chip.gpio;
    this.frames = frames;
    this.rowBytes = rowBytes;
    this.height = height;
    this.frame = 0; // position in `frames`
    this.row = -SYNC_ROWS - DARK_ROWS;
    this.clock = 0; // of the row
    this.isHigh = true; // the pixel clock
    this.levels = [];
    this.registers = new Uint8Array(REGISTERS);
    this.attachI2C(chip.i2c[0]);
  }

  get isOn() {
    return true;
  }

  // Data, HREF and VSYNC change with a falling edge of PCLK; the chip reads with the rising one.
  // Returns the cycles to the next edge.
  step() {
    this.isHigh = !this.isHigh;
    if (!this.isHigh) this.next();
    this.set(Camera.PCLK, this.isHigh);
    return HALF_CLOCK;
  }

  // rp2040js takes each value that is set for an edge.
  set(pin, value) {
    if (this.levels[pin] === value) return;
    this.levels[pin] = value;
    this.gpio[pin].setInputValue(value);
  }

  next() {
    const { row, clock } = this;
    const isRow = row >= 0 && row < this.height && clock < this.rowBytes;
    this.set(Camera.VSYNC, row < -DARK_ROWS);
    this.set(Camera.HREF, isRow);
    if (isRow) {
      const byte = this.frames[this.frame + row * this.rowBytes + clock];
      for (let i = 0; i < 8; i++) this.set(Camera.DATA + i, ((byte >> i) & 1) === 1);
    }
    if (++this.clock < Math.max(ROW_CLOCKS, this.rowBytes + 1)) return;
    this.clock = 0;
    if (++this.row < this.height + DARK_ROWS) return;
    this.row = -SYNC_ROWS - DARK_ROWS;
    this.frame += this.rowBytes * this.height;
    if (this.frame >= this.frames.length) this.frame = 0;
  }

  // A write is the number of a register and its new value; a read gives that of the last number.
  attachI2C(i2c) {
    let number = null;
    let isFirst = true;
    i2c.onConnect = (address) => {
      isFirst = true;
      i2c.completeConnect(address === Camera.ADDRESS);
    };
    i2c.onWriteByte = (value) => {
      if (isFirst) number = value;
      else this.registers[number] = value;
      isFirst = false;
      i2c.completeWrite(true);
    };
    i2c.onReadByte = () => i2c.completeRead(this.registers[number ?? 0]);
  }
}
