"""The C of firmware/tflm, compiled for this machine, as a library for Python or as a program."""
