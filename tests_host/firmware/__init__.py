"""What needs a build of MicroPython, an emulator or the sources of either."""
