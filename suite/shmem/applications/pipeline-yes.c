/* {"RACE_KIND": "local", "RACE_PAIR": ["shmem_ctx_double_put_signal_nbi@32", "STORE@24"], "FURTHER_PAIRS": [["shmem_ctx_double_put_signal_nbi@32", "STORE@27"]], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a pipeline of blocks: a block is filled again while a put without quiet reads it"} */
/* A pipeline over PEs: blocks with put_signal, credits back; contexts for sending. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#define SLOTS 2
#define LEN 16
#define BLOCKS 10
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), np = shmem_n_pes();
    double *slot = shmem_malloc(SLOTS * LEN * sizeof(double));
    uint64_t *full = shmem_calloc(SLOTS, sizeof *full);
    uint64_t *credit = shmem_calloc(SLOTS, sizeof *credit);
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx)) ctx = SHMEM_CTX_DEFAULT;
    double block[SLOTS][LEN], sum = 0;
    shmem_barrier_all();
    for (int b = 0; b < BLOCKS; b++) {
        int s = b % SLOTS;
        uint64_t round = (uint64_t)(b / SLOTS) + 1;
        if (me == 0)
            for (int i = 0; i < LEN; i++) block[s][i] = b * LEN + i;
        else {
            shmem_signal_wait_until(&full[s], SHMEM_CMP_EQ, round);
            for (int i = 0; i < LEN; i++) block[s][i] = slot[s * LEN + i] + 1;
            shmem_uint64_p(&credit[s], round, me - 1);
        }
        if (me < np - 1) {
            if (round > 1) shmem_uint64_wait_until(&credit[s], SHMEM_CMP_GE, round - 1);
            shmem_ctx_double_put_signal_nbi(ctx, slot + s * LEN, block[s], LEN, &full[s], round, SHMEM_SIGNAL_SET,
                me + 1);
        } else
            for (int i = 0; i < LEN; i++) sum += block[s][i];
    }
    shmem_ctx_quiet(ctx);
    if (ctx != SHMEM_CTX_DEFAULT) shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    if (me == np - 1) printf("sum %g\n", sum);
    shmem_free(credit);
    shmem_free(full);
    shmem_free(slot);
    shmem_finalize();
    return 0;
}
