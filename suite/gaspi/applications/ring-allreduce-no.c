/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "COMPILE": "-Wl,--no-as-needed -lm", "DESCRIPTION": "a ring allreduce with notifications, by chunks"} */
/* Ring allreduce with notifications, pipelined by chunks; then used by a power iteration. */
#include <GASPI.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OK(f) do { gaspi_return_t r_ = (f); if (r_ != GASPI_SUCCESS) { fprintf(stderr, "%s:%d: %d\n", __FILE__, \
    __LINE__, r_); exit(1); } } while (0)
enum { DATA = 0, RECV = 1 };
static gaspi_rank_t me, np;
static int chunk;
static double *data, *recv_;
static unsigned char noteid(int phase, int s) { return (unsigned char)(phase * 64 + s); }
static void take(gaspi_segment_id_t seg, gaspi_notification_id_t id) {
    gaspi_notification_id_t got;
    gaspi_notification_t v;
    OK(gaspi_notify_waitsome(seg, id, 1, &got, GASPI_BLOCK));
    OK(gaspi_notify_reset(seg, got, &v));
}
static void ring(void) {
    int right = (me + 1) % np;
    for (int s = 0; s < np - 1; s++) {
        int send = (me - s + np) % np, got = (me - s - 1 + np) % np;
        OK(gaspi_write_notify(DATA, sizeof(double) * send * chunk, right, RECV, sizeof(double) * s * chunk,
            sizeof(double) * chunk, noteid(0, s), 1, 0, GASPI_BLOCK));
        take(RECV, noteid(0, s));
        for (int i = 0; i < chunk; i++) data[got * chunk + i] += recv_[s * chunk + i];
    }
    for (int s = 0; s < np - 1; s++) {
        int send = (me + 1 - s + np) % np;
        OK(gaspi_write_notify(DATA, sizeof(double) * send * chunk, right, DATA, sizeof(double) * send * chunk,
            sizeof(double) * chunk, noteid(1, s), 1, 0, GASPI_BLOCK));
        take(DATA, noteid(1, s));
    }
    OK(gaspi_wait(0, GASPI_BLOCK));
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
}
int main(void) {
    OK(gaspi_proc_init(GASPI_BLOCK));
    OK(gaspi_proc_rank(&me));
    OK(gaspi_proc_num(&np));
    chunk = 4;
    int n = chunk * np;
    OK(gaspi_segment_create(DATA, n * sizeof(double), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
    OK(gaspi_segment_create(RECV, n * sizeof(double), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
    gaspi_pointer_t p;
    OK(gaspi_segment_ptr(DATA, &p));
    data = p;
    OK(gaspi_segment_ptr(RECV, &p));
    recv_ = p;
    double *x = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++) x[i] = 1;
    double norm = 0;
    for (int it = 0; it < 4; it++) {
        for (int i = 0; i < n; i++) data[i] = 0;
        for (int i = 0; i < n; i++)
            if (i % np == me)
                for (int j = 0; j < n; j++) data[j] += x[i] / (1.0 + abs(i - j));
        ring();
        norm = 0;
        for (int i = 0; i < n; i++) norm += data[i] * data[i];
        norm = sqrt(norm);
        for (int i = 0; i < n; i++) x[i] = data[i] / norm;
    }
    if (me == 0) printf("norm %.6f\n", norm);
    free(x);
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    OK(gaspi_proc_term(GASPI_BLOCK));
    return 0;
}
