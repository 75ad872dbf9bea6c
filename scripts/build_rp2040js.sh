#!/usr/bin/env bash
# Make what runs the RP2040 firmware without a board, in build/rp2040js: the npm package rp2040js
# (node_modules/, pinned by host_tools/tflm_host/targets/rp2040js/package-lock.json) and bootrom.bin.
set -euo pipefail
cd "$(dirname "$0")/.."
sources=$PWD/host_tools/tflm_host/targets/rp2040js
build=$PWD/build/rp2040js

for tool in node npm arm-none-eabi-gcc; do
    command -v "$tool" >/dev/null || {
        echo "error: $tool is missing: run \`make setup\`" >&2
        exit 1
    }
done

mkdir -p "$build"
scripts/npm_install.sh "$sources" "$build"

arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -std=c99 -Wall -Wextra -Werror \
    -ffreestanding -fno-builtin -fno-tree-loop-distribute-patterns -nostdlib \
    -T "$sources/bootrom.ld" "$sources"/bootrom.S "$sources"/bootrom*.c -lgcc \
    -o "$build/bootrom.elf"
arm-none-eabi-objcopy -O binary "$build/bootrom.elf" "$build/bootrom.bin"
