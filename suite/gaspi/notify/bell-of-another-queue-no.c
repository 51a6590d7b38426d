/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "letters and bell go by one queue"} */
/* GASPI 17.1, 8.3.1: a notification comes after the writes of its own queue. */
#include <GASPI.h>
#include <stdio.h>

enum { MAIL = 5, FROM = 0, TO = 512 };

static void deliver(gaspi_rank_t reader)
{
    gaspi_write(MAIL, FROM, reader, MAIL, TO, 4 * sizeof(int), 2, GASPI_BLOCK);
}

static void ring(gaspi_rank_t reader)
{
    gaspi_notify(MAIL, reader, 40, 1, 2, GASPI_BLOCK);
}

static int read_mail(const int *words)
{
    gaspi_notification_id_t bell;
    gaspi_notification_t rung;
    gaspi_notify_waitsome(MAIL, 40, 1, &bell, GASPI_BLOCK);
    gaspi_notify_reset(MAIL, bell, &rung);
    return words[TO / sizeof(int)];
}

int main(void)
{
    gaspi_rank_t rank, ranks;
    gaspi_pointer_t memory;
    int seen = 0;
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&rank);
    gaspi_proc_num(&ranks);
    gaspi_segment_create(MAIL, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(MAIL, &memory);
    ((int *)memory)[0] = 7 * rank;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (rank == 0) {
        for (gaspi_rank_t reader = 1; reader < ranks; reader++) {
            deliver(reader);
            ring(reader);
        }
        gaspi_wait(2, GASPI_BLOCK);
        gaspi_wait(3, GASPI_BLOCK);
    } else {
        seen = read_mail(memory);
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    printf("%d: %d\n", rank, seen);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
