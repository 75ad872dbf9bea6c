"""Certificates of boards: what `tflm certify` runs, writes and checks."""
