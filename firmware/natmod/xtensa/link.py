"""MicroPython's mpy_ld.py, for objects that LLVM assembles and GNU ld joins for an Xtensa.

    link.py MICROPYTHON ARGUMENTS...

The assembler leaves relocations of type NONE. What a symbol's address is moved by stands in the
relocation, where mpy_ld.py looks for it in the section's bytes. Both are brought into the form
that it reads, before it links.
"""

import sys
from pathlib import Path

R_XTENSA_NONE, R_XTENSA_32, R_XTENSA_SLOT0_OP = 0, 1, 20
WORD = 4
FUNCTIONS = "mp_fun_table"  # the firmware's: mpy_ld.py knows places in it


def settle(section):
    """Drop the relocations of *section* that say nothing; move addends of words into its bytes.

    Distances to literals become zero, since mpy_ld.py adds its own to what is there.
    Raises ValueError for a word that points into a symbol: mpy_ld.py would drop the distance.
    """
    section.reloc = [r for r in section.reloc if r["r_info_type"] != R_XTENSA_NONE]
    section.data = bytearray(section.data)
    for r in section.reloc:
        if r["r_info_type"] == R_XTENSA_SLOT0_OP and r.sym.section.name.startswith(".literal"):
            section.data[r["r_offset"] + 1 : r["r_offset"] + 3] = bytes(2)  # l32r's distance
        if r["r_info_type"] != R_XTENSA_32 or r["r_addend"] == 0 or r.sym.name == FUNCTIONS:
            continue
        if r.sym["st_info"]["type"] != "STT_SECTION":
            raise ValueError(f"{section.name} points {r['r_addend']} bytes into {r.sym.name}")
        place = slice(r["r_offset"], r["r_offset"] + WORD)
        moved = int.from_bytes(section.data[place], "little") + r["r_addend"]
        section.data[place] = (moved & 0xFFFFFFFF).to_bytes(WORD, "little")
        r.entry["r_addend"] = 0


def main(micropython, *arguments):
    sys.path.insert(0, str(Path(micropython) / "tools"))
    import mpy_ld

    load = mpy_ld.load_object_file

    def load_settled(env, file, name):
        load(env, file, name)
        for section in [*env.sections, *env.literal_sections]:
            settle(section)

    mpy_ld.load_object_file = load_settled
    sys.argv = ["mpy_ld.py", *arguments]
    mpy_ld.main()


if __name__ == "__main__":
    main(*sys.argv[1:])
