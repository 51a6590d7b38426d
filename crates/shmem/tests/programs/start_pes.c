/* Annex F: start_pes, more than once, and an end without shmem_finalize. */
#include "conform.h"

static int word;

int main(void) {
    start_pes(0);
    start_pes(4);
    me = _my_pe();
    n = _num_pes();
    shmem_int_p(&word, me + 1, (me + 1) % n);
    shmem_barrier_all();
    CHECK(word == (me + n - 1) % n + 1);
    return failures != 0;
}
