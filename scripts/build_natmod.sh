#!/usr/bin/env bash
# Build the C module `_tflm` as a native .mpy file: build_natmod.sh ARCH
#   ARCH   armv6m, armv7m, armv7emsp, rv32imc, xtensawin or x64
# Result: build/natmod/ARCH/_tflm.mpy. $PYTHON names a Python that has pyelftools.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
arch=${1:?usage: build_natmod.sh ARCH}
build=$root/build/natmod/$arch
log=$build.log

source_dir=$(scripts/fetch_micropython.sh)
scripts/build_firmware.sh mpy-cross
if [ "$arch" = xtensawin ]; then
    XTENSA=$(scripts/fetch_xtensa.sh)
    export XTENSA
fi
mkdir -p "$root/build/natmod"

exec 9>"$build.lock"
flock 9 2>/dev/null || true

# It takes seconds, and the makefile does not notice a change of headers or flags.
rm -rf "$build"
mkdir "$build"
if ! make -C firmware/natmod -j"${JOBS:-2}" "$build/_tflm.mpy" \
    ARCH="$arch" MPY_DIR="$source_dir" BUILD="$build" PYTHON="${PYTHON:-$root/.venv/bin/python}" \
    MPY_CROSS="$root/build/mpy-cross/mpy-cross" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "error: _tflm.mpy does not build for $arch; the whole log is in build/natmod/$arch.log" >&2
    exit 1
fi
