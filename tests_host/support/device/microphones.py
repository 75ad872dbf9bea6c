"""What the tests of microphones of an emulated Pico run there."""

# Reads 20 blocks of `mic` into `buffer` while nothing can be allocated.
NO_HEAP = """
import micropython
def listen():
    for i in range(20):
        mic.readinto(buffer)
def locked():
    micropython.heap_lock()
    try:
        listen()
    finally:
        micropython.heap_unlock()
mic.readinto(buffer)
lost = mic.lost
locked()
print("no heap", mic.lost - lost)
"""
