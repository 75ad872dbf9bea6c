# Frozen into firmware that MicroPython's esp32 port builds: what upstream freezes, and the runtime
# package. docs/ways.md has the commands.
include("$(PORT_DIR)/boards/manifest.py")
include("manifest.py")
