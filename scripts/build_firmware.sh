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
is_stm32() { grep -qs '/common/stm32\.mk$' "$board/mpconfigboard.mk"; }

if is_stm32 && [ -z "${MICROPYTHON_DIR:-}" ]; then
    echo "error: $name needs ST's HAL, which is in no package: set MICROPYTHON_DIR to a git" \
        "checkout of MicroPython with submodules" >&2
    exit 1
fi
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

if [ "$target" = mpy-cross ]; then
    directory=mpy-cross
    settings=(BUILD="$build")
elif [ -f "$board/mpconfigvariant.mk" ]; then
    directory=ports/unix
    settings=(BUILD="$build" VARIANT_DIR="$board")
elif is_stm32; then
    directory=ports/stm32
    settings=(BUILD="$build" BOARD="$name")
    if [ "$target" != "$name-stock" ]; then
        settings+=(BOARD_DIR="$board")
    elif ! grep -q '^BOARD_UPSTREAM' "$board/mpconfigboard.mk"; then
        settings+=(BOARD_DIR="$board" FROZEN_MANIFEST="$source_dir/extmod/asyncio/manifest.py")
    fi
    for library in $(sed -n 's/^BOARD_LIBRARIES = //p' "$board/mpconfigboard.mk"); do
        [ -n "$(ls -A "$source_dir/lib/$library" 2>/dev/null)" ] || {
            echo "error: $source_dir lacks lib/$library: in it, run" \
                "make -C ports/stm32 BOARD_DIR=$board submodules" >&2
            exit 1
        }
    done
elif [ -f "$board/mpconfigboard.mk" ]; then
    directory=ports/qemu
    settings=(BUILD="$build" BOARD="$name" BOARD_DIR="$board")
elif [ -f "$board/mpconfigboard.cmake" ]; then
    directory=ports/rp2
    # The date is a setting, because an object of the pico-sdk has it.
    settings=(BUILD="$build" BOARD="$name" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH")
    [ "$target" = "$name-stock" ] || settings+=(BOARD_DIR="$board")
else
    echo "error: no target '$target' in boards/" >&2
    exit 2
fi

if [ "$target" != mpy-cross ]; then
    settings+=(MICROPY_MPYCROSS="$root/build/mpy-cross/mpy-cross" MICROPY_MPYCROSS_DEPENDENCY=)
fi
if [ "$directory" = ports/rp2 ]; then
    # The makefile only starts cmake, which takes its settings once, when it makes the folder.
    # In it, frozen drivers of micropython-lib are welcome where the source has them.
    export CMAKE_ARGS="-DPICO_NO_PICOTOOL=1"
    [ -z "$kernels" ] || CMAKE_ARGS+=" -DTFLM_OPS=$kernels"
    [ -f "$source_dir/lib/micropython-lib/README.md" ] ||
        CMAKE_ARGS+=" -DMICROPY_LIB_DIR=$root/build/no-micropython-lib"
    if [ "$target" != "$name-stock" ]; then
        settings+=(
            USER_C_MODULES="$root/firmware/tflm/micropython.cmake"
            FROZEN_MANIFEST="$board/manifest.py"
        )
    else
        settings+=(FROZEN_MANIFEST="$root/boards/common/rp2_stock_manifest.py")
    fi
elif [ "$directory" = ports/stm32 ]; then
    [ "$target" = "$name-stock" ] || settings+=(USER_C_MODULES="$root/firmware")
elif [ "$directory" != mpy-cross ]; then
    settings+=(MPY_LIB_DIR="$root/build/no-micropython-lib")
    if [ "$target" != "$name-stock" ]; then
        settings+=(USER_C_MODULES="$root/firmware")
    else
        mkdir -p "$root/build/stock-modules"  # what an emulated board needs to start
        link=$root/build/stock-modules/qemu_board
        [ -L "$link" ] || ln -s ../../firmware/qemu_board "$link" 2>/dev/null || [ -L "$link" ]
        settings+=(USER_C_MODULES="$root/build/stock-modules" FROZEN_MANIFEST=)
    fi
fi
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
[ "$directory" != ports/rp2 ] || scripts/fetch_rp2_libraries.sh "$source_dir" "$name"
log=$build.log
echo "building $target: the log is build/$target.log, a first build takes a minute or two"
if ! make -C "$source_dir/$directory" -j"$jobs" "${settings[@]}" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "error: $target does not build; the whole log is in build/$target.log" >&2
    exit 1
fi
if [ "$directory" = ports/rp2 ]; then
    family=$(sed -n 's/^set(BOARD_UF2_FAMILY \(.*\))$/\1/p' "$board/mpconfigboard.cmake")
    python3 "$source_dir/tools/uf2conv.py" --convert --base 0x10000000 --family "$family" \
        --output "$build/new.uf2" "$build/firmware.bin" >>"$log"
    mv "$build/new.uf2" "$build/firmware.uf2"
fi
rm -f "$build/inputs.before"
mv "$build/inputs.next" "$build/inputs"
first_result
echo "built build/$target/$result in $SECONDS s"
