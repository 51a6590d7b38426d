//! What is suggested for several findings, or findings like one another: one change for as many as it serves, in words
//! that are true of each, and calls of all processes only where all of them come by.

use super::{folder, lint_in, said};

fn lint(program: &str) -> String {
    let folder = folder(&[("program.c", program)]);
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../shmem/include");
    said(&lint_in(folder.path(), &["program.c", "--", include]))
}

/// A program of MPI whose `main` does this in lock epochs, with a window of four numbers in `w`.
fn mpi(body: &str) -> String {
    format!(
        "#include <mpi.h>
int main(int argc, char **argv) {{
    MPI_Init(&argc, &argv);
    int me, n, *w;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me); MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
    int next = (me + 1) % n, x[8] = {{0}};
{body}
    MPI_Win_free(&win);
    MPI_Finalize();
    return x[0];
}}
"
    )
}

#[test]
fn a_barrier_that_not_all_come_to_is_not_suggested() {
    let queue = include_str!("../../../../examples/patterns/queue-shmem.c");
    let said = lint(&format!("#define FORGET\n{queue}"));
    assert!(
        said.contains("help: insert `shmem_fence()` after program.c:21"),
        "{said}"
    );
    assert!(!said.contains("shmem_barrier_all"), "{said}");
}

/// Only the root of the tree has the loop; others would not come to a barrier within it.
#[test]
fn a_barrier_comes_after_the_loop_that_some_do_not_enter() {
    let said = lint(
        "#include <shmem.h>
static int data, flag;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), seen;
    if (me > 0) shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
    for (int i = 1; me == 0 && i < n; i++) {
        shmem_int_p(&flag, 1, i);
        shmem_int_p(&data, 7, i);
    }
    seen = data;
    shmem_barrier_all();
    shmem_finalize();
    return seen;
}
",
    );
    let barrier = "insert `shmem_barrier_all()` after program.c:9 and before program.c:11, on all ranks";
    let told = said.lines().find(|line| line.contains(barrier));
    assert!(
        told.is_some_and(|line| line.ends_with("(verified right before program.c:11)")),
        "{said}"
    );
}

#[test]
fn a_flush_of_another_target_is_told_for_all_that_it_should_complete() {
    let said = lint(&mpi("    MPI_Win_lock_all(0, win);
    MPI_Get(&x[1], 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_flush(me, win);
    x[0] = x[1];
    MPI_Barrier(MPI_COMM_WORLD);
    w[0] = me;
    MPI_Win_unlock_all(win);"));
    let help = "help: replace `target 0` by `target 1` in the MPI_Win_flush at program.c:11";
    assert!(
        said.contains("1 cause of 2 findings") && said.contains(help),
        "{said}"
    );
}

#[test]
fn an_assertion_that_does_not_hold_is_the_cause_of_its_races() {
    let said = lint(&mpi("    MPI_Win_fence(0, win);
    MPI_Accumulate(&me, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);
    x[0] = w[0];
    MPI_Barrier(MPI_COMM_WORLD);
    w[1] = x[0] + w[0];"));
    assert!(
        said.contains("violated-assertion") && said.contains("remote-race"),
        "{said}"
    );
    assert!(said.contains("1 cause of "), "{said}");
}

#[test]
fn a_store_beside_accumulates_may_be_one_of_them() {
    let update = |own: &str| {
        mpi(&format!(
            "    for (int i = 0; i < 8; i++) x[i] = 1 << i;
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++)
        if ((me + i) % n == me) {own}
        else MPI_Accumulate(&x[i], 1, MPI_INT, (me + i) % n, 0, 1, MPI_INT, MPI_BOR, win);
    MPI_Win_fence(0, win);"
        ))
    };
    let said = lint(&update("w[0] |= x[i];"));
    let help = "write `MPI_Accumulate(..., MPI_BOR, win)` in the place of the STORE at program.c:12, on all ranks that \
                come there, if that is what was meant (verified)";
    assert!(said.contains(help) && !said.contains("2 causes"), "{said}");
    // What only stores would be another value.
    let said = lint(&update("w[0] = 0;"));
    assert!(
        said.contains("remote-race") && !said.contains("MPI_BOR, win)` in the place"),
        "{said}"
    );
}

#[test]
fn a_put_beside_accumulates_that_replace_may_be_one_of_them() {
    let said = lint(&mpi("    MPI_Win_fence(0, win);
    if (me == 0) MPI_Put(&me, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    else if (me > 1 || n == 2) MPI_Accumulate(&me, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_fence(0, win);"));
    assert!(
        said.contains("replace `MPI_Put` by `MPI_Accumulate(..., MPI_REPLACE, win)`"),
        "{said}"
    );
}

#[test]
fn a_group_that_lacks_a_target_may_be_wider() {
    // Process 0 and process 1 put to each other, and name another one only.
    let body = "    MPI_Group all, some;
    int peers[2] = {me ^ 2, me ^ 1};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (n > 3 && me < 4) {
        MPI_Group_incl(all, 1, peers, &some);
        MPI_Win_post(some, 0, win);
        MPI_Win_start(some, 0, win);
        for (int i = 0; i < (me < 2 ? 2 : 1); i++) MPI_Put(&x[i], 1, MPI_INT, peers[i], me, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }";
    let said = lint(&mpi(body));
    let help = "help: replace `group {2}` by `group {1, 2}` in the MPI_Win_start at program.c:15, on rank 0, \
                where each of them posts for it, if that is what was meant (verified)";
    assert!(said.contains(help), "{said}");
}
