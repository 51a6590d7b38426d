//! Programs of OpenSHMEM, with the header of `crates/shmem`, whatever library is installed.

use super::{expect, folder, lint_in, said};
use std::path::Path;
use std::process::Output;

/// Every family of functions: there is one race, at its end, if all values are those of the standard.
const VALUES: &str = include_str!("shmem_values.c");

fn lint(program: &str, more: &[&str]) -> Output {
    let folder = folder(&[("program.c", program)]);
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../shmem/include");
    assert!(Path::new(&include[2..]).join("shmem.h").is_file());
    let arguments: Vec<&str> = more.iter().copied().chain(["program.c", "--", include]).collect();
    lint_in(folder.path(), &arguments)
}

/// What PE 0 and PE 1 do between `shmem_init` and a barrier; `flag` and `other` are words, `data` has four numbers.
fn program(first: &str, second: &str) -> String {
    format!(
        "#include <shmem.h>
static long flag, other; static int data[4]; static int mine[4] = {{1, 2, 3, 4}};
int main(void) {{ shmem_init(); int me = shmem_my_pe(); int seen = 0;
if (me == 0) {{
{first}
}}
if (me == 1) {{
{second}
}}
shmem_barrier_all(); shmem_finalize(); return seen == 77; }}"
    )
}

#[test]
fn all_families_compute_what_the_standard_says() {
    let output = lint(VALUES, &["--ranks", "2,3,4"]);
    // Once for each number of processes, and once more where memory of others is not mapped.
    expect(
        &output,
        1,
        &["remote-race", "met: 6 times", "shmem_put (target) by rank 0"],
    );
    expect(&output, 1, &["1 error in 4 processes"]);
    let said = said(&output);
    assert!(!said.contains("not seen"), "{said}");
}

#[test]
fn a_flag_after_a_fence_brings_what_came_before() {
    let wait = "shmem_long_wait_until(&flag, SHMEM_CMP_GE, 1); seen = data[2];";
    let put = |fence: &str| format!("shmem_int_put(data, mine, 4, 1); {fence} shmem_long_p(&flag, 1, 1);");
    let clean = lint(&program(&put("shmem_fence();"), wait), &[]);
    expect(&clean, 0, &["no findings"]);
    let racy = lint(&program(&put(""), wait), &[]);
    expect(&racy, 1, &["remote-race", "program.c:5", "program.c:8"]);
}

#[test]
fn who_waits_for_ever_is_reported() {
    let wait = "shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);";
    let output = lint(&program("", wait), &[]);
    let waits =
        "rank 0 waits in shmem_barrier_all for rank 1, rank 1 waits in shmem_long_wait_until for rank 0";
    expect(&output, 1, &["deadlock", waits, "write the awaited word"]);
    let taken = |one: &str, two: &str| {
        format!(
            "shmem_set_lock(&{one}); shmem_barrier_all(); shmem_set_lock(&{two}); shmem_clear_lock(&{two});"
        )
    };
    let output = lint(
        &program(&taken("flag", "other"), &taken("other", "flag")),
        &["--processes", "2"],
    );
    let waits = "rank 0 waits in shmem_set_lock for rank 1, rank 1 waits in shmem_set_lock for rank 0";
    expect(&output, 1, &["deadlock", waits]);
    // Without a barrier between the two, one gets both first.
    let quick = |one: &str, two: &str| {
        taken(one, two).replace("shmem_barrier_all();", "") + &format!("shmem_clear_lock(&{one});")
    };
    let output = lint(
        &program(&quick("flag", "other"), &quick("flag", "other")),
        &["--processes", "2"],
    );
    expect(&output, 0, &["no findings"]);
}

#[test]
fn what_is_not_followed_and_what_is_not_reached_is_said() {
    let output = lint(&program("shmem_nothing_known();", ""), &[]);
    expect(&output, 0, &["not seen: shmem_nothing_known", "unknown-call"]);
    let local = "int local = 0; shmem_int_p(&local, 1, 1);";
    expect(
        &lint(&program(local, ""), &[]),
        1,
        &["not-symmetric", "dest of shmem_int_p by rank 0 is not symmetric"],
    );
    let output = lint(&program("if (data[0] == 5) shmem_quiet();", ""), &[]);
    expect(&output, 4, &["shmem_quiet"]);
}

#[test]
fn a_function_alone_is_analysed_after_shmem_init() {
    let part = "#include <shmem.h>
static int data[4];
void exchange(int *from) { int right = (shmem_my_pe() + 1) % shmem_n_pes();
shmem_int_put_nbi(data, from, 4, right);
from[0] = 7;
shmem_barrier_all(); }";
    expect(&lint(part, &[]), 1, &["local-race", "program.c:4", "program.c:5"]);
}

#[test]
fn a_context_is_completed_by_its_own_quiet() {
    let first = |quiet: &str| {
        format!(
            "shmem_ctx_t ctx; shmem_ctx_create(0, &ctx); shmem_ctx_int_put_nbi(ctx, data, mine, 4, 1);
{quiet} mine[0] = 9; shmem_ctx_destroy(ctx);"
        )
    };
    expect(
        &lint(&program(&first("shmem_ctx_quiet(ctx);"), ""), &[]),
        0,
        &["no findings"],
    );
    for other in ["", "shmem_quiet();"] {
        expect(
            &lint(&program(&first(other), ""), &[]),
            1,
            &["local-race", "shmem_ctx_quiet"],
        );
    }
}

#[test]
fn who_waits_for_a_lock_gets_it_in_its_turn() {
    let asks =
        "long there; do { shmem_set_lock(&other); there = shmem_long_g(&flag, 0); shmem_clear_lock(&other);
} while (!there);";
    let tells = "shmem_set_lock(&other); shmem_long_p(&flag, 1, 0); shmem_clear_lock(&other);";
    let output = lint(&program(asks, tells), &[]);
    expect(&output, 0, &["no findings"]);
    let said = said(&output);
    assert!(!said.contains("not seen"), "{said}");
}

#[test]
fn memory_of_others_may_not_be_mapped() {
    let part = |otherwise: &str| {
        format!(
            "#include <shmem.h>
int main(void) {{ shmem_init(); int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes(), seen;
int *box = shmem_calloc(8, sizeof *box);
int *there = shmem_ptr(box, right);
if (there) {{ for (int *at = there; at != there + 8; at++) *at = 5; }}
else {{ {otherwise} }}
shmem_barrier_all(); seen = box[0]; shmem_free(box); shmem_finalize(); return seen == 77; }}"
        )
    };
    let put = "shmem_int_p(box, 5, right);";
    expect(&lint(&part(put), &[]), 0, &["no findings"]);
    let racy = format!("{put} seen = box[0];");
    expect(&lint(&part(&racy), &[]), 1, &["remote-race", "program.c:6"]);
    expect(&lint(&part("shmem_global_exit(3);"), &[]), 0, &["no findings"]);
}

#[test]
fn a_call_that_frees_memory_is_not_moved_nor_passed() {
    let output = lint(
        "#include <shmem.h>
#include <stdio.h>
int main(void) {
shmem_init();
long *counts = shmem_calloc(1, sizeof *counts);
shmem_long_atomic_inc(counts, 0);
shmem_sync_all();
printf(\"%ld\", *counts);
shmem_free(counts);
shmem_finalize(); return 0; }",
        &[],
    );
    expect(&output, 1, &["help: insert `shmem_quiet()` after program.c:6"]);
    let said = said(&output);
    assert!(!said.contains("move"), "{said}");
}

/// The put is not complete when its target reads: nobody moves the barrier after that for it, and what the barrier
/// completes besides has no name of its own.
#[test]
fn a_flush_is_told_before_a_barrier_that_is_moved() {
    let output = lint(
        "#include <shmem.h>
#include <stdio.h>
static int word, mine = 1;
int main(void) {
shmem_init();
int me = shmem_my_pe(), npes = shmem_n_pes();
for (int p = 0; p < npes; p++)
if (p != me) shmem_int_put_nbi(&word, &mine, 1, (me + 1) % npes);
shmem_sync_all();
printf(\"%d\", word);
shmem_barrier_all();
shmem_finalize(); return 0; }",
        &["--processes", "2"],
    );
    expect(
        &output,
        1,
        &["help: insert `shmem_quiet()`", "or: move `shmem_barrier_all`"],
    );
    let said = said(&output);
    assert!(!said.contains("move `shmem_quiet`"), "{said}");
}

#[test]
fn two_fields_that_take_turns_need_a_barrier_at_the_end_of_a_round() {
    let output = lint(
        "#include <shmem.h>
static long a[2];
int main(void) {
shmem_init();
int me = shmem_my_pe(), np = shmem_n_pes();
a[0] = me;
shmem_barrier_all();
for (int t = 0; t < 4; t++) {
long x = shmem_long_g(&a[t & 1], (me + 1) % np);
a[1 - (t & 1)] = x + 1;
}
shmem_barrier_all();
shmem_finalize(); return 0; }",
        &["--processes", "2"],
    );
    let help = "help: insert `shmem_sync_all()` after program.c:10 and before program.c:9 of the next round";
    expect(
        &output,
        1,
        &["remote-race", help, "verified right after program.c:10"],
    );
}

/// A faster process has sent the next round's data before the last one was read. With the barrier that forbids this,
/// who waits finds the number of its own round, and not that of the next one, which it had found.
#[test]
fn a_slot_without_an_acknowledgement_needs_a_barrier_at_the_end_of_a_round() {
    let output = lint(
        "#include <shmem.h>
static uint64_t sent;
static double slot[8];
int main(void) {
shmem_init();
int me = shmem_my_pe(), other = 1 - me;
double out[8], sum = 0;
for (int s = 0; s < 4; s++) {
for (int i = 0; i < 8; i++) out[i] = s + i;
shmem_double_put(slot, out, 8, other);
shmem_fence();
shmem_uint64_p(&sent, s + 1, other);
shmem_uint64_wait_until(&sent, SHMEM_CMP_GE, s + 1);
for (int i = 0; i < 8; i++) sum += slot[i];
shmem_quiet();
}
shmem_barrier_all();
shmem_finalize(); return sum < 0; }",
        &["--processes", "2"],
    );
    let help = "help: insert `shmem_sync_all()` after program.c:14 and before program.c:10 of the next round";
    expect(
        &output,
        1,
        &["remote-race", help, "verified right after program.c:14"],
    );
}

/// The solver may find a number that makes the matrix as large as no machine: what then is too long to be followed is
/// not followed, and costs neither memory nor time.
#[test]
fn sizes_that_inputs_make_huge_cost_nothing() {
    let output = lint(
        "#include <shmem.h>
#include <stdlib.h>
int main(int argc, char **argv) {
shmem_init();
int me = shmem_my_pe(), np = shmem_n_pes();
long n = argc > 1 ? atol(argv[1]) : 4;
double *matrix = shmem_malloc(n * n * np * sizeof(double)), *column = malloc(n * sizeof(double));
for (long i = 0; i < n * n * np; i++) matrix[i] = i;
shmem_barrier_all();
shmem_double_iput(matrix + me, column, n * np, 1, n, (me + 1) % np);
shmem_barrier_all();
for (long r = 0; r < n; r++) matrix[r] = 0;
shmem_finalize(); return 0; }",
        &["--memory", "2000"],
    );
    expect(&output, 0, &["no findings", "in 4 processes"]);
    assert!(!said(&output).contains("memory-limit"), "{}", said(&output));
}

#[test]
fn processes_on_another_node_have_a_team_and_memory_of_their_own() {
    let of_leaders = |complete: &str| {
        format!(
            "#include <shmem.h>
static int data, one = 1;
int main(void) {{
    shmem_init(); int me = shmem_my_pe(), seen = 0;
    if (me > 0 && shmem_team_my_pe(SHMEM_TEAM_SHARED) == 0) shmem_int_put(&data, &one, 1, 0);
    {complete}
    shmem_sync_all();
    if (me == 0) seen = data;
    shmem_finalize(); return seen == 7; }}"
        )
    };
    let racy = lint(&of_leaders(""), &[]);
    expect(&racy, 1, &["remote-race", "each process on a node of its own"]);
    expect(&lint(&of_leaders("shmem_quiet();"), &[]), 0, &["no findings"]);
}
