"""Measure the time, memory and flash of models and firmware: bench/ and boards/*/sizes.csv."""
