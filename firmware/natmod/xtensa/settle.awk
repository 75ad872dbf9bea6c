# LLVM's intermediate code, changed where LLVM 22 compiles it wrongly for an Xtensa.

# Selecting one of two constants as floats ends llc: it is given their bits.
match($0, /^ *%[^ ]+ = select i1 [^,]+, float [-+0-9.a-fxA-F]+, float [-+0-9.a-fxA-F]+/) {
    name = $1
    sub(/^%/, "", name)
    split($0, parts, /, float /)
    condition = parts[1]
    sub(/.*select /, "", condition)
    second = parts[3]
    sub(/[, ].*/, "", second)
    printf "  %%bits.%s = select %s, i32 bitcast (float %s to i32), i32 bitcast (float %s to i32)\n", \
        name, condition, parts[2], second
    printf "  %%%s = bitcast i32 %%bits.%s to float\n", name, name
    next
}

# va_start takes the first register for arguments that have no name as the place of register 2, and
# va_arg counts from there. Arguments on the stack, behind the sixth, remain wrong.
/call void @llvm.va_start/ {
    print
    list = $0
    sub(/.*[( ]%/, "%", list)
    sub(/[)].*/, "", list)
    n++
    printf "  %%va.at%d = getelementptr i8, ptr %s, i32 4\n", n, list
    printf "  %%va.first%d = load ptr, ptr %%va.at%d\n", n, n
    printf "  %%va.index%d = getelementptr i8, ptr %s, i32 8\n", n, list
    printf "  %%va.named%d = load i32, ptr %%va.index%d\n", n, n
    printf "  %%va.back%d = sub i32 0, %%va.named%d\n", n, n
    printf "  %%va.base%d = getelementptr i8, ptr %%va.first%d, i32 %%va.back%d\n", n, n, n
    printf "  store ptr %%va.base%d, ptr %%va.at%d\n", n, n
    next
}

{ print }
