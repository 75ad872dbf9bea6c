// MicroPython on a board behind a serial port, by its raw REPL. targets/repl.py does the same.
//
// Text is binary here: one character, 0 to 255, for each byte.

const BAUD = 115200;
const BUFFER = 1 << 16;  // bytes that the browser keeps while the page is busy
const [CTRL_A, CTRL_B, CTRL_C, CTRL_D] = ["\x01", "\x02", "\x03", "\x04"];
const BANNER = "raw REPL; CTRL-B to exit\r\n>";
const REBOOT = "soft reboot\r\n";
const [PASTE_REQUEST, PASTE_ACCEPTED] = ["\x05A\x01", "R\x01"];
const ASK = 1000;  // milliseconds between two calls of a board that does not answer
const PATIENCE = 12_000;  // milliseconds for a board to answer at all
const TAIL = 400;  // characters that an error quotes

// What went wrong between page and board, in a sentence for the user.
export class BoardError extends Error {}

// Code that raised on the board: .message has the last line of the traceback.
export class ExecError extends BoardError {}

class Late extends Error {}

const LOST = "The board is gone: the cable was pulled, or the board was reset. Plug it in and connect again.";
const TAKEN = "The port does not open. Another program may use it: close Thonny, mpremote and other tabs.";
const SILENT = "The board does not answer. Press its reset button, or unplug it and plug it in again.";
const BUSY = "The board prints, but its program does not stop for Ctrl-C. Press its reset button, then connect again.";

const binary = bytes => Array.from(bytes, byte => String.fromCharCode(byte)).join("");
const toBytes = text => Uint8Array.from(text, c => c.charCodeAt(0));
const utf8 = text => new TextDecoder().decode(toBytes(text)).replaceAll("\r\n", "\n");
const encoded = text => binary(new TextEncoder().encode(text));

// The bytes to and from a SerialPort, and a time limit for those that are waited for.
class Link {
    constructor(port) {
        Object.assign(this, {port, received: "", deadline: 0, lost: null, isClosing: false, wake: () => {}, onLost: () => {}});
    }

    async open() {
        try {
            await this.port.open({baudRate: BAUD, bufferSize: BUFFER});
        } catch {
            throw new BoardError(TAKEN);
        }
        this.writer = this.port.writable.getWriter();
        this.pumped = this.pump();
        await this.port.setSignals({dataTerminalReady: true}).catch(() => {});  // no port of USB itself
    }

    // Reads until the port is closed. After an error that is none of the cable there is another stream.
    async pump() {
        while (this.port.readable && !this.isClosing) {
            this.reader = this.port.readable.getReader();
            try {
                for (;;) {
                    const {value, done} = await this.reader.read();
                    if (done) break;
                    this.received += binary(value);
                    this.wake();
                }
                break;
            } catch (error) {
                if (error.name === "NetworkError") break;
            } finally {
                this.reader.releaseLock();
            }
        }
        this.lost ??= new BoardError(LOST);
        this.wake();
        if (!this.isClosing) this.onLost(LOST);
    }

    async write(text) {
        try {
            await this.writer.write(toBytes(text));
        } catch {
            throw (this.lost ??= new BoardError(LOST));
        }
    }

    within(milliseconds) {
        this.deadline = performance.now() + milliseconds;
    }

    async more() {
        if (this.lost) throw this.lost;
        const left = this.deadline - performance.now();
        if (left <= 0) throw new Late();
        await new Promise(done => {
            const timer = setTimeout(done, left);
            this.wake = () => { clearTimeout(timer); done(); };
        });
    }

    async take(count) {
        while (this.received.length < count) await this.more();
        const text = this.received.slice(0, count);
        this.received = this.received.slice(count);
        return text;
    }

    // What comes before *ending*, which is dropped.
    async until(ending) {
        let end, start = 0;
        while ((end = this.received.indexOf(ending, start)) < 0) {
            start = Math.max(0, this.received.length - ending.length + 1);
            await this.more();
        }
        const text = this.received.slice(0, end);
        this.received = this.received.slice(end + ending.length);
        return text;
    }

    async close() {
        this.isClosing = true;
        await this.reader.cancel().catch(() => {});
        await this.pumped;
        this.writer.releaseLock();
        await this.port.close().catch(() => {});
    }
}

export class Board {
    constructor(port) {
        this.link = new Link(port);
    }

    // A function that is called, with a sentence, when the board is gone.
    set onLost(call) {
        this.link.onLost = call;
    }

    get isLost() {
        return this.link.lost !== null;
    }

    // Why it is.
    get why() {
        return this.link.lost.message;
    }

    // Opens the port, stops what runs there and resets the board softly. Throws BoardError.
    async open() {
        await this.link.open();
        try {
            await this.enter();
        } catch (error) {
            await this.link.close();
            throw error;
        }
    }

    async enter() {
        const {link} = this;
        const end = performance.now() + PATIENCE;
        let isHeard = false;
        for (let isRaw = false; !isRaw;) {
            link.within(ASK);
            await link.write("\r" + CTRL_C + CTRL_C + "\r" + CTRL_A);
            try {
                await link.until(BANNER);
                isRaw = true;
            } catch (error) {
                if (!(error instanceof Late)) throw error;
                isHeard ||= link.received !== "";
                link.received = link.received.slice(-BANNER.length);
                if (performance.now() > end) throw new BoardError(isHeard ? BUSY : SILENT);
            }
        }
        await this.limited(PATIENCE, async () => {
            await link.write(CTRL_D);
            await link.until(REBOOT);
            await link.until(BANNER);
        });
    }

    // Runs *code* and returns what it printed. Throws ExecError where it raised, BoardError where the
    // board says nothing for *seconds* while it takes the code, or after that.
    exec(code, seconds = 30) {
        return this.limited(seconds * 1000, async () => {
            await this.send(encoded(code), seconds * 1000);
            const output = utf8(await this.link.until(CTRL_D));
            const traceback = utf8(await this.link.until(CTRL_D)).trim();
            await this.link.until(">");
            if (traceback) throw new ExecError(traceback.split("\n").at(-1));
            return output;
        });
    }

    async limited(milliseconds, work) {
        this.link.within(milliseconds);
        try {
            return await work();
        } catch (error) {
            if (!(error instanceof Late)) throw error;
            const said = utf8(this.link.received).trim().slice(-TAIL);
            const quoted = said ? ` It printed: ${said}` : "";
            throw new BoardError(`The board gave no answer in ${milliseconds / 1000} s.${quoted}`);
        }
    }

    async send(code, milliseconds) {
        const {link} = this;
        await link.write(PASTE_REQUEST);
        if (await link.take(2) === PASTE_ACCEPTED) return this.paste(code, milliseconds);
        await link.until(">");
        await link.write(code + CTRL_D);
        await link.until("OK");
    }

    // Sends *code* a window at a time: the board grants another as it consumes one. It ends with the
    // board's Ctrl-D: it has all of the code, or has found a syntax error.
    async paste(code, milliseconds) {
        const {link} = this;
        const [low, high] = await link.take(2);
        const size = low.charCodeAt(0) + 256 * high.charCodeAt(0);
        for (let granted = size; code;) {
            while (granted === 0 || link.received) {
                if (await link.take(1) === CTRL_D) return link.write(CTRL_D);
                granted += size;
            }
            const part = code.slice(0, granted);
            await link.write(part);
            link.within(milliseconds);
            code = code.slice(part.length);
            granted -= part.length;
        }
        await link.write(CTRL_D);
        await link.until(CTRL_D);
    }

    // Goes back to the friendly REPL and gives the port free.
    async close() {
        if (!this.isLost) await this.link.write("\r" + CTRL_C + CTRL_C + CTRL_B).catch(() => {});
        await this.link.close();
    }
}
