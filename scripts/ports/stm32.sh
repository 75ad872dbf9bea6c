# The stm32 port. build_firmware.sh reads this.
check_source() {
    [ -n "${MICROPYTHON_DIR:-}" ] || {
        echo "error: $name needs ST's HAL, which is in no package: set MICROPYTHON_DIR to a git" \
            "checkout of MicroPython with submodules" >&2
        exit 1
    }
}

configure() {
    settings+=(BOARD="$name")
    if ! is_stock; then
        settings+=(BOARD_DIR="$board")
    elif ! grep -q '^BOARD_UPSTREAM' "$board/mpconfigboard.mk"; then
        settings+=(BOARD_DIR="$board" FROZEN_MANIFEST="$source_dir/extmod/asyncio/manifest.py")
    fi
    settings+=("${cross[@]}")
    is_stock || settings+=(USER_C_MODULES="$root/firmware")
    for library in $(sed -n 's/^BOARD_LIBRARIES = //p' "$board/mpconfigboard.mk"); do
        [ -n "$(ls -A "$source_dir/lib/$library" 2>/dev/null)" ] || {
            echo "error: $source_dir lacks lib/$library: in it, run" \
                "make -C ports/stm32 BOARD_DIR=$board submodules" >&2
            exit 1
        }
    done
}
