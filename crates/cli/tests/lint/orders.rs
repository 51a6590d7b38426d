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

/// Two gets whose requests are completed by `completes`, after which it is known that buffer `done` may be read.
fn two_gets(completes: &str) -> String {
    format!(
        "#include <mpi.h>
int main(int argc, char **argv) {{
  int rank, size, buffers[2], *base, sum = 0, left = 2;
  MPI_Win win;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 2; i++)
    MPI_Rget(&buffers[i], 1, MPI_INT, (rank + 1) % size, i, 1, MPI_INT, win, &requests[i]);
  while (left > 0) {{
    int done = 2 - left, flag, count, indices[2];
    {completes}
    sum += buffers[done];
    left--;
  }}
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return sum & 0;
}}
"
    )
}

#[track_caller]
fn expect_requests(clean: &str, racy: &str) {
    let folder = folder(&[("clean.c", &two_gets(clean)), ("racy.c", &two_gets(racy))]);
    let found = lint_in(folder.path(), &["racy.c"]);
    expect(&found, 1, &["local-race", "processes that are not equally fast"]);
    expect(&lint_in(folder.path(), &["clean.c"]), 0, &["no findings"]);
}

/// Which of several requests is complete first, nobody promises (MPI-4.1 §3.7.5).
#[test]
fn the_request_that_is_complete_first() {
    expect_requests(
        "MPI_Waitany(2, requests, &done, MPI_STATUS_IGNORE);",
        "MPI_Waitany(2, requests, &count, MPI_STATUS_IGNORE);",
    );
    expect_requests(
        "do MPI_Testany(2, requests, &done, &flag, MPI_STATUS_IGNORE); while (!flag);",
        "do MPI_Testany(2, requests, &count, &flag, MPI_STATUS_IGNORE); while (!flag);",
    );
    expect_requests(
        "MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    for (int i = 1; i < count; i++) { sum += buffers[indices[i]]; left--; }
    done = indices[0];",
        "MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);",
    );
}

/// A test may say no, however long ago the operation was begun (MPI-4.1 §3.7.3).
#[test]
fn a_test_that_says_no() {
    expect_requests(
        "do MPI_Test(&requests[done], &flag, MPI_STATUS_IGNORE); while (!flag);",
        "MPI_Test(&requests[done], &flag, MPI_STATUS_IGNORE);
    if (!flag) sum++;",
    );
    expect_requests(
        "MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    if (!flag) continue;",
        "MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);",
    );
    expect_requests(
        "MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    if (count == 0) continue;
    for (int i = 1; i < count && count <= 2; i++) { sum += buffers[indices[i]]; left--; }
    if (count == MPI_UNDEFINED) break;
    done = indices[0];",
        "MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);",
    );
}

/// The leaders of nodes put to each other; each of them loads what was put before or after the closing fence.
fn leaders(load: &str, fence: &str) -> String {
    format!(
        "#include <mpi.h>
int main(int argc, char **argv) {{
    MPI_Init(&argc, &argv);
    MPI_Comm node, leaders; int own, rank, size; double seen = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &own);
    MPI_Comm_split(MPI_COMM_WORLD, own == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
    if (own == 0) {{
        MPI_Comm_rank(leaders, &rank); MPI_Comm_size(leaders, &size);
        double *word, value = rank; MPI_Win win;
        MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, leaders, &word, &win);
        *word = 0;
        if (size > 1) {{
            MPI_Win_fence(0, win);
            MPI_Put(&value, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, win);
            {load}
            {fence}
        }}
        MPI_Win_free(&win);
    }}
    MPI_Finalize();
    return seen == 7;
}}
"
    )
}

#[test]
fn leaders_of_nodes_are_followed() {
    let lint = |program: &str| {
        let folder = folder(&[("program.c", program)]);
        lint_in(folder.path(), &["program.c"])
    };
    let (load, fence) = ("seen = *word;", "MPI_Win_fence(0, win);");
    expect(&lint(&leaders(fence, load)), 0, &["no findings in 4 processes"]);
    let racy = lint(&leaders(load, fence));
    expect(
        &racy,
        1,
        &["remote-race", "found with: each process on a node of its own"],
    );
}
