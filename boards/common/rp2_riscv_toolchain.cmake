# Debian's compiler for RISC-V, which is called riscv64. Of the older specification, rv32imac has the
# instructions of zicsr and zifencei; its libraries are found by that name alone. Its version 12 dies
# of C for Zbs ("unrecognizable insn"): only the assembler is told of what the SDK's assembly needs.
set(CMAKE_SYSTEM_PROCESSOR hazard3)
set(PICO_DEFAULT_GCC_TRIPLE riscv64-unknown-elf)
string(CONCAT PICO_COMMON_LANG_FLAGS
    " -march=rv32imac -mabi=ilp32 -misa-spec=2.2 -mno-riscv-attribute"
    " -Wa,-march=rv32imac_zba_zbb_zbs_zbkb --specs=$ENV{BOARD_SPECS}/picolibc.specs")
include($ENV{BOARD_PICO_SDK}/cmake/preload/toolchains/util/pico_arm_gcc_common.cmake)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-march=rv32imac -B$ENV{BOARD_SPECS}")
