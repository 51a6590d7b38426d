//! Functions whose code was not given, those of the C library that call the program, and headers of Farside's own.

use super::{FLUSH, MPI, body, expect, folder, lint_in, said};
use std::process::Output;

fn linted(declarations: &str, between: &str, options: &[&str]) -> Output {
    let source = format!(
        "{MPI}\n{declarations}\nint main(int argc, char **argv) {{ MPI_Init(&argc, &argv);\n{}\nMPI_Finalize(); return 0; }}",
        body(between)
    );
    let folder = folder(&[("program.c", &source)]);
    lint_in(folder.path(), &[options, &["program.c"]].concat())
}

#[test]
fn a_function_without_code_is_named_and_certainty_stays() {
    let smooth = "void smooth(int *, int);";
    let named = "no code was given of smooth (called at";
    let output = linted(smooth, &format!("smooth(buffer, 4); {FLUSH}"), &[]);
    expect(
        &output,
        0,
        &[
            named,
            "what it loads, stores and calls was not seen",
            "unknown-call",
        ],
    );
    let output = linted(smooth, "smooth(buffer, 4);", &[]);
    expect(&output, 1, &["local-race", named]);
}

#[test]
fn what_a_function_without_code_may_have_set_is_no_wrong_argument() {
    let make = "void make(int **);";
    let put = "MPI_Put(cells, 4, MPI_INT, 1, 4, 4, MPI_INT, win);";
    let none = format!("int *cells = 0; {put} {FLUSH}");
    expect(
        &linted(make, &none, &[]),
        1,
        &["invalid-argument", "origin_addr of MPI_Put"],
    );
    let made = format!("int *cells = 0; make(&cells); {put} {FLUSH}");
    let output = linted(make, &made, &[]);
    expect(&output, 0, &["no code was given of make"]);
    let elsewhere = format!("extern int *theirs; int *cells = theirs; {put} {FLUSH}");
    expect(&linted(make, &elsewhere, &[]), 0, &[]);
}

#[test]
fn what_a_result_of_a_function_without_code_decides_is_possible() {
    let pick = "int pick(int);";
    let decides = "what pick returns or stores decides";
    for between in [
        format!("if (pick(4) <= 3) {FLUSH}"),
        format!("if (pick(1) + 2 * pick(2) == 0) {FLUSH}"),
        format!("int more = pick(3) > 1 ? 1 : 0; if (!more) {FLUSH}"),
    ] {
        let output = linted(pick, &between, &[]);
        let hidden = "1 hidden possible finding";
        expect(&output, 0, &["1 finding is possible only", decides, hidden]);
        let output = linted(pick, &between, &["--possible"]);
        expect(&output, 1, &["possible", "local-race"]);
        assert!(!said(&output).contains(hidden));
    }
    // It takes two conditions, of which none is certain.
    let switch = format!("switch (pick(7)) {{ case 0: {FLUSH} break; case 5: break; default: {FLUSH} }}");
    expect(&linted(pick, &switch, &[]), 0, &["no findings"]);
    // Where it says what memory is concerned, the program's own is other memory.
    let count = format!("{FLUSH} MPI_Put(buffer, pick(1) + 1, MPI_INT, 1, 0, 4, MPI_INT, win);");
    expect(
        &linted(pick, &count, &[]),
        0,
        &["2 findings are possible only", decides],
    );
}

#[test]
fn what_holds_whatever_a_function_without_code_returns_is_certain() {
    let pick = "int pick(int);";
    for between in [
        "static int seen; if (pick(4) > 3) seen = 1; else seen = 2;",
        // A program that works goes on.
        "if (pick(4) != 0) return 1;",
        "pick(buffer[1]);",
    ] {
        let output = linted(pick, between, &[]);
        expect(&output, 1, &["local-race"]);
        assert!(!said(&output).contains("possible only"), "{}", said(&output));
    }
    // What the C library returns can be anything that its type can be.
    let output = linted("#include <stdlib.h>", &format!("if (rand() != 5) {FLUSH}"), &[]);
    expect(&output, 1, &["local-race"]);
}

#[test]
fn what_a_function_without_code_may_have_stored_is_not_known() {
    let all = "MPI_Win_flush(1, win);";
    let get = "MPI_Get(buffer + 3, 1, MPI_INT, 1, at[2], 1, MPI_INT, win);";
    let both = format!("{all} {get} MPI_Put(buffer, 1, MPI_INT, 1, 1, 1, MPI_INT, win); {all}");
    let rest = |name: &str| format!("what {name} returns or stores decides");
    let plan = "struct grid { int *at; long count; }; void plan(int *, int); void partition(struct grid *);";
    for (fill, name) in [
        ("plan(at, 4);", "plan"),
        ("struct grid grid = { at, 4 }; partition(&grid);", "partition"),
        ("int *end = at + 1; plan(end - 1, 4);", "plan"),
    ] {
        let between = format!("int at[4] = {{1, 1, 1, 1}}; {fill} {both}");
        expect(&linted(plan, &between, &[]), 0, &["possible only", &rest(name)]);
        let condition = format!("int at[4] = {{1, 1, 1, 1}}; {fill} if (at[3] == 1) {FLUSH}");
        expect(&linted(plan, &condition, &[]), 0, &[&rest(name)]);
    }
    // What it was not given, what the program stores later, and constants.
    for between in [
        "int at[4] = {0}, more[4] = {0}; plan(at, 4); if (more[3] == 0)",
        "int at[4] = {0}; plan(at, 4); at[3] = 0; if (at[3] == 0)",
        "static const int at[4] = {0}; plan((int *)at, 4); if (at[3] == 0)",
        "int at[4] = {0}; struct grid grid = { at, 4 }; partition(&grid); if (grid.at == at)",
    ] {
        let output = linted(plan, &format!("{between} buffer[1] = 1;"), &[]);
        expect(&output, 1, &["local-race"]);
        assert!(!said(&output).contains("possible only"), "{}", said(&output));
    }
}

#[test]
fn what_cxx_says_to_be_constant_stays() {
    let source = |mark: &str| {
        format!(
            "extern \"C\" {{{MPI}}}\nstruct grid {{ int at[4]; }};\nvoid show({mark} grid &, {mark} int *);\n\
             int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);\n{}\nMPI_Finalize(); }}",
            body(&format!(
                "grid grid {{}}; int more[2] = {{}}; show(grid, more); if (grid.at[2] == 0) {FLUSH}"
            ))
        )
    };
    for (mark, expected) in [
        ("const", "no code was given of show"),
        ("", "what show(grid&, int*) returns or stores decides"),
    ] {
        let folder = folder(&[("program.cpp", &source(mark))]);
        let output = lint_in(folder.path(), &["program.cpp"]);
        expect(&output, 0, &[expected]);
        assert_eq!(said(&output).contains("possible only"), mark.is_empty());
    }
}

#[test]
fn who_is_given_the_window_may_complete_the_operation() {
    let exchange =
        "struct field { long size; MPI_Win win; }; void exchange(MPI_Win); void send_out(struct field *);";
    for call in [
        "exchange(win);",
        "struct field field = { 4, win }; send_out(&field);",
    ] {
        let output = linted(exchange, call, &[]);
        expect(
            &output,
            0,
            &["is not followed: what it orders or touches was not seen"],
        );
        let output = linted(exchange, call, &["--possible"]);
        expect(&output, 1, &["local-race", "possible"]);
    }
}

#[test]
fn the_c_library_is_known() {
    let library = "#include <time.h>\n#include <sys/resource.h>\n#include <locale.h>\n#include <setjmp.h>\n\
                   static jmp_buf here;";
    let calls = "struct timespec now; clock_gettime(CLOCK_REALTIME, &now); struct rusage used;
getrusage(RUSAGE_SELF, &used); setlocale(LC_ALL, \"\"); if (setjmp(here)) return 1;";
    let output = linted(library, &format!("{calls} {FLUSH}"), &[]);
    expect(&output, 0, &["nothing is known to be left out"]);
    // It does something to a buffer, and what is not known.
    let output = linted(
        "#include <unistd.h>",
        &format!("swab(buffer, buffer, 16); {FLUSH}"),
        &[],
    );
    expect(&output, 0, &["no code was given of swab"]);
}

#[test]
fn a_sort_with_a_key_calls_the_comparison_of_the_program() {
    let order = "#define _GNU_SOURCE\n#include <stdlib.h>
static int by(const void *a, const void *b, void *key) { const int *k = key; return k[*(const int *)a] - k[*(const int *)b]; }";
    let sorted = "int at[4] = {0, 1, 2, 3}, key[4] = {5, 9, 1, 7}; qsort_r(at, 4, sizeof *at, by, key);";
    for (condition, status) in [
        ("at[0] == 2 && at[1] == 0 && at[2] == 3 && at[3] == 1", 0),
        ("at[0] == 1", 1),
    ] {
        let output = linted(order, &format!("{sorted} if ({condition}) {FLUSH}"), &[]);
        expect(&output, status, &[]);
        assert!(!said(&output).contains("unknown-call"), "{}", said(&output));
    }
}

#[test]
fn a_search_in_a_sorted_table_finds_what_is_there() {
    let table = "#include <stdlib.h>
static const int table[] = { 2, 3, 5, 7, 11, 13 };
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int at(int key) { const int *found = bsearch(&key, table, 6, sizeof(int), less); return found ? found - table : -1; }";
    for (condition, status) in [
        (
            "at(2) == 0 && at(7) == 3 && at(13) == 5 && at(1) < 0 && at(6) < 0 && at(99) < 0",
            0,
        ),
        ("at(7) == 2", 1),
    ] {
        let output = linted(table, &format!("if ({condition}) {FLUSH}"), &[]);
        expect(&output, status, &[]);
        assert!(!said(&output).contains("unknown-call"), "{}", said(&output));
    }
}

#[test]
fn the_headers_of_farside_are_there_for_programs_that_need_them() {
    let source = "#include <GASPI.h>
int main(void) { gaspi_proc_init(GASPI_BLOCK); gaspi_proc_term(GASPI_BLOCK); return 0; }";
    let folder = folder(&[("program.c", source)]);
    let output = lint_in(folder.path(), &["program.c"]);
    assert!(!said(&output).contains("not found"), "{}", said(&output));
    assert_ne!(output.status.code(), Some(2), "{}", said(&output));
}
