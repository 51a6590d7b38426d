// robust: no
// from: A text that is copied, sent, and shown by printf
// why: The flag may overtake the text.
#include <shmem.h>
#include <stdio.h>
#include <string.h>
static char text[32];
static int there;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        char out[32];
        strcpy(out, "hello");
        strcat(out, " world");
        shmem_putmem(text, out, strlen(out) + 1, 1);
        shmem_int_p(&there, 1, 1);
    } else if (me == 1) {
        shmem_int_wait_until(&there, SHMEM_CMP_NE, 0);
        printf("%d: %s\n", me, text);
    }
    shmem_finalize();
    return 0;
}
