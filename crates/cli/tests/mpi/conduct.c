/* An MPI program that behaves as its argument says: well, badly, or not at all. */
#include <assert.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static int *memory;
static MPI_Win win;

static void window(void)
{
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_name(win, "ledger");
}

/* Both ranks write the same element of rank 0 in one epoch. */
static void race(void)
{
    int value = rank;
    window();
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* both ranks: the race */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Each rank writes its own element. */
static void clean(void)
{
    int value = rank;
    window();
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Rank 1 waits for a message that nobody sends, rank 0 in a barrier. */
static void hang(void)
{
    int value = 0;
    window();
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 computes without end, rank 0 waits for it in a barrier. */
static void spin(void)
{
    window();
    MPI_Win_fence(0, win);
    for (volatile int turn = 0; rank == 1; turn = !turn) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 is ended by the system within its receive. */
static void receive_nowhere(void)
{
    int values[1000] = {0};
    window();
    if (rank == 0)
        MPI_Send(values, 1000, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv((void *)16, 1000, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Stores to the origin of an open put, and ends before anything else is recorded. */
static void store_and_end(const char *how)
{
    static int value;
    window();
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    value = 1; /* the last store */
    if (strcmp(how, "exit") == 0)
        exit(9);
    if (strcmp(how, "_exit") == 0)
        _exit(9);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(9);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "assert") == 0)
        assert(value == 2);
}

/* Writes its own element for some seconds, in epochs of its own. */
static void write_long(void)
{
    int value = rank;
    double start = MPI_Wtime();
    window();
    while (MPI_Wtime() - start < 8) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        MPI_Put(&value, 1, MPI_INT, rank, 1, 1, MPI_INT, win);
        MPI_Win_unlock(rank, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
}

/* The last rank takes memory until the system ends it, or it has one gigabyte. */
static void hog(void)
{
    for (int taken = 0; rank == size - 1 && taken < 1024; taken++) {
        char *more = malloc(1 << 20);
        if (more != NULL)
            memset(more, taken, 1 << 20);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void spawn(char *program)
{
    char *arguments[] = {"race", NULL};
    MPI_Comm children;
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "clean";
    if (strcmp(mode, "nothing") == 0)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        printf("mode %s\n", mode);
        fflush(stdout);
    }
    if (strcmp(mode, "race") == 0)
        race();
    if (strcmp(mode, "clean") == 0)
        clean();
    if (strcmp(mode, "hang") == 0)
        hang();
    if (strcmp(mode, "spin") == 0)
        spin();
    if (strcmp(mode, "nowhere") == 0)
        receive_nowhere();
    if (strcmp(mode, "spawn") == 0)
        spawn(argv[0]);
    if (strcmp(mode, "killed") == 0 || strcmp(mode, "abort") == 0 || strcmp(mode, "segv") == 0) {
        race();
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 && mode[0] == 'k')
            raise(SIGKILL);
        if (rank == 1 && mode[0] == 'a')
            MPI_Abort(MPI_COMM_WORLD, 7);
        if (rank == 1 && mode[0] == 's')
            raise(SIGSEGV);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(mode, "ends") == 0)
        store_and_end(argv[2]);
    if (strcmp(mode, "early") == 0) {
        clean();
        _exit(0); /* without MPI_Finalize */
    }
    if (strcmp(mode, "long") == 0)
        write_long();
    if (strcmp(mode, "hog") == 0) {
        race();
        hog();
    }
    if (strcmp(mode, "wait") == 0) {
        race();
        sleep(30);
    }
    MPI_Finalize();
    return strcmp(mode, "five") == 0 ? 5 : 0;
}
