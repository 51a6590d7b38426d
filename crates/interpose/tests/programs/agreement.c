/* Every call to which a barrier is added; then an answer that is wrong if a collective call met another one. With an
   argument, something goes wrong first:
   fill: rank 0 records until its spool is full;
   spawn, spawn-bare: windows are also made together with children, which record, or do not. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

static void windows(MPI_Comm comm)
{
    static int memory[4];
    int *own;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, comm, &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &own, &win);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &own, &win);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win);
    MPI_Win_free(&win);
}

static void fill(void)
{
    MPI_Win win;
    int memory = 0;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 30000; i++)
        MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Windows over two jobs: of the parents, and of the children that they spawn. */
static void family(char **argv)
{
    MPI_Comm parents, between, together;
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL) {
        int bare = strcmp(argv[1], "spawn-bare") == 0;
        char *own[] = {argv[1], NULL}, *through_env[] = {"-u", "LD_PRELOAD", argv[0], argv[1], NULL};
        MPI_Comm_spawn(bare ? "env" : argv[0], bare ? through_env : own, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                       &between, MPI_ERRCODES_IGNORE);
        MPI_Intercomm_merge(between, 0, &together);
    } else {
        MPI_Intercomm_merge(parents, 1, &together);
    }
    windows(together);
    MPI_Comm_free(&together);
    MPI_Comm_disconnect(parents == MPI_COMM_NULL ? &between : &parents);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "fill") == 0 && rank == 0)
        fill();
    if (argc > 1 && strncmp(argv[1], "spawn", 5) == 0)
        family(argv);
    MPI_Comm half, between, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    windows(copy);
    if (size > 1) {
        MPI_Comm_split(copy, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    }
    windows(copy);
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
    printf("rank %d: sum %s\n", rank, sum == size ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
