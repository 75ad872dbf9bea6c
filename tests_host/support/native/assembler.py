"""Thumb instructions as bytes."""

import subprocess


def assembled(folder, cpu, lines):
    """Return the bytes of the instructions *lines*."""
    source, unit, code = (folder / f"code.{suffix}" for suffix in ("s", "o", "bin"))
    source.write_text("\n".join([".syntax unified", ".thumb", *lines, ""]))
    subprocess.run(["arm-none-eabi-as", cpu, "-o", unit, source], check=True)
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", unit, code], check=True)
    return code.read_bytes()
