# The module `_tflm` for ports that build with CMake: USER_C_MODULES=<this file>
#   TFLM_ISA  folder of kernels/ whose files replace those of portable/ (default: portable)
#   TFLM_OPS  the kernels to build, with commas between (default: all): `tflm ops MODEL...`;
#             prepared: all of them, and no Python for models that are not prepared
#   TFLM_HOT_IN_RAM  as in micropython.mk
if(NOT DEFINED TFLM_ISA)
    set(TFLM_ISA portable)
endif()

set(TFLM_DIR ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(TFLM_ROOT ${TFLM_DIR}/../.. ABSOLUTE)
execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${TFLM_ROOT}/host_tools python3 -m tflm_host.generate
        --frozen "${TFLM_OPS}"
    RESULT_VARIABLE TFLM_RESULT
    OUTPUT_VARIABLE TFLM_FROZEN
    OUTPUT_STRIP_TRAILING_WHITESPACE
)
if(TFLM_RESULT)
    message(FATAL_ERROR "tflm_host.generate has failed")
endif()
# A row that changes makes CMake run again, and with it the line above.
file(GLOB TFLM_ROWS CONFIGURE_DEPENDS ${TFLM_ROOT}/mp_modules/tflm/*.py
    ${TFLM_ROOT}/mp_modules/tflm/ops/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TFLM_ROWS})
include(${TFLM_ROOT}/build/generated/sources.cmake)

# Ports optimise for size. Kernels are where the time goes, not what reads models; and a float
# kernel whose products and sums were contracted would not be equal on all cores.
set(TFLM_C ${TFLM_FAST} ${TFLM_KERNELS_${TFLM_ISA}})
list(TRANSFORM TFLM_C PREPEND ${TFLM_DIR}/)
foreach(TFLM_FILE ${TFLM_C})
    get_filename_component(TFLM_NAME ${TFLM_FILE} NAME)
    set(TFLM_OPTIONS -ffp-contract=off)
    if(NOT TFLM_NAME IN_LIST TFLM_KERNELS_SMALL)
        list(APPEND TFLM_OPTIONS -O2)
    endif()
    set_source_files_properties(${TFLM_FILE} PROPERTIES COMPILE_OPTIONS "${TFLM_OPTIONS}")
endforeach()
foreach(TFLM_NAME modtflm.c ${TFLM_SMALL})
    list(APPEND TFLM_C ${TFLM_DIR}/${TFLM_NAME})
endforeach()

if(TARGET pico_multicore)
    list(APPEND TFLM_C ${TFLM_DIR}/cores_rp2.c)
endif()

add_library(usermod_tflm INTERFACE)
target_sources(usermod_tflm INTERFACE ${TFLM_C})
target_include_directories(usermod_tflm INTERFACE ${TFLM_DIR} ${TFLM_ROOT}/build ${TFLM_FROZEN})
target_compile_definitions(usermod_tflm INTERFACE TFLM_ISA=${TFLM_ISA})
if(TFLM_HOT_IN_RAM)
    target_compile_definitions(usermod_tflm INTERFACE TFLM_HOT_IN_RAM)
endif()
if(TFLM_OPS AND NOT TFLM_OPS MATCHES "^prepared")
    target_compile_definitions(usermod_tflm INTERFACE TFLM_HAS_DEFAULT=0)
    string(TOUPPER ${TFLM_OPS} TFLM_KEPT)
    string(REPLACE "," ";" TFLM_KEPT ${TFLM_KEPT})
    foreach(TFLM_KERNEL ${TFLM_KEPT})
        target_compile_definitions(usermod_tflm INTERFACE TFLM_HAS_${TFLM_KERNEL}=1)
    endforeach()
endif()
if(TFLM_OPS MATCHES "^prepared" AND NOT TFLM_OPS MATCHES "audio|listen")
    target_compile_definitions(usermod_tflm INTERFACE TFLM_HAS_AUDIO=0)
endif()
target_link_libraries(usermod INTERFACE usermod_tflm)
list(APPEND MICROPY_CPP_DEF_EXTRA TFLM_ISA=${TFLM_ISA})  # for the scan for strings, which asks no target
if(TARGET pico_multicore)
    target_compile_definitions(usermod_tflm INTERFACE TFLM_CORES=2)
    list(APPEND MICROPY_CPP_DEF_EXTRA TFLM_CORES=2)
endif()
