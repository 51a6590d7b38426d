//! Which of the suggestions that help is told first.

use super::{folder, lint_in, said};

fn lint(program: &str) -> String {
    let folder = folder(&[("program.c", program)]);
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../shmem/include");
    said(&lint_in(folder.path(), &["program.c", "--", include]))
}

/// A tournament barrier, by which more than two processes learn of each other through third ones.
const TOURNAMENT: &str = "#include <shmem.h>
static long arrive[8], wake[8], epoch; static int payload;
static void barrier(int me, int n) {
    epoch++;
    int r = 0, d;
    for (d = 1; d < n; d *= 2, r++) {
        if (me & d) {
            shmem_long_p(&arrive[r], epoch, me - d);
            shmem_long_wait_until(&wake[r], SHMEM_CMP_GE, epoch);
            break;
        }
        if (me + d < n) shmem_long_wait_until(&arrive[r], SHMEM_CMP_GE, epoch);
    }
    for (d /= 2, r--; d > 0; d /= 2, r--)
        if (me + d < n) shmem_long_p(&wake[r], epoch, me + d);
}
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), total = 0;
    for (int i = 1; i <= 2; i++) {
        shmem_int_p(&payload, i, (me + 1) % n);
        barrier(me, n);
        total += payload;
        barrier(me, n);
    }
    shmem_finalize();
    return total != 3;
}
";

#[test]
fn what_helps_two_processes_only_is_not_called_verified() {
    let said = lint(TOURNAMENT);
    let help = "help: insert `shmem_quiet()` after program.c:21";
    assert!(
        said.contains(help) && said.contains("(verified right after program.c:21)"),
        "{said}"
    );
    assert!(
        !said.contains("help: insert `shmem_fence()` after program.c:21 and before program.c:15"),
        "{said}"
    );
}

/// Sums over columns, whose result is read before and after the rows meet.
const COLUMNS: &str = "#include <shmem.h>
static double sum[4], result[4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), all = shmem_n_pes();
    shmem_team_t row, column;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);
    double total = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) sum[i] = me + round;
        shmem_double_sum_reduce(column, result, sum, 4);
        for (int i = 0; i < 4; i++) total += result[i];
        shmem_team_sync(row);
        for (int i = 0; i < 4; i++) total += result[i];
    }
    shmem_barrier_all();
    shmem_finalize();
    return total == all;
}
";

#[test]
fn what_is_read_after_a_call_comes_before_the_next_round() {
    let said = lint(COLUMNS);
    assert!(said.contains("of the next round, on all ranks"), "{said}");
    // Between the sum and the first loads, it would leave the next sum unordered after them.
    assert!(!said.contains("and before program.c:13, on all ranks"), "{said}");
}

/// Process 1 polls what process 0 accumulates after a put; `after` comes at the end of both.
fn polled(after: &str) -> String {
    format!(
        "#include <mpi.h>
int main(int argc, char **argv) {{
    MPI_Init(&argc, &argv);
    int me, *w, one = 1, zero = 0, flag = 0, v = 7;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
    w[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {{
        MPI_Put(&v, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    }} else if (me == 1) {{
        while (!flag) {{
            MPI_Fetch_and_op(&zero, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }}
        MPI_Win_sync(win);
        v = w[1];
    }}
    {after}
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}}
"
    )
}

#[test]
fn a_flush_that_another_process_waits_for_stays() {
    let said = lint(&polled("MPI_Barrier(MPI_COMM_WORLD);"));
    assert!(
        said.contains("help: insert `MPI_Win_flush(1, win)` after program.c:13"),
        "{said}"
    );
    assert!(!said.contains("move `MPI_Win_flush`"), "{said}");
}

#[test]
fn a_flush_of_one_process_comes_before_a_barrier_of_all() {
    // The flush that is there stands in another function, and cannot be moved.
    let functions = "#include <mpi.h>
static void put(MPI_Win win, int peer, int *v) {
    MPI_Put(v, 1, MPI_INT, peer, 1, 1, MPI_INT, win);
}
static void notify(MPI_Win win, int peer, int *one) {
    MPI_Accumulate(one, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(peer, win);
}
";
    let calls = [
        ("#include <mpi.h>\n", functions),
        (
            "MPI_Put(&v, 1, MPI_INT, 1, 1, 1, MPI_INT, win);\n",
            "put(win, 1, &v);\n",
        ),
        (
            "MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);\n        MPI_Win_flush(1, win);\n",
            "notify(win, 1, &one);\n",
        ),
    ];
    let program = calls
        .iter()
        .fold(polled(""), |program, (old, new)| program.replacen(old, new, 1));
    assert!(program.contains("notify(win, 1"), "{program}");
    let said = lint(&program);
    assert!(
        said.contains("help: insert `MPI_Win_flush(peer, win)` after program.c:3"),
        "{said}"
    );
}

#[test]
fn one_quiet_serves_the_puts_before_it() {
    let said = lint(
        "#include <shmem.h>
static int top, payload, next;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), home = (me + 1) % n;
    int old = shmem_int_atomic_fetch(&top, 0);
    for (;;) {
        shmem_int_p(&payload, 7 + me, home);
        shmem_int_p(&next, old, home);
        int got = shmem_int_atomic_compare_swap(&top, old, home + 1, 0);
        if (got == old) break;
        old = got;
    }
    int first = shmem_int_atomic_fetch(&top, 0), sum = 0;
    while (first != 0) {
        sum += shmem_int_g(&payload, first - 1);
        first = shmem_int_g(&next, first - 1);
    }
    shmem_barrier_all();
    shmem_finalize();
    return sum == 0;
}
",
    );
    let helps: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("help: insert"))
        .collect();
    let is_one = |line: &&str| line.contains("`shmem_quiet()` after program.c:9 ");
    assert!(!helps.is_empty() && helps.iter().all(is_one), "{said}");
}
