//! Loads that poll are told from those of loops that count, however often they come back.

use super::{expect, folder, lint_in, said};

/// What process 0 does, and process 1, in an epoch of all, with a word of each process.
fn lint(first: &str, second: &str) -> std::process::Output {
    let program = format!(
        "#include <mpi.h>
int main(int argc, char **argv) {{
    MPI_Init(&argc, &argv); int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long *word, one = 1, sum = 0; MPI_Win win;
    MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &win);
    *word = 0; MPI_Barrier(MPI_COMM_WORLD); MPI_Win_lock_all(0, win);
    if (rank == 0) {{
{first}
    }} else if (rank == 1) {{
{second}
    }}
    MPI_Win_unlock_all(win); MPI_Win_free(&win); MPI_Finalize(); return sum == 7;
}}
static long peek(const long *word) {{ return *word; }}
"
    );
    let program = program.replacen("int main", "static long peek(const long *word);\nint main", 1);
    let folder = folder(&[("program.c", &program)]);
    lint_in(folder.path(), &["program.c"])
}

const SET: &str =
    "MPI_Accumulate(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_REPLACE, win); MPI_Win_flush(1, win);";

#[test]
fn a_loop_that_waits_polls_from_its_first_round_on() {
    for wait in [
        "while (*word == 0) MPI_Win_sync(win);",
        "while (peek(word) == 0) MPI_Win_sync(win);",
        "for (int i = 0; i < 100 && *(volatile long *)word == 0; i++) MPI_Win_sync(win);",
    ] {
        let output = lint(SET, wait);
        expect(&output, 1, &["warning[polling]", "1 warning in 2 processes"]);
    }
}

#[test]
fn a_loop_that_counts_does_not_poll() {
    for load in [
        "for (int i = 0; i < 8; i++) { sum += *word; MPI_Win_sync(win); }",
        "for (int i = 0; i < 8; i++) { *word |= 1L << i; MPI_Win_sync(win); }",
    ] {
        let said = said(&lint(SET, load));
        assert!(
            said.contains("error[remote-race]") && !said.contains("polling"),
            "{said}"
        );
    }
}
