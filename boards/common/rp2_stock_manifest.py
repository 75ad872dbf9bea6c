# Frozen into the firmware of a board with an RP2040 or RP2350 that is built without tflm: what
# upstream freezes, its drivers in micropython-lib left out.
freeze("$(PORT_DIR)/modules")
include("$(MPY_DIR)/extmod/asyncio")
