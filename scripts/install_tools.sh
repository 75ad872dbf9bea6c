#!/usr/bin/env bash
# Install the Debian packages that building and emulating need, those that are missing only.
# Needs root or sudo for that; without either, names the packages and fails.
set -euo pipefail

packages=(
    gcc libc6-dev make git xz-utils  # MicroPython's unix port and mpy-cross
    gcc-arm-none-eabi libnewlib-arm-none-eabi  # firmware for Cortex-M
    cmake libstdc++-arm-none-eabi-newlib bzip2  # firmware for the RP2040 and RP2350
    qemu-system-arm  # the boards
    python3-venv ca-certificates  # the host tools
)
# Node runs the emulated Pico. Where it comes from elsewhere than Debian, npm is part of it.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

# Opens the page of `tflm arena --html` in a test, which does without where there is no such package.
wanted=(chromium-headless-shell)

is_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done
for package in "${wanted[@]}"; do
    is_installed "$package" || ! apt-cache show "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "error: no apt-get here; install what these Debian packages hold: ${missing[*]}" >&2
    exit 1
elif [ "$(id -u)" = 0 ]; then
    as_root=()
elif command -v sudo >/dev/null; then
    as_root=(sudo)
else
    echo "error: missing packages; as root, run: apt-get install ${missing[*]}" >&2
    exit 1
fi
echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get -q update >&2
"${as_root[@]}" apt-get -q install -y --no-install-recommends "${missing[@]}" >&2
