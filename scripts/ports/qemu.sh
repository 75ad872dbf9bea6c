# The qemu port: boards that QEMU emulates. build_firmware.sh reads this.
configure() {
    settings+=(BOARD="$name" BOARD_DIR="$board" "${cross[@]}")
    settings+=(MPY_LIB_DIR="$root/build/no-micropython-lib")
    add_modules
}
