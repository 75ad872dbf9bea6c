# Merged behind poll.py where TFLM_OPS names sound: threads claim a front end one by one.

try:
    from _thread import allocate_lock

    _lock = allocate_lock()  # of the claims of all front ends
    _claim, _feed = audio_claim, audio_feed  # noqa: F821 - natmod.c has defined both

    def audio_claim(state):
        tries = 1000  # an interrupt that comes within a claim would wait for ever
        while tries:
            if _lock.acquire(False):
                try:  # a `finally` would need the heap
                    is_ours = _claim(state)
                except:  # Ctrl-C, too
                    _lock.release()
                    raise
                _lock.release()
                return is_ours
            tries -= 1
        return False

    def audio_feed(state, samples, start, line):
        return _feed(state, samples, start, line, audio_claim)

    del allocate_lock
except ImportError:
    pass
