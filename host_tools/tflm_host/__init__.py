"""Host tools of tflm: the package behind the `tflm` command."""
