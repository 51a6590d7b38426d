//! What needs another order of the processes to be seen.

use super::{expect, folder, lint_in};

/// Whoever gives a lock back takes it again at once, if all are equally fast, and has completed its put by then.
#[test]
fn a_lock_that_is_given_back_before_its_put_is_complete() {
    let folder = folder(&[("steal.c", include_str!("../mpi/steal.c"))]);
    let racy = lint_in(folder.path(), &["steal.c", "--", "-DEARLY"]);
    expect(&racy, 1, &["remote-race", "processes that are not equally fast"]);
    expect(&lint_in(folder.path(), &["steal.c"]), 0, &["no findings"]);
}

/// Rank 0 takes two messages, and stores to the buffer of its put, which is complete by then if `after` says so.
fn first_of_two(after: &str) -> String {
    format!(
        "#include <mpi.h>
int main(int argc, char **argv) {{
  int rank, buffer[4] = {{0}}, *base, sign;
  MPI_Win win;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {{
    MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    MPI_Recv(&sign, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE == 2) MPI_Win_flush_local(1, win);
    {after}
    buffer[0] = 1;
    MPI_Recv(&sign, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
  }} else if (rank < 3) {{
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }}
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}}
"
    )
}

#[test]
fn the_message_that_comes_first_in_another_order() {
    let racy = folder(&[("first.c", &first_of_two(""))]);
    let output = lint_in(racy.path(), &["-n", "3", "first.c"]);
    expect(&output, 1, &["local-race", "processes that are not equally fast"]);
    let clean = folder(&[("first.c", &first_of_two("MPI_Win_flush_local(1, win);"))]);
    expect(
        &lint_in(clean.path(), &["-n", "3", "first.c"]),
        0,
        &["no findings"],
    );
}
