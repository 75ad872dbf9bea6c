# The module `_tflm` for ports that build with CMake: USER_C_MODULES=<this file>
#   TFLM_ISA  folder of kernels/ whose files replace those of portable/ (default: portable)
#   TFLM_OPS  the kernels to build, with commas between (default: the variable of the environment,
#             else all): `tflm ops MODEL...`; prepared: all of them, and no Python for models that
#             are not prepared
#   TFLM_SMALL_KERNELS, TFLM_SPEED_MORE, TFLM_HOT_IN_RAM  as in micropython.mk
if(NOT DEFINED TFLM_ISA)
    set(TFLM_ISA portable)
endif()
if(NOT DEFINED TFLM_OPS)
    set(TFLM_OPS "$ENV{TFLM_OPS}")  # where the manifest finds it
endif()

set(TFLM_DIR ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(TFLM_ROOT ${TFLM_DIR}/../.. ABSOLUTE)
execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${TFLM_ROOT}/host_tools python3 -m tflm_host.generate
        --frozen "${TFLM_OPS}"
    RESULT_VARIABLE TFLM_RESULT
    OUTPUT_VARIABLE TFLM_MADE
    OUTPUT_STRIP_TRAILING_WHITESPACE
)
if(TFLM_RESULT)
    message(FATAL_ERROR "tflm_host.generate has failed")
endif()
separate_arguments(TFLM_MADE)  # a folder, then macros
list(POP_FRONT TFLM_MADE TFLM_FROZEN)
# A row or an option that changes makes CMake run again, and with it the line above. Objects then
# follow their options.
file(GLOB TFLM_ROWS CONFIGURE_DEPENDS ${TFLM_ROOT}/mp_modules/tflm/base/layout.py
    ${TFLM_ROOT}/mp_modules/tflm/ops/*.py ${TFLM_ROOT}/host_tools/tflm_host/generate/sources.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TFLM_ROWS})
include(${TFLM_ROOT}/build/generated/sources.cmake)

# Which files have which options, and why: host_tools/tflm_host/generate/sources.py.
separate_arguments(TFLM_SMALL_KERNELS)
if(TFLM_OPS)
    list(APPEND TFLM_SMALL_KERNELS ${TFLM_SMALL_SELECTED})
endif()
separate_arguments(TFLM_SPEED_MORE)
set(TFLM_C ${TFLM_FAST} ${TFLM_KERNELS_${TFLM_ISA}})
list(TRANSFORM TFLM_C PREPEND ${TFLM_DIR}/)
foreach(TFLM_FILE ${TFLM_C})
    get_filename_component(TFLM_NAME ${TFLM_FILE} NAME)
    set(TFLM_OPTIONS ${TFLM_FAST_OPTIONS})
    if(NOT TFLM_NAME IN_LIST TFLM_KERNELS_SMALL AND NOT TFLM_NAME IN_LIST TFLM_SMALL_KERNELS)
        list(APPEND TFLM_OPTIONS ${TFLM_SPEED} ${TFLM_SPEED_MORE})
    endif()
    set_source_files_properties(${TFLM_FILE} PROPERTIES COMPILE_OPTIONS "${TFLM_OPTIONS}")
endforeach()
foreach(TFLM_NAME modtflm.c ${TFLM_SMALL})
    list(APPEND TFLM_C ${TFLM_DIR}/${TFLM_NAME})
endforeach()

if(TARGET pico_multicore)
    list(APPEND TFLM_C ${TFLM_DIR}/cores_rp2.c ${TFLM_DIR}/microphone_rp2.c
        ${TFLM_DIR}/audio/microphone.c ${TFLM_DIR}/audio/pdm.c)
    set_source_files_properties(${TFLM_DIR}/audio/pdm.c PROPERTIES COMPILE_OPTIONS "${TFLM_SPEED}")
endif()

add_library(usermod_tflm INTERFACE)
target_sources(usermod_tflm INTERFACE ${TFLM_C})
target_include_directories(usermod_tflm INTERFACE ${TFLM_DIR} ${TFLM_ROOT}/build ${TFLM_FROZEN})
target_compile_definitions(usermod_tflm INTERFACE TFLM_ISA=${TFLM_ISA} ${TFLM_MADE})
if(TFLM_HOT_IN_RAM)
    target_compile_definitions(usermod_tflm INTERFACE TFLM_HOT_IN_RAM)
endif()
target_link_libraries(usermod INTERFACE usermod_tflm)
list(APPEND MICROPY_CPP_DEF_EXTRA TFLM_ISA=${TFLM_ISA})  # for the scan for strings, which asks no target
if(TARGET pico_multicore)
    target_compile_definitions(usermod_tflm INTERFACE TFLM_CORES=2 TFLM_ADC=1)
    list(APPEND MICROPY_CPP_DEF_EXTRA TFLM_CORES=2 TFLM_ADC=1)
endif()
