"""The kernels of every ISA: exactness, bounds and the runner."""
