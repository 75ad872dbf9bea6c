// How a function written in assembly begins and ends on a core whose PUSH knows r0-r7 and lr.
#ifndef TFLM_ARMV6M_FRAME_H
#define TFLM_ARMV6M_FRAME_H

#define M0_ENTRY(name) \
    "    .global " name "\n" \
    "    .type " name ", %function\n" \
    "    .thumb_func\n" \
    name ":\n"

#define M0_FUNCTION_IN(section, name, align) \
    "    .section " section ", \"ax\", %progbits\n" \
    "    .balign " align "\n" \
    M0_ENTRY(name)

#define M0_FUNCTION(name, align) M0_FUNCTION_IN(".text." name, name, align)

// r4-r7 then hold the caller's r8-r11, to be pushed along with words of the function's own ...
#define M0_ENTER \
    "    push {r4-r7, lr}\n" \
    "    mov  r4, r8\n" \
    "    mov  r5, r9\n" \
    "    mov  r6, r10\n" \
    "    mov  r7, r11\n"

// ... and popped into the same registers before this.
#define M0_LEAVE \
    "    mov  r8, r4\n" \
    "    mov  r9, r5\n" \
    "    mov  r10, r6\n" \
    "    mov  r11, r7\n" \
    "    pop  {r4-r7, pc}\n"

#endif
