"""What the runner of MLPerf Tiny types to a device, and how it reads the replies.

Source: mlcommons/tiny benchmark/runner/device_under_test.py, serial_device.py and script.py
@1afd2c9.
"""

import time

END, READY = b"%", "m-ready"
PART = 31  # bytes in a command
SECONDS = 120  # of silence, after which the device is given up


class Runner:
    """Talks to a device over *link*, which has write() and read(seconds)."""

    def __init__(self, link):
        self._link = link
        self._text = ""

    def command(self, text):
        """Return the lines of the reply, without the last one, "m-ready"."""
        assert len(text) <= 80
        self._link.write(text.encode() + END)
        return self.replies()

    def replies(self):
        lines = []
        while True:
            lines.append(self._line())
            if lines[-1] == READY:
                return lines[:-1]

    def _line(self):
        end = time.monotonic() + SECONDS
        while "\n" not in self._text:
            assert time.monotonic() < end, f"the device is silent behind {self._text!r}"
            self._text += self._link.read(1).decode()
        line, _, self._text = self._text.partition("\n")
        return line.rstrip("\r")

    def load(self, data):
        """Send an input, and return the reply to its last part."""
        assert self.command(f"db load {len(data)}") == [f"m-[Expecting {len(data)} bytes]"]
        for start in range(0, len(data), PART):
            reply = self.command("db " + data[start : start + PART].hex())
            assert reply in ([], ["m-load-done"]), reply
        return reply

    def infer(self, count, warm_up):
        """Return (microseconds of *count* runs, the results)."""
        lines = self.command(f"infer {count} {warm_up}")
        laps = [int(line.removeprefix("m-lap-us-")) for line in lines if "m-lap-us-" in line]
        names = [line for line in lines if "m-lap-us-" not in line]
        assert names[:4] == [
            f"m-warmup-start-{warm_up}",
            "m-warmup-done",
            f"m-infer-start-{count}",
            "m-infer-done",
        ]
        assert [lines.index(line) for line in names[:4]] == [0, 1, 2, 5]
        assert len(names) == 5
        return laps[1] - laps[0], results(names[4])


def results(line):
    """Return the numbers of a line of results, as they are written."""
    assert line.startswith("m-results-["), line
    assert line.endswith("]"), line
    return line[len("m-results-[") : -1].split(",")
