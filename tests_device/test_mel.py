"""tflm.mel gives the same bits on any core, in chunks of any size, without heap.

tests_host/runtime/test_mel.py makes TABLES, and holds the features against real numbers.
"""

import gc
from array import array
from binascii import a2b_base64, crc32

import tflm
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has neither

    def heap_lock():
        pass

    heap_unlock = heap_lock

# Of tests_host/support/models/mel_tables.py.
TABLES = {
    "narrow": (
        "VExGTYDlaZIBAAAAiAIAABAAAABAAAAAAAAAAAAAAAAfAAAAIAAAAAgAAAAIAAAAAQAAABwAAAAOWwcADlsHAID/"
        "//9/AAAAAQAAAAAAAAAAAAAAAAAAAIQAAAAEAQAA0AEAAPABAABYAgAAaAIAADQAAAAAAAAAAAAAPygAAACAPgAA"
        "AABPADsBwQLfBI8HyQqHDr8SZhdxHNQhgidsLYMzujn/P0VGfEyTUn1YK16OY5loQG14cTZ1cHggez59xH6wf/9/"
        "sH/Efj59IHtweDZ1eHFAbZlojmMrXn1Yk1J8TEVGAEC6OYMzbC2CJ9QhcRxmF78Shw7JCo8H3wTBAjsBTwABAAAA"
        "QAAAAEAAAAD/fwAAiX0H50F2Bc9tauS4glp+pRxHk5X7ML+J+Rh3ggAAAYAH53eCBc+/ieS4k5V+pX6lk5XkuL+J"
        "Bc93ggfnAYAAAHeC+Ri/ifswk5UcR36lglrkuG1qBc9BdgfniX0AAP9/+RiJffswQXYcR21qglqCWm1qHEdBdvsw"
        "iX35GHTzn4AH53eC2NqEhQXPv4mqwx6P5LiTlc2uD51+pX6lD53NrpOV5Lgej6rDv4kFz4SF2Np3ggfnn4B08wGA"
        "AAABAAIAAgADAAMAAwAFAAQABgAGAAkACAAMAAsAEQAPAHrZJ5RdjzTe6AThPf//JmvLcsCooFWAAqASdU1KiKxh"
        "CDhkDpYcDzqIVxFUNT9ZKn0VoACpCW0YMCf0NbdEBjuTMCAmrRs6EccGLAeSDvcVXB3CJCcsHC/gKaQkaB8sGvAU"
        "tA94CjwFVGBUYFRgVGBUYFRgVGBUYLcz//+3M///tzP//7cz//+3M///tzP//7cz//+3M///"
    ),
    "wide": (
        "VExGTbdRRT4BAAAAAAMAACAAAAA8AAAAAAAAAAAAAAAfAAAAGQAAAAUAAAAFAAAAAQAAABUAAADL/Q8Ay/0PAACA"
        "////fwAAAgAAAAAAAAAAAAAAAAAAAIQAAAD8AAAAcAIAAIQCAADgAgAA7AIAAC4AAAAAAAAAAACAOwAAAACAPgAA"
        "AAAAAAAAAAAAAAAAgQADAn8E6wc5DFgRNBe1HcAkOSwCNPs7BET9S8ZTP1tKYstop27GcxR4gHv8fX5//39+f/x9"
        "gHsUeMZzp27LaEpiP1vGU/1LBET7OwI0OSzAJLUdNBdYETkM6wd/BAMCgQAAAAAAAAAAAAAAAQAAADwAAAA8AAAA"
        "////fwAAAADJ8DN9VCZj5bsO73S+DfDLbt6NZ+9zw7RbEqZVYKHgoAAAAEBfFCaRbt6NJ7THQ4ZOMGENrYGzgLLP"
        "nvKtgbOAkiFy2LTHQ4YBAADAXxQmkaXtWapgoeCgkiFymO9zw7RF8RCLvg3wyzcPzIJUJmPlAQAAgAAAAAA3D8yC"
        "rNmcGkXxEItC8g80kiFymBGMPEul7VmqoF4fXwAAAMCh69lukiFy2Ew4vHmyz57yU35Mf04wYQ1Tfkx/bt6NJ0w4"
        "vHkAAABAoevZblsSplWgXh9fbt6NZxGMPEu7Du90QvIPNMnwM32s2Zwass+e8q2Bs4BUJmPlNw/MgpIhcti0x0OG"
        "vg3wy0XxEIsBAADAXxQmke9zw7SSIXKYpe1ZqmCh4KBgoeCgpe1ZqpIhcpjvc8O0XxQmkQAAAMBF8RCLvg3wy7TH"
        "Q4aSIXLYNw/MglQmY+WtgbOAss+e8gEAAIAAAAAAAQADAAIABQAEAAgABwAMAAwAEgAMvr613zimToXLt9erhaAz"
        "rSy5fsTQZ/B/upeErk7GGP0T5UnNf7a1nutA8dTNaar9hpJjJ0C7HCQTkDb7WWd90qA9xKnn//+56HTRLrrooqKL"
        "XXQXXdFFiy5GF1RgVGBUYFRgVGAAAMzca//M3Gv/zNxr/8zca//M3Gv/"
    ),
    "mfcc": (
        "VExGTSyBqKEBAAAAfAMAACAAAABAAAAAAAAAAAAAAAAfAAAAQAAAAAgAAAAFAAAACAAAABoAAABfWxgAX1sYAID/"
        "//9/AAAAAQAAAAAAAAAAAAAAAAAAAIQAAAAEAQAAkAIAALACAAAYAwAAaAMAADQAAAAAAAAAAAAAPygAAACAPgAA"
        "AABPADsBwQLfBI8HyQqHDr8SZhdxHNQhgidsLYMzujn/P0VGfEyTUn1YK16OY5loQG14cTZ1cHggez59xH6wf/9/"
        "sH/Efj59IHtweDZ1eHFAbZlojmMrXn1Yk1J8TEVGAEC6OYMzbC2CJ9QhcRxmF78Shw7JCo8H3wTBAjsBTwABAAAA"
        "QAAAAEAAAAD///9/AAAAAD9fin3ERwfnPK9BdrM6BM+jmG1qGhPjuJl5glpnhn2l5uwcR11nkpVNxfswxFC+iTy4"
        "+BjBoHWCAAAAAAEAAIDERwfnwaB1grM6BM/EUL6JGhPjuF1nkpVnhn2lZ4Z9pV1nkpUaE+O4xFC+ibM6BM/BoHWC"
        "xEcH5wEAAIAAAAAAwaB1gjy4+BjEUL6JTcX7MF1nkpXm7BxHZ4Z9pZl5gloaE+O4o5htarM6BM88r0F2xEcH5z9f"
        "in0AAAAA////fzy4+Bg/X4p9TcX7MDyvQXbm7BxHo5htapl5glqZeYJao5htaubsHEc8r0F2TcX7MD9fin08uPgY"
        "oix083LJnYDERwfnwaB1gqPz19qm+oKFszoEz8RQvomQRanDOzQdjxoT47hdZ5KVbDPMrlT+DZ1nhn2lZ4Z9pVT+"
        "DZ1sM8yuXWeSlRoT47g7NB2PkEWpw8RQvomzOgTPpvqChaPz19rBoHWCxEcH53LJnYCiLHTzAQAAgAAAAAABAAIA"
        "AgADAAMAAwAFAAQABgAGAAkACAAMAAsAEQAPAHrZJ5RdjzTe6AThPf//JmvLcsCooFWAAqASdU1KiKxhCDhkDpYc"
        "DzqIVxFUNT9ZKn0VoACpCW0YMCf0NbdEBjuTMCAmrRs6EccGLAeSDvcVXB3CJCcsHC/gKaQkaB8sGvAUtA94CjwF"
        "2BXYFdgV2BXYFdgV2BXYFWkwCilsG6EJX/aU5PbWl8/2PaoZVuYKwgrCVuaqGfY9jkWu7/Wth9F5LgtSUhByutlF"
        "J7onutlF2UUnuie62UWnVPb/ACgAAAAoAAAAKAAAACgAAA=="
    ),
    "ei-mfe": (
        "VExGTZ9KI58BAAAAKAMAACAAAABBAAAAAQAAAF99AAAeAAAAoAAAAAYAAAAGAAAAAQAAAB4AAAB0xxUALlfT/wMA"
        "AAAbAAAAAQAAAAAAAAAAAAAAAAAAAIQAAAAEAQAAkAIAAKgCAAAEAwAAEAMAAC4AAAAAAAAAq6oqPQMAAACAPgAA"
        "7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/"
        "7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n8BAAAA"
        "QAAAAEAAAAD///9/AAAAAD9fin3ERwfnPK9BdrM6BM+jmG1qGhPjuJl5glpnhn2l5uwcR11nkpVNxfswxFC+iTy4"
        "+BjBoHWCAAAAAAEAAIDERwfnwaB1grM6BM/EUL6JGhPjuF1nkpVnhn2lZ4Z9pV1nkpUaE+O4xFC+ibM6BM/BoHWC"
        "xEcH5wEAAIAAAAAAwaB1gjy4+BjEUL6JTcX7MF1nkpXm7BxHZ4Z9pZl5gloaE+O4o5htarM6BM88r0F2xEcH5z9f"
        "in0AAAAA////fzy4+Bg/X4p9TcX7MDyvQXbm7BxHo5htapl5glqZeYJao5htaubsHEc8r0F2TcX7MD9fin08uPgY"
        "oix083LJnYDERwfnwaB1gqPz19qm+oKFszoEz8RQvomQRanDOzQdjxoT47hdZ5KVbDPMrlT+DZ1nhn2lZ4Z9pVT+"
        "DZ1sM8yuXWeSlRoT47g7NB2PkEWpw8RQvomzOgTPpvqChaPz19rBoHWCxEcH53LJnYCiLHTzAQAAgAAAAAABAAEA"
        "AgADAAMABgAGAAgACgALAA8AEQD/////qqpVVVVVqqr///+/AIAAQABAAID/v///zMyZmWZmMzMzM2ZmmZnMzP//"
        "bdvbtkmStm0kSZIkkiQkSbZtSZLbtm3b//+56HTRLrrooqKLXXQXXdFFiy5GFz9IP0g/SD9IP0g/SGrY//9q2P//"
        "atj//2rY//9q2P//atj//w=="
    ),
    "ei-mfcc": (
        "VExGTQykPWYBAAAAdAMAACAAAAAxAAAAAQAAAF99AAAeAAAAIAAAAAcAAAAEAAAABwAAABcAAAB0x/f/Lle1/wCA"
        "////fwAAAgAAAAcAAAAAGAAAAwAAAIQAAADkAAAAcAIAAIwCAAAsAwAAZAMAAE8AAAAAAAAAq6oqPQMAAACAPgAA"
        "7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/"
        "7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/AQAAADAAAABAAAAA////fwAAAAA/X4p9xEcH5zyvQXazOgTP"
        "o5htahoT47iZeYJaZ4Z9pebsHEddZ5KVTcX7MMRQvok8uPgYwaB1ggAAAAABAACAxEcH58GgdYKzOgTPxFC+iRoT"
        "47hdZ5KVZ4Z9pWeGfaVdZ5KVGhPjuMRQvomzOgTPwaB1gsRHB+cBAACAAAAAAMGgdYI8uPgYxFC+iU3F+zBdZ5KV"
        "5uwcR2eGfaWZeYJaGhPjuKOYbWqzOgTPPK9BdsRHB+c/X4p9AAAAAP///388uPgYP1+KfU3F+zA8r0F25uwcR6OY"
        "bWqZeYJamXmCWqOYbWrm7BxHPK9Bdk3F+zA/X4p9PLj4GKIsdPNyyZ2AxEcH58GgdYKj89fapvqChbM6BM/EUL6J"
        "kEWpwzs0HY8aE+O4XWeSlWwzzK5U/g2dZ4Z9pWeGfaVU/g2dbDPMrl1nkpUaE+O4OzQdj5BFqcPEUL6JszoEz6b6"
        "goWj89fawaB1gsRHB+dyyZ2Aoix08wEAAIAAAAAAAQABAAIAAwADAAYABgAIAAoACwAPABEAAAAhAP////+qqlVV"
        "VVWqqv///78AgABAAEAAgP+////MzJmZZmYzMzMzZmaZmczM//9t29u2SZK2bSRJkiSSJCRJtm1Jktu2bdv//7no"
        "dNEuuuiiootddBdd0UWLLkYX////////////////////////////////////////////////////////////////"
        "////////////////////////AAAAAAAAAAAAAAAAAAC5WHsxOSRCDb7yx9uFzgAAXSwAAKPTo9MAAF0sAAA5JMfb"
        "x9s5JDkkx9sAACis7v8AAAAAAAAAAAAAAAA="
    ),
}
# Of all lines of hard_sound(), fed without the sound's end before it.
CHECKSUMS = {
    "narrow": 0x214246BF,
    "wide": 0x8AB08ACD,
    "mfcc": 0x9E23FC53,
    "ei-mfe": 0xA2863EA2,
    "ei-mfcc": 0x426D076E,
}
NORMALIZED = 0x0A22F2DB  # of what normalising gives of the lines of a whole sound
CHUNKS = (1, 7, 64, 65, 1000)
PART = 300  # samples of each sound
HEADER = 132  # bytes


def _loud(_i, r):
    return r - 32768


def _silence(_i, _r):
    return 0


def _lowest(_i, _r):
    return -32768


def _clipped(i, _r):
    return -32768 if i & 8 else 32767


def _quiet(_i, r):
    return 1 if r & 0x4000 else -1


def _triangle(i, _r):
    return 40 * abs(i % 50 - 25) - 500


PARTS = (_loud, _silence, _lowest, _clipped, _quiet, _triangle)


def hard_sound():
    """Return PARTS one after the other."""
    samples = array("h")
    state = 1
    for part in PARTS:
        for i in range(PART):
            state = (state * 1103 + 12345) & 0xFFFF
            samples.append(part(i, state))
    return samples


def checksum(features, samples, chunk, total=0):
    """Return the checksum of the lines of *samples*, fed *chunk* at a time."""
    view = memoryview(samples)
    for start in range(0, len(view), chunk):
        part = view[start : start + chunk]
        at = features.feed(part)
        while features.ready:
            total = crc32(features.line, total)
            at = features.feed(part, at)
    return total


def tables(name):
    return a2b_base64(TABLES[name])


class MelTest(TestCase):
    samples = None

    def setUp(self):
        gc.collect()
        try:
            self.made("narrow")
        except ImportError:
            self.skipTest("no audio front end in this build")
        if MelTest.samples is None:
            MelTest.samples = hard_sound()

    def made(self, name):
        import tflm.mel

        return tflm.mel.Features(tables(name))

    def test_bits_of_each_kind(self):
        for name in sorted(TABLES):
            total = checksum(self.made(name), self.samples, len(self.samples))
            self.assertEqual(total, CHECKSUMS[name], name)

    def test_chunks_of_any_size(self):
        for name in ("narrow", "ei-mfe", "ei-mfcc"):
            for chunk in CHUNKS:
                total = checksum(self.made(name), self.samples, chunk)
                self.assertEqual(total, CHECKSUMS[name], "%s %d" % (name, chunk))

    def test_bytes_at_an_odd_address(self):
        data = memoryview(b"x" + bytes(memoryview(self.samples)))[1:]
        total = checksum(self.made("wide"), data, len(data))
        self.assertEqual(total, CHECKSUMS["wide"])

    def test_reset_forgets_all(self):
        for name in ("ei-mfe", "ei-mfcc"):
            features = self.made(name)
            checksum(features, memoryview(self.samples)[100:333], 4000)
            features.reset()
            total = checksum(features, self.samples, 4000)
            self.assertEqual(total, CHECKSUMS[name], name)

    def test_normalized_lines_of_a_whole_sound(self):
        features = self.made("ei-mfcc")
        self.assertTrue(features.is_normalized)
        lines = features.of(self.samples)
        output = features.normalize(lines)
        self.assertEqual(crc32(output), NORMALIZED)
        data = bytes(memoryview(lines)) if isinstance(lines, array) else lines.tobytes()
        self.assertEqual(bytes(features.normalize(data)), bytes(output))
        with self.assertRaises(ValueError):
            features.normalize(bytes(7))
        with self.assertRaises(ValueError):
            features.normalize(data, bytearray(3))
        with self.assertRaises(ValueError):
            self.made("narrow").normalize(data)

    def test_whole_sound_starts_with_its_end(self):
        lines = self.made("ei-mfe").of(self.samples)
        first = lines[0] if hasattr(lines, "shape") else lines[:6]  # numpy's have rows
        features = self.made("ei-mfe")
        features._state[4:8] = bytes(4)  # not even a sample of silence
        self.assertEqual(features.feed(memoryview(self.samples)[-1:]), 1)
        self.assertEqual(features.feed(self.samples), 64)
        self.assertEqual(list(features.line), list(first))

    def test_feeding_and_reset_take_no_heap(self):
        features = self.made("mfcc")
        samples = self.samples
        features.feed(samples)  # makes room for the names of attributes
        heap_lock()
        try:
            at = features.feed(samples, 64)
            at = features.feed(samples, at, features.line)
            features.reset()
        finally:
            heap_unlock()
        self.assertEqual(at, 192)

    def test_facts_of_the_file(self):
        features = self.made("narrow")
        facts = (features.rate, features.step, features.values, features.zero_point)
        self.assertEqual(facts, (16000, 32, 8, 40))
        self.assertEqual(features.scale, 0.5)
        self.assertTrue(not features.is_normalized)

    def test_what_is_being_fed_raises_state_error(self):
        features = self.made("narrow")
        features._state[0] = 1  # as an interrupt finds it in the middle of a call
        for call in (lambda: features.feed(self.samples), features.reset):
            with self.assertRaises(tflm.StateError):
                call()
        features._state[0] = 0
        self.assertEqual(features.feed(self.samples), 64)

    def test_wrong_arguments_are_refused(self):
        features = self.made("narrow")
        for error, arguments in (
            (ValueError, (bytes(3),)),
            (ValueError, (bytes(4), 3)),
            (ValueError, (bytes(4), -1)),
            (ValueError, (bytes(4), 0, bytearray(7))),
            (TypeError, (4,)),
            (TypeError, ([1, 2],)),
        ):
            with self.assertRaises(error):
                features.feed(*arguments)

    def test_damaged_tables_are_refused(self):
        import tflm.mel

        data = tables("ei-mfcc")
        for wrong in (b"", bytes(200), data[:-1], data[:HEADER], data + b"\x00", 5):
            with self.assertRaises(ValueError):
                tflm.mel.Features(wrong)
        changed = bytearray(data)
        changed[-1] ^= 1
        with self.assertRaises(ValueError):
            tflm.mel.Features(changed)

    def test_forged_headers_never_crash(self):
        """Each word of the header, and of the transform's, made extreme, with the right sum."""
        import tflm.mel

        for name in ("narrow", "ei-mfcc"):
            data = tables(name)
            for at in range(8, HEADER + 160, 4):
                for word in (b"\x00" * 4, b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\xff" * 4):
                    changed = bytearray(data)
                    changed[at : at + 4] = word
                    total = crc32(memoryview(changed)[8:])
                    for i in range(4):
                        changed[4 + i] = (total >> (8 * i)) & 255
                    try:
                        features = tflm.mel.Features(changed)
                    except (ValueError, MemoryError):
                        continue
                    features.feed(self.samples)


if __name__ == "__main__":
    main()
