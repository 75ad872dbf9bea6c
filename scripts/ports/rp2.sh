# The rp2 port: RP2040 and RP2350. build_firmware.sh reads this.

# The makefile only starts cmake, which takes its settings once, when it makes the folder. In it,
# frozen drivers of micropython-lib are welcome where the source has them. The date is a setting,
# because an object of the pico-sdk has it.
configure() {
    settings+=(BOARD="$name" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH")
    is_stock || settings+=(BOARD_DIR="$board")
    settings+=("${cross[@]}")
    export CMAKE_ARGS="-DPICO_NO_PICOTOOL=1"
    [ -z "$kernels" ] || CMAKE_ARGS+=" -DTFLM_OPS=$kernels"
    [ -f "$source_dir/lib/micropython-lib/README.md" ] ||
        CMAKE_ARGS+=" -DMICROPY_LIB_DIR=$root/build/no-micropython-lib"
    if is_stock; then
        settings+=(FROZEN_MANIFEST="$root/boards/common/rp2_stock_manifest.py")
    else
        settings+=(
            USER_C_MODULES="$root/firmware/tflm/micropython.cmake"
            FROZEN_MANIFEST="$board/manifest.py"
        )
    fi
}

fetch() {
    scripts/fetch_rp2_libraries.sh "$source_dir" "$name"
}

finish() {
    family=$(sed -n 's/^set(BOARD_UF2_FAMILY \(.*\))$/\1/p' "$board/mpconfigboard.cmake")
    python3 "$source_dir/tools/uf2conv.py" --convert --base 0x10000000 --family "$family" \
        --output "$build/new.uf2" "$build/firmware.bin" >>"$log"
    mv "$build/new.uf2" "$build/firmware.uf2"
}
