"""The options of `tflm prepare`, as one word of the snapshot's header, for proofs.

bit 0      small
bit 1      feed
bit 2      whole layers
bits 3-7   KiB of the cache before flash
bits 8-28  bytes of --ram in units of 16, 0 for no limit
bit 29     whether the memory plan is divided over two memories; what --memory said follows
bit 30     large
bit 31     whether loading copies operator parameters to the arena, which prepare() decides
"""

from tflm.base.layout import ALIGNMENT

from ..model.flash_cache import KIB

SMALL, FEED, WHOLE = 1, 2, 4
CACHE_SHIFT, MOST_CACHE = 3, 31
RAM_SHIFT, MOST_RAM = 8, 0x1FFFFF
LARGE = 1 << 30


def round_ram(ram):
    """Return the bytes that stand for *ram* in the word: arenas are multiples of sixteen."""
    return None if ram is None else min(max(ram // ALIGNMENT, 1), MOST_RAM) * ALIGNMENT


def word_of(ram, by_rows, feed, small, large, flash_cache):
    """Return the word for the options of prepare(); a larger cache counts as 31 KiB."""
    flags = SMALL * bool(small) | LARGE * bool(large) | FEED * bool(feed) | WHOLE * (not by_rows)
    cache = min(flash_cache // KIB, MOST_CACHE)
    return flags | cache << CACHE_SHIFT | (ram or 0) // ALIGNMENT << RAM_SHIFT


def options_of(snapshot):
    """Return the options of prepare() that *snapshot*, a prepared.Snapshot, notes."""
    word = snapshot.words[-1]
    return {
        "first_memory": snapshot.first_room,
        "ram": (word >> RAM_SHIFT & MOST_RAM) * ALIGNMENT or None,
        "by_rows": not word & WHOLE,
        "feed": bool(word & FEED),
        "small": bool(word & SMALL),
        "large": bool(word & LARGE),
        "flash_cache": (word >> CACHE_SHIFT & MOST_CACHE) * KIB,
    }
