/* Programs that were built as they are, whose pages are guarded. Each mode ends with a line `as expected` of rank 0 if
 * the program got what it gets without the checker. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 3000 };

static int rank, *cells;
static MPI_Win win;
static sigjmp_buf before_fault;

static void fault(int signal)
{
    siglongjmp(before_fault, signal);
}

static void fill(void)
{
    for (int i = 0; i < CELLS; i++)
        cells[i] = i;
}

static long sum(void)
{
    long all = 0;
    for (int i = 0; i < CELLS; i++)
        all += cells[i];
    return all;
}

/* A function whose first instruction is the access: its caller has opened the page of the stack by the call. */
void first_instruction(int *value);
__asm__(".text\n"
        "first_instruction:\n"
        ".cfi_startproc\n"
        "    movl $6, (%rdi)\n"
        "    ret\n"
        ".cfi_endproc\n");

/* A put of rank 0 and what rank 1 does to the same cell before the fence. */
static int race(const char *mode)
{
    int value = 5;
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 2000, 1, MPI_INT, win);
    int found = -1;
    if (rank == 1) {
        if (!strcmp(mode, "load"))
            found = cells[2000]; /* the load */
        if (!strcmp(mode, "copy"))
            memcpy(&found, cells + 2000, sizeof found); /* the copy */
        if (!strcmp(mode, "beside"))
            found = cells[1999];
    }
    if (rank == 0 && !strcmp(mode, "origin"))
        value = 6; /* the store */
    if (rank == 0 && !strcmp(mode, "called"))
        first_instruction(&value); /* the called */
    MPI_Win_fence(0, win);
    return found < CELLS && (rank == 0 || cells[2000] == 5 || cells[2000] == 6);
}

/* A function of the C library works in the window long after the program did, which takes no time of what there is for
 * seeing accesses. */
static int later(void)
{
    fill();
    sleep(2);
    nrand48((unsigned short *)cells);
    return race("load");
}

/* The kernel stores to the window, loads from it, and is asked for what is not there. */
static int system_calls(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 0;
    int right = write(ends[1], cells + 10, 40) == 40 && read(ends[0], cells + 1500, 40) == 40;
    right = right && cells[1500] == 10 && cells[1509] == 19;
    FILE *zeros = fopen("/dev/zero", "r");
    right = right && zeros && fread(cells + 1030, 4, 1000, zeros) == 1000 && cells[2000] == 0;
    fclose(zeros);
    char text[100];
    snprintf(text, sizeof text, "%d %d", cells[3], cells[2999]);
    return right && !strcmp(text, "3 2999");
}

/* A fault of the program's own is the program's. */
static int own_fault(void)
{
    signal(SIGSEGV, fault);
    volatile int *nowhere = (int *)16;
    if (sigsetjmp(before_fault, 1) == 0) {
        *nowhere = 1;
        return 0;
    }
    struct sigaction there;
    return sigaction(SIGSEGV, NULL, &there) == 0 && there.sa_handler == fault && cells[7] == 7;
}

static int child(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(sum() == (long)CELLS * (CELLS - 1) / 2 ? 42 : 1);
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 42 && cells[9] == 9;
}

/* Faults must come through although the program blocks all signals, and has a small stack of its own for them. */
static int masked(void)
{
    static char small[8192];
    stack_t own = {.ss_sp = small, .ss_size = sizeof small}, there;
    sigset_t all, before;
    sigfillset(&all);
    int right = sigaltstack(&own, NULL) == 0 && pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
    right = right && sum() == (long)CELLS * (CELLS - 1) / 2;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return right && sigaltstack(NULL, &there) == 0 && there.ss_sp == small;
}

/* One instruction that moves much, one that adds to memory, and one that does so at once. */
static int instructions(void)
{
    void *from = cells + 1, *to = cells + 1501;
    long count = 1400;
    __asm__ volatile("rep movsl" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
    int right = count == 0 && cells[1501] == 1 && cells[2900] == 1400;
    cells[5] += 10;
    __atomic_fetch_add(cells + 6, 20, __ATOMIC_SEQ_CST);
    double *real = (double *)(cells + 20);
    *real = 1.5;
    *real *= 2;
    return right && cells[5] == 15 && cells[6] == 26 && *real == 3.0;
}

/* Operands that are reached from the address of their instruction, with a constant after the distance or without. */
static int statics(void)
{
    static volatile int here[4096];
    MPI_Win own;
    MPI_Win_create((void *)here, sizeof here, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own);
    here[2000] = 7;
    here[2001] = here[2000];
    here[2002] += 5;
    int found = here[2001] + here[2002];
    MPI_Win_free(&own);
    return found == 12 && here[2000] == 7;
}

static volatile sig_atomic_t alarms;
static pthread_t first;

static void alarm_rings(int signal)
{
    /* The system asks any thread that does not block it; MPI libraries have some. */
    if (!pthread_equal(pthread_self(), first)) {
        pthread_kill(first, signal);
        return;
    }
    cells[100]++;
    alarms++;
}

/* A handler of the program works in the window, wherever it interrupts what does so as well. */
static int interrupted(void)
{
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    first = pthread_self();
    signal(SIGALRM, alarm_rings);
    setitimer(ITIMER_REAL, &often, NULL);
    volatile int *mine = cells;
    long others = 0;
    int rounds = 0;
    while (alarms < 200 || rounds < 20) {
        for (int i = 0; i < CELLS; i++)
            if (i != 100)
                others += mine[i];
        rounds++;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    return others == rounds * ((long)CELLS * (CELLS - 1) / 2 - 100) && mine[100] == 100 + alarms;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "clean";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    fill();
    MPI_Barrier(MPI_COMM_WORLD);
    int right = 1;
    if (!strcmp(mode, "calls"))
        right = system_calls();
    else if (!strcmp(mode, "fault"))
        right = own_fault();
    else if (!strcmp(mode, "fork"))
        right = child();
    else if (!strcmp(mode, "masked"))
        right = masked();
    else if (!strcmp(mode, "instructions"))
        right = instructions();
    else if (!strcmp(mode, "statics"))
        right = statics();
    else if (!strcmp(mode, "interrupted"))
        right = interrupted();
    else if (!strcmp(mode, "later"))
        right = later();
    else if (!strcmp(mode, "sweeps"))
        for (int round = 0; round < 200; round++)
            right = right && sum() == (long)CELLS * (CELLS - 1) / 2;
    else
        right = race(mode);
    int all = 0;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all ? "as expected" : "not as expected");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
