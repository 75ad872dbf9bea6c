# What boards share that run on the RISC-V cores of an RP2350: see rp2.cmake, which comes before.
set(PICO_PLATFORM rp2350-riscv)
set(PICO_CLIB picolibc)
set(CMAKE_TOOLCHAIN_FILE ${CMAKE_CURRENT_LIST_DIR}/rp2_riscv_toolchain.cmake)

# CMake reads the toolchain's file again in projects of its own, which inherit the environment alone.
get_filename_component(BOARD_PICO_SDK ${PICO_SDK_PATH} ABSOLUTE)
set(ENV{BOARD_PICO_SDK} ${BOARD_PICO_SDK})
set(ENV{BOARD_SPECS} ${CMAKE_BINARY_DIR}/specs)

# The SDK has a linker script of its own, a loader whose sections nothing refers to, and asks for
# newlib's stubs of system calls, which picolibc does not need.
execute_process(
    COMMAND riscv64-unknown-elf-gcc -print-file-name=picolibc.specs
    OUTPUT_VARIABLE BOARD_PICOLIBC
    OUTPUT_STRIP_TRAILING_WHITESPACE
)
file(READ ${BOARD_PICOLIBC} BOARD_PICOLIBC)
string(REGEX REPLACE "%{!T:-Tpicolibc.ld}|--gc-sections" "" BOARD_PICOLIBC "${BOARD_PICOLIBC}")
file(WRITE $ENV{BOARD_SPECS}/picolibc.specs "${BOARD_PICOLIBC}")
file(WRITE $ENV{BOARD_SPECS}/nosys.specs "")

# Debian's compiler for RISC-V has no library of C++; no C++ is in this firmware.
list(APPEND MICROPY_DEF_BOARD PICO_CXX_DISABLE_ALLOCATION_OVERRIDES=1)
function(board_link_as_c)
    set_target_properties(${MICROPY_TARGET} PROPERTIES LINKER_LANGUAGE C)
endfunction()
cmake_language(DEFER CALL board_link_as_c)
