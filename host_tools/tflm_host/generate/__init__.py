"""What is generated from mp_modules/tflm."""
