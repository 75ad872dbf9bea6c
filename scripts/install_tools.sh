#!/usr/bin/env bash
# Install the Debian packages that building and emulating need, those that are missing only.
# Needs root or sudo for that; without either, names the packages and fails.
set -euo pipefail

packages=(
    gcc libc6-dev make git xz-utils  # MicroPython's unix port and mpy-cross
    gcc-arm-none-eabi libnewlib-arm-none-eabi  # firmware for Cortex-M
    cmake libstdc++-arm-none-eabi-newlib bzip2  # firmware for the RP2040 and RP2350
    gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf  # firmware for RISC-V
    qemu-system-arm qemu-system-misc  # the boards
    python3-venv ca-certificates  # the host tools
)
# Node runs the emulated Pico. Where it comes from elsewhere than Debian, npm is part of it.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

# What some tests, and the web page that runs models, are skipped without, where it cannot be had.
optional=(
    chromium-headless-shell  # opens pages in tests
    clang lld wasi-libc libclang-rt-dev-wasm32  # the C kernels as WebAssembly
    espeak-ng  # speaks to wake words
    qemu-user  # runs the kernels of an ESP32
)

is_missing() {
    ! dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

missing=()
for package in "${packages[@]}"; do
    ! is_missing "$package" || missing+=("$package")
done
wanted=()
for package in "${optional[@]}"; do
    ! is_missing "$package" || wanted+=("$package")
done
[ ${#missing[@]} -gt 0 ] || [ ${#wanted[@]} -gt 0 ] || exit 0

as_root=()
if ! command -v apt-get >/dev/null; then
    reason="no apt-get here; install what these Debian packages hold"
elif [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    reason="missing packages; as root, run: apt-get install"
else
    reason=
    [ "$(id -u)" = 0 ] || as_root=(sudo)
fi
if [ -n "$reason" ]; then
    [ ${#missing[@]} -gt 0 ] || exit 0
    echo "error: $reason ${missing[*]}" >&2
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
install() {
    echo "installing $*" >&2
    "${as_root[@]}" apt-get -q install -y --no-install-recommends "$@" >&2
}
"${as_root[@]}" apt-get -q update >&2 || [ ${#missing[@]} -eq 0 ]
[ ${#missing[@]} -eq 0 ] || install "${missing[@]}"
for package in "${wanted[@]}"; do
    install "$package" || echo "note: without $package some tests are skipped" >&2
done
