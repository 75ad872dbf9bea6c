"""The subcommands of `tflm`, one file each, and commands of `make`: the demo, device tests."""
