"""Reading a .tflite file where it lies."""
