// Functions that are left by longjmp, and calls that continue deeper than before.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static volatile int total;

static void leave(int depth) {
    total++;
    if (depth == 0) longjmp(back, 1);
    leave(depth - 1);
    total--;
}

static int deeper(int depth) {
    volatile char room[200];
    room[0] = (char)depth;
    total += room[0];
    return depth == 0 ? 0 : 1 + deeper(depth - 1);
}

int main(void) {
    for (volatile int i = 0; i < 100; i++) {
        if (setjmp(back) == 0) leave(i);
        deeper(10);
    }
    printf("%d\n", total);
    return 0;
}
