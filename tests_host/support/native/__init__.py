"""The C of firmware/tflm, compiled for this machine and called from Python or alone."""
