//! What some threads or ways through a function lack: an unlock on a way that leaves early, a barrier that one thread
//! of a team may call, and calls that the compiler has copied.

use super::{expect, folder, lint_in, said};

fn lint(program: &str, arguments: &[&str]) -> String {
    let folder = folder(&[("program.c", program)]);
    let output = lint_in(folder.path(), &[&["program.c"], arguments].concat());
    expect(&output, 1, &[]);
    said(&output)
}

/// Each process locks its neighbour's window twice; `inner` is done under the first lock.
fn locked(function: &str, inner: &str) -> String {
    format!(
        "#include <mpi.h>
{function}
int main(int argc, char **argv) {{
    MPI_Init(&argc, &argv);
    int me, n, *w, one = 1, got = 0;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
    w[0] = w[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    int peer = (me + 1) % n;
{inner}
    MPI_Win_free(&win);
    MPI_Finalize();
}}
"
    )
}

const EARLY: &str = "static int restore(MPI_Win win, int peer, int *to) {
    int head;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    MPI_Get(&head, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_flush(peer, win);
    if (head == 0) return -1;
    MPI_Put(to, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_unlock(peer, win);
    return 0;
}";

#[test]
fn an_early_return_gives_its_lock_back() {
    let told = "on rank 0, call `MPI_Win_unlock(rank, win)`, where the program leaves this function, or begins the \
                next round, and still has the lock (verified)";
    let twice = "    restore(win, peer, &one);
    for (int k = 0; k < 2; k++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
        MPI_Put(&one, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        MPI_Win_unlock(peer, win);
    }
    restore(win, peer, &got);";
    let early = lint(&locked(EARLY, twice), &[]);
    assert!(
        early.contains(&format!("help: after program.c:6, {told}")),
        "{early}"
    );
    let round = "    for (int k = 0; k < 2; k++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
        if (k == 0) MPI_Accumulate(&one, 1, MPI_INT, peer, 1, 1, MPI_INT, MPI_SUM, win);
        else MPI_Get(&got, 1, MPI_INT, peer, 1, 1, MPI_INT, win);
        if (k == 0) continue;
        MPI_Win_unlock(peer, win);
    }";
    let round = lint(&locked("", round), &[]);
    assert!(round.contains(told), "{round}");
}

#[test]
fn the_lock_of_another_window_stays_shared() {
    // A cause in which all lock at one place names that place alone.
    let function = "static void bump(MPI_Win win) {
    int old;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    old++;
    MPI_Put(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
}";
    let said = lint(&locked(function, "    bump(win);"), &[]);
    let told = "help: replace `MPI_LOCK_SHARED` by `MPI_LOCK_EXCLUSIVE` in the MPI_Win_lock at program.c:4, \
                on all ranks that make it (verified)";
    assert!(said.contains(told), "{said}");
    // Two places: both are named.
    let calls = "    if (me == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    } else if (me == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }";
    let said = lint(&locked("", calls), &[]);
    let told = "replace `MPI_LOCK_SHARED` by `MPI_LOCK_EXCLUSIVE` in the MPI_Win_lock at program.c:14, on rank 0, \
                and in that at program.c:18 (verified)";
    assert!(said.contains(told), "{said}");
}

#[test]
fn an_unlock_explains_what_a_flush_does_not() {
    let inner = "    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    MPI_Accumulate(&one, 1, MPI_INT, peer, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    MPI_Get(&got, 1, MPI_INT, peer, 1, 1, MPI_INT, win);
    MPI_Win_unlock(peer, win);";
    let said = lint(&locked("", inner), &[]);
    let cause = "no `MPI_Win_unlock(peer, win)` between program.c:14 and program.c:15 explains 2 findings";
    assert!(said.contains(cause), "{said}");
}

/// Each thread of a team has a window of its own.
fn team(inner: &str) -> String {
    format!(
        "#include <mpi.h>
int omp_get_thread_num(void);
int main(int argc, char **argv) {{
    MPI_Win win[2];
    int *w[2], rank, size, provided, seen[2], one = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int t = 0; t < 2; t++) {{
        MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w[t], &win[t]);
        w[t][0] = 0;
        MPI_Win_lock_all(0, win[t]);
    }}
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel num_threads(2)
    {{
        int t = omp_get_thread_num();
{inner}
    }}
    MPI_Barrier(MPI_COMM_WORLD);
    for (int t = 0; t < 2; t++) {{ MPI_Win_unlock_all(win[t]); MPI_Win_free(&win[t]); }}
    MPI_Finalize();
}}
"
    )
}

#[test]
fn threads_of_a_team_do_not_call_a_barrier_of_all_processes_at_once() {
    let exchange = "        MPI_Put(&one, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win[t]);
        MPI_Win_flush((rank + 1) % size, win[t]);
        seen[t] = w[t][0];";
    let all = lint(&team(exchange), &["--", "-fopenmp"]);
    let told = "let the threads meet, one of them call `MPI_Barrier(comm)`, on all ranks, and the threads meet again";
    assert!(all.contains(told), "{all}");
    assert!(!all.contains("insert `MPI_Barrier(comm)`"), "{all}");
    // One thread alone may call it.
    let exchange = exchange.replace("[t]", "[0]");
    let one = format!("#pragma omp master\n        {{\n{exchange}\n        }}");
    let one = lint(&team(&one), &["--", "-fopenmp"]);
    assert!(one.contains("insert `MPI_Barrier(comm)`"), "{one}");
    assert!(!one.contains("let the threads meet"), "{one}");
}

#[test]
fn parts_of_a_coroutine_have_the_calls_of_its_text_once() {
    let program = "#include <mpi.h>
#include <coroutine>
struct Task {
    struct promise_type {
        std::coroutine_handle<promise_type> own() { return std::coroutine_handle<promise_type>::from_promise(*this); }
        Task get_return_object() { return {own()}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
Task fetch(MPI_Win win, int peer, int *to) {
    MPI_Get(to, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    co_await std::suspend_always{};
    MPI_Win_flush(peer, win);
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, *w, got = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
    MPI_Win_lock_all(0, win);
    Task task = fetch(win, (me + 1) % n, &got);
    task.handle.resume();
    task.handle.destroy();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
";
    let whole = "nothing is known to be left out";
    let arguments = ["program.cpp", "--", "-std=c++20"];
    let all = folder(&[("program.cpp", program)]);
    expect(&lint_in(all.path(), &arguments), 0, &[whole]);
    // What no part comes to is a call that is not reached, once.
    let never = program.replace("    task.handle.resume();\n", "");
    let some = folder(&[("program.cpp", never.as_str())]);
    let output = lint_in(some.path(), &arguments);
    expect(&output, 4, &[" call sites was not reached"]);
}
