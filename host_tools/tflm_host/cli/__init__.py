"""The subcommands of `tflm`, one file each, and what only `make` calls: the demo, device tests."""
