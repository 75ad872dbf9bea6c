#!/usr/bin/env bash
# Build MicroPython with tflm in it: build_firmware.sh TARGET
#   TARGET   a folder of boards/ (unix, unix-asan, MPS2_AN386, RPI_PICO, ...), or mpy-cross;
#            NAME-stock is NAME without anything of tflm; NAME-ops has the kernels in TFLM_OPS alone,
#            names and patterns as *_s8 with commas, or the name of a file that holds them: see
#            `tflm ops` and tflm_host/generate/picked.py; "prepared" is all kernels, and no Python
#            for models that are not prepared. NAME with TFLM_OPS set is NAME-ops, NAME-ops without
#            it takes the kernels of the last time. A board too small for all has a kernels.txt
# Result: build/TARGET/{firmware.elf,firmware.uf2,micropython,mpy-cross}. One build of a target runs at a time.
# Nothing is built where all inputs have the checksums of the last build: see
# tflm_host/generate/inputs.py. A folder made with other settings (source, flags, heap, compiler) is
# cleared first, because MicroPython's makefiles do not notice that.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
target=${1:?usage: build_firmware.sh TARGET}
kernels=${TFLM_OPS:-}
unset TFLM_OPS
case $target in
    *-ops | *-stock | mpy-cross) ;;
    *) [ -z "$kernels" ] || target+=-ops ;;
esac
name=${target%-stock}
name=${name%-ops}
board=$root/boards/$name
build=$root/build/$target
jobs=${JOBS:-2}
if [ "$target" = "$name-ops" ]; then
    [ ! -f "$kernels" ] || kernels=$(cat "$kernels")
    kernels=${kernels:-$(cat "$build.kernels" 2>/dev/null || true)}
elif [ "$target" = "$name" ] && [ -f "$board/kernels.txt" ]; then
    kernels=$(cat "$board/kernels.txt")
else
    kernels=
fi
if [ "$target" = "$name-ops" ] || [ -n "$kernels" ]; then
    kernels=$(PYTHONPATH=host_tools python3 -m tflm_host.generate --pick "$kernels") || exit 2
fi
is_stock() { [ "$target" = "$name-stock" ]; }

port_of() {  # target: a file of ports/, or mpy-cross
    if [ "$target" = mpy-cross ]; then
        echo mpy-cross
    elif [ -f "$board/mpconfigvariant.mk" ]; then
        echo unix
    elif grep -qs '/common/stm32\.mk$' "$board/mpconfigboard.mk"; then
        echo stm32
    elif [ -f "$board/mpconfigboard.mk" ]; then
        echo qemu
    elif [ -f "$board/mpconfigboard.cmake" ]; then
        echo rp2
    else
        echo "error: no target '$target' in boards/" >&2
        exit 2
    fi
}

# What a port may define, and what it finds: is_stock, add_modules, target, name, board, build,
# kernels, source_dir and settings, the variables for make, to which configure adds `cross`.
check_source() { :; }  # ends with a message where MicroPython's source cannot serve
configure() { :; }
fetch() { :; }  # before a build
finish() { :; }  # makes what users flash, after a build; $log takes what it prints

port=$(port_of)
directory=$port
if [ "$port" != mpy-cross ]; then
    directory=ports/$port
    . "scripts/ports/$port.sh"
fi
check_source
source_dir=$(scripts/fetch_micropython.sh)

# The date that firmware says is the source's, not today's: the same bytes come out tomorrow.
if [ -e "$source_dir/.git" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$source_dir" log -1 --format=%ct)
else
    SOURCE_DATE_EPOCH=$(date -r "$source_dir/py/mpconfig.h" +%s)
fi
export SOURCE_DATE_EPOCH

# No manifest here takes anything from micropython-lib; the makefiles want its README.
mkdir -p "$build" "$root/build/no-micropython-lib"
[ -z "$kernels" ] || echo "$kernels" >"$build.kernels"
touch "$root/build/no-micropython-lib/README.md"

exec 9>"$build.lock"
flock 9 2>/dev/null || true

add_modules() {  # C modules, for makefiles: those of tflm, or what an emulated board needs to start
    if ! is_stock; then
        settings+=(USER_C_MODULES="$root/firmware")
        return
    fi
    mkdir -p "$root/build/stock-modules"
    link=$root/build/stock-modules/qemu_board
    [ -L "$link" ] || ln -s ../../firmware/qemu_board "$link" 2>/dev/null || [ -L "$link" ]
    settings+=(USER_C_MODULES="$root/build/stock-modules" FROZEN_MANIFEST=)
}

settings=(BUILD="$build")
cross=(MICROPY_MPYCROSS="$root/build/mpy-cross/mpy-cross" MICROPY_MPYCROSS_DEPENDENCY=)
configure
if [ -n "$kernels" ]; then
    settings+=(TFLM_OPS="$kernels")
    export TFLM_OPS=$kernels  # for boards/common/manifest.py
fi
[ -z "${HEAP:-}" ] || [ "$target" = mpy-cross ] || settings+=(MICROPY_HEAP_SIZE="$HEAP")

# Where the clone and MicroPython lie is no setting: a copied folder is as good.
fingerprint=$(printf '%s\n' "${settings[@]}" | sed "s|$source_dir|MICROPYTHON|g; s|$root|.|g" | sha256sum)
first_result() {  # that a user flashes or runs, in $result
    for result in firmware.uf2 firmware.hex firmware.elf micropython mpy-cross; do
        [ ! -f "$build/$result" ] || return 0
    done
}
status=0
PYTHONPATH=host_tools python3 -m tflm_host.generate.inputs \
    "$target" "$source_dir" "${fingerprint%% *}" || status=$?
if [ $status = 0 ]; then
    first_result
    echo "build/$target/$result is current"
    exit
fi
[ $status = 3 ] || exit 2

[ "$target" = mpy-cross ] || scripts/build_firmware.sh mpy-cross
fetch
log=$build.log
echo "building $target: the log is build/$target.log, a first build takes a minute or two"
if ! make -C "$source_dir/$directory" -j"$jobs" "${settings[@]}" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "error: $target does not build; the whole log is in build/$target.log" >&2
    exit 1
fi
finish
rm -f "$build/inputs.before"
mv "$build/inputs.next" "$build/inputs"
first_result
echo "built build/$target/$result in $SECONDS s"
