"""A model on this machine: its file, its tensors, the kernels that run it, and TFLM's outputs."""
