// For frames.c: no library for Xtensas with register windows is here.
typedef int jmp_buf[17];
int setjmp(jmp_buf buf) __attribute__((returns_twice));
void longjmp(jmp_buf buf, int value) __attribute__((noreturn));
