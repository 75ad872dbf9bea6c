# The unix port: MicroPython as a program of this machine. build_firmware.sh reads this.
configure() {
    settings+=(VARIANT_DIR="$board" "${cross[@]}" MPY_LIB_DIR="$root/build/no-micropython-lib")
    add_modules
}
