#!/usr/bin/env bash
# Build with other versions of MicroPython and run all device tests: try_versions.sh SOURCE...
#   SOURCE   folder with MicroPython's source; for RPI_PICO with lib/pico-sdk, tinyusb and mbedtls
# TARGETS names others than unix, MPS2_AN386, VIRT_RV32, RPI_PICO, and MPS2_AN386-stock, which has the
# native module that the version of fetch_micropython.sh makes. Prints a row of Markdown for each
# version, as docs/versions.md has it; logs are in build/versions. What was built before in build/ is
# built anew for each version, and once more afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || {
    echo "usage: try_versions.sh SOURCE..." >&2
    exit 2
}
read -ra targets <<<"${TARGETS:-unix MPS2_AN386 VIRT_RV32 RPI_PICO MPS2_AN386-stock}"
python=${PYTHON:-.venv/bin/python}
logs=build/versions
mkdir -p "$logs"

version_of() {
    awk '/^#define MICROPY_VERSION_(MAJOR|MINOR|MICRO|PRERELEASE) / { part[$2] = $3 }
        END { v = "MICROPY_VERSION_"
            printf "%s.%s.%s", part[v "MAJOR"], part[v "MINOR"], part[v "MICRO"]
            if (part[v "PRERELEASE"]) printf "-preview" }' "$1/py/mpconfig.h"
}

# try SOURCE TARGET LOG: prints what goes into the table, tests passed and failed.
try() {
    MICROPYTHON_DIR=$1 scripts/build_firmware.sh "$2" >"$3" 2>&1 || {
        printf "does not build"
        return
    }
    MICROPYTHON_DIR=$1 "$python" -m tflm_host.cli.device_tests "$2" >>"$3" 2>&1 || true
    awk '$1 == target && match($0, / (ok|FAILED) .*/) {
            split(substr($0, RSTART), field, " "); passed += field[2]; failed += field[4] }
        END { printf "%d passed%s", passed, failed ? ", " failed " failed" : "" }
        ' target="$2" "$3"
}

"$python" -m tflm_host.deploy.package armv7emsp >"$logs/package.log"
echo "| MicroPython |$(printf ' %s |' "${targets[@]}")"
for source in "$@"; do
    version=$(version_of "$source")
    row="| $version |"
    for target in "${targets[@]}"; do
        row+=" $(try "$(cd "$source" && pwd)" "$target" "$logs/$version-$target.log") |"
    done
    echo "$row"
done
