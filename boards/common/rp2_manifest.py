# Frozen into the firmware of every board with an RP2040 or RP2350: what upstream freezes, and
# the runtime package.
freeze("$(PORT_DIR)/modules")
include("$(MPY_DIR)/extmod/asyncio")
for driver in ("onewire", "ds18x20", "dht", "neopixel"):
    try:
        require(driver)
    except Exception:  # micropython-lib is in a git checkout only; ours have the same functions
        module(driver + ".py", base_path="drivers")
include("manifest.py", camera=True)
