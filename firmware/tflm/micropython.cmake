# The module `_tflm` for ports that build with CMake: USER_C_MODULES=<this file>
#   TFLM_ISA  folder of kernels/ whose files replace those of portable/ (default: portable)
#   TFLM_OPS  the kernels to build, with commas between (default: all): `tflm ops MODEL...`
if(NOT DEFINED TFLM_ISA)
    set(TFLM_ISA portable)
endif()

set(TFLM_DIR ${CMAKE_CURRENT_LIST_DIR})
file(GLOB TFLM_C CONFIGURE_DEPENDS ${TFLM_DIR}/kernels/*.c ${TFLM_DIR}/kernels/${TFLM_ISA}/*.c)
file(GLOB TFLM_PORTABLE_C CONFIGURE_DEPENDS ${TFLM_DIR}/kernels/portable/*.c)
foreach(TFLM_FILE ${TFLM_PORTABLE_C})
    get_filename_component(TFLM_NAME ${TFLM_FILE} NAME)
    if(NOT EXISTS ${TFLM_DIR}/kernels/${TFLM_ISA}/${TFLM_NAME})
        list(APPEND TFLM_C ${TFLM_FILE})
    endif()
endforeach()
list(APPEND TFLM_C ${TFLM_DIR}/runner.c ${TFLM_DIR}/dispatch.c ${TFLM_DIR}/quantization.c)

# Ports optimise for size. Kernels are where the time goes, not what reads models; and a float
# kernel whose products and sums were contracted would not be equal on all cores.
set_source_files_properties(${TFLM_C} PROPERTIES COMPILE_OPTIONS "-O2;-ffp-contract=off")
foreach(TFLM_NAME modtflm flatbuffer describe convolution slices elements)
    list(APPEND TFLM_C ${TFLM_DIR}/${TFLM_NAME}.c)
endforeach()

if(TARGET pico_multicore)
    list(APPEND TFLM_C ${TFLM_DIR}/cores_rp2.c)
endif()

add_library(usermod_tflm INTERFACE)
target_sources(usermod_tflm INTERFACE ${TFLM_C})
target_include_directories(usermod_tflm INTERFACE ${TFLM_DIR})
target_compile_definitions(usermod_tflm INTERFACE TFLM_ISA=${TFLM_ISA})
if(TFLM_OPS)
    target_compile_definitions(usermod_tflm INTERFACE TFLM_HAS_DEFAULT=0)
    string(TOUPPER ${TFLM_OPS} TFLM_KEPT)
    string(REPLACE "," ";" TFLM_KEPT ${TFLM_KEPT})
    foreach(TFLM_KERNEL ${TFLM_KEPT})
        target_compile_definitions(usermod_tflm INTERFACE TFLM_HAS_${TFLM_KERNEL}=1)
    endforeach()
endif()
target_link_libraries(usermod INTERFACE usermod_tflm)
list(APPEND MICROPY_CPP_DEF_EXTRA TFLM_ISA=${TFLM_ISA})  # for the scan for strings, which asks no target
if(TARGET pico_multicore)
    target_compile_definitions(usermod_tflm INTERFACE TFLM_CORES=2)
    list(APPEND MICROPY_CPP_DEF_EXTRA TFLM_CORES=2)
endif()
