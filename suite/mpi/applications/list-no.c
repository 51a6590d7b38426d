/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a list in a dynamic window: elements are appended by compare and swap", "OPTIONS": "--mca pml ob1 --mca btl tcp,self --mca osc pt2pt"} */
/* A list in a dynamic window, after the example of the standard: each process appends elements by compare and swap.
   */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#define PER 6
typedef struct { MPI_Aint next_disp; long next_rank; double value; } elem;
static MPI_Win win;
static elem **mine;
static int count;
static MPI_Aint new_elem(double v, int me) {
    elem *e;
    MPI_Alloc_mem(sizeof *e, MPI_INFO_NULL, &e);
    e->value = v;
    e->next_disp = 0;
    e->next_rank = -1;
    (void)me;
    MPI_Win_attach(win, e, sizeof *e);
    mine = realloc(mine, sizeof *mine * (count + 1));
    mine[count++] = e;
    MPI_Aint d;
    MPI_Get_address(e, &d);
    return d;
}
int main(int argc, char **argv) {
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Aint head = 0;
    if (me == 0) head = new_elem(-1, 0);
    MPI_Bcast(&head, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    long tail_rank = 0;
    MPI_Aint tail = head;
    for (int i = 0; i < PER; i++) {
        MPI_Aint e = new_elem(me * 100 + i, me);
        long nobody = -1, seen, want = me;
        for (;;) {
            MPI_Compare_and_swap(&want, &nobody, &seen, MPI_LONG, (int)tail_rank, MPI_Aint_add(tail, offsetof(elem,
                next_rank)), win);
            MPI_Win_flush((int)tail_rank, win);
            if (seen == nobody) {
                MPI_Accumulate(&e, 1, MPI_AINT, (int)tail_rank, MPI_Aint_add(tail, offsetof(elem, next_disp)), 1,
                    MPI_AINT, MPI_REPLACE, win);
                MPI_Win_flush((int)tail_rank, win);
                tail_rank = me;
                tail = e;
                break;
            }
            MPI_Aint next = 0;
            do {
                MPI_Fetch_and_op(NULL, &next, MPI_AINT, (int)tail_rank, MPI_Aint_add(tail, offsetof(elem,
                    next_disp)), MPI_NO_OP, win);
                MPI_Win_flush((int)tail_rank, win);
            } while (next == 0);
            tail_rank = seen;
            tail = next;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        double sum = 0;
        int n = 0;
        long r = 0;
        MPI_Aint d = head;
        for (;;) {
            elem copy;
            MPI_Get(&copy, sizeof copy, MPI_BYTE, (int)r, d, sizeof copy, MPI_BYTE, win);
            MPI_Win_flush((int)r, win);
            sum += copy.value;
            n++;
            if (copy.next_rank < 0) break;
            r = copy.next_rank;
            d = copy.next_disp;
        }
        printf("%d elements, sum %g\n", n, sum);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        MPI_Win_detach(win, mine[i]);
        MPI_Free_mem(mine[i]);
    }
    free(mine);
    MPI_Win_free(&win);
    MPI_Finalize();
}
