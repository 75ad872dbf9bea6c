"""What AdcMicrophone makes of voltages, in Python: firmware/tflm/audio/microphone.c."""

FRACTION = 10
SLOW = 9


class HighPass:
    """Takes values of 12 bits one by one, and gives samples of int16 whose mean is 0."""

    def __init__(self):
        self.mean = None

    def take(self, value):
        value *= 16
        if self.mean is None:
            self.mean = value << FRACTION
        sample = value - ((self.mean + (1 << (FRACTION - 1))) >> FRACTION)
        self.mean += ((value << FRACTION) - self.mean) >> SLOW
        return max(-32768, min(sample, 32767))


def samples_of(values):
    """Return the samples that the voltages *values* give, from the first one on."""
    one = HighPass()
    return [one.take(int(value)) for value in values]
