#!/usr/bin/env bash
# Make what runs the RP2040 firmware without a board, in build/rp2040js: the npm package rp2040js
# (node_modules/, pinned by host_tools/tflm_host/targets/rp2040js/package-lock.json) and bootrom.bin.
set -euo pipefail
cd "$(dirname "$0")/.."
sources=$PWD/host_tools/tflm_host/targets/rp2040js
build=$PWD/build/rp2040js
cache=${TFLM_CACHE:-$HOME/.cache/tflm}/npm

for tool in node npm arm-none-eabi-gcc; do
    command -v "$tool" >/dev/null || {
        echo "error: $tool is missing: run \`make setup\`" >&2
        exit 1
    }
done

mkdir -p "$build"
exec 9>"$build.lock"
flock 9 2>/dev/null || true
touch "$build/started"

lock=$sources/package-lock.json
if ! cmp --silent "$lock" "$build/package-lock.json" || [ ! -d "$build/node_modules" ]; then
    cp "$sources/package.json" "$lock" "$sources/.npmrc" "$build"
    npm --prefix "$build" --cache "$cache" --no-update-notifier ci >"$build.log" 2>&1 || {
        rm -f "$build/package-lock.json"
        tail -n 20 "$build.log" >&2
        echo "error: npm cannot install rp2040js" >&2
        exit 1
    }
fi

arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -std=c99 -Wall -Wextra -Werror \
    -ffreestanding -fno-builtin -fno-tree-loop-distribute-patterns -nostdlib \
    -T "$sources/bootrom.ld" "$sources"/bootrom.S "$sources"/bootrom*.c -lgcc \
    -o "$build/bootrom.elf"
arm-none-eabi-objcopy -O binary "$build/bootrom.elf" "$build/bootrom.bin"
mv "$build/started" "$build/built"
