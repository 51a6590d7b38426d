//! Inputs that `lint` works out: command lines, environment variables, answers, files; and that each of them leads to
//! what was found. Needs z3, as `scripts/setup` installs it.

use super::asked::words;
use super::{FLUSH, MPI, body, expect, folder, late_program, lint_in, said};
use std::fmt::Write as _;
use std::fs;

/// The race is found with these inputs, and with nothing else to find them by than to be given them.
#[track_caller]
fn expect_race(parser: &str, shown: &str, given: &[&str]) {
    let folder = late_program(parser);
    let output = lint_in(folder.path(), &["late.c"]);
    expect(&output, 1, &["local-race", &format!("= found with: {shown}")]);
    let again = [given, &["late.c"]].concat();
    expect(&lint_in(folder.path(), &again), 1, &["local-race"]);
}

#[track_caller]
fn expect_none(parser: &str) {
    let folder = late_program(parser);
    let output = lint_in(folder.path(), &["late.c"]);
    expect(&output, 0, &["no findings"]);
}

const NUMBER: &str = "int n = 1; if (argc > 1) n = atoi(argv[1]);";

#[test]
fn a_number_of_the_command_line_is_found() {
    let racy = format!("{NUMBER} if (n > 5) {{ if (n % 7 == 3) if (n < 12) late = 1; }}");
    expect_race(&racy, "--args \"10\"", &["--args", "10"]);
    expect_none(&format!(
        "{NUMBER} if (n > 5) {{ if (n % 7 == 3) if (n < 10) late = 1; }}"
    ));
}

/// No condition names the number: it chooses a function from a table.
#[test]
fn a_number_that_chooses_a_function_is_found() {
    let source = |last: &str| {
        format!(
            "{MPI}
#include <stdlib.h>
static int same(int n) {{ return n; }}
static int next(int n) {{ return n + 1; }}
static struct {{ const char *name; int (*what)(int); }} table[] =
    {{{{\"same\", same}}, {{\"again\", same}}, {{\"last\", {last}}}}};
int main(int argc, char **argv) {{
    {NUMBER} if (n < 0 || n > 2) return 2;
    int late = table[n].what(0);
    MPI_Init(&argc, &argv);
    {}
    MPI_Finalize(); return 0; }}",
            body(&format!("if (!late) {FLUSH}"))
        )
    };
    for (last, status, said) in [
        ("next", 1, "= found with: --args \"2\""),
        ("same", 0, "no findings"),
    ] {
        let folder = folder(&[("late.c", &source(last))]);
        expect(&lint_in(folder.path(), &["late.c"]), status, &[said]);
    }
}

#[test]
fn two_numbers_that_depend_on_each_other_are_found() {
    let two = "if (argc != 3) return 2; int n = atoi(argv[1]), k = strtol(argv[2], NULL, 10);";
    let racy = format!("{two} if (2 * n + 3 * k == 47) if (n - k == 11) late = 1;");
    expect_race(&racy, "--args \"16 5\"", &["--args", "16 5"]);
    expect_none(&format!(
        "{two} if (2 * n + 2 * k == 47) if (n - k == 11) late = 1;"
    ));
}

#[test]
fn a_word_with_a_number_is_found() {
    let racy = "if (argc > 2 && strcmp(argv[1], \"late\") == 0 && atoi(argv[2]) == 33) late = 1;";
    expect_race(racy, "--args \"late 33\"", &["--args", "late 33"]);
}

#[test]
fn an_environment_variable_is_found() {
    let racy = "const char *mode = getenv(\"MODE\"); if (mode && atoi(mode) == 12) late = 1;";
    expect_race(racy, "--env MODE=12", &["--env", "MODE=12"]);
}

/// Conditions on it are decided on all ranks as on the one that has read it.
#[test]
fn what_one_process_reads_and_tells_all_is_one_input() {
    let source = |second: &str| {
        format!(
            "{MPI}\n#include <stdio.h>\nstatic int x[100];
int main(int argc, char **argv) {{ int rank, size, k = 12; MPI_Win win; MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
if (rank == 0 && scanf(\"%d\", &k) != 1) k = 12;
MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD);
int n = k > 2 ? k : 2; if (n > 20) n = 20;
int left = (rank + size - 1) % size;
MPI_Win_create(x, sizeof x, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win); MPI_Win_fence(0, win);
MPI_Put(&x[0], 1, MPI_INT, left, n + 1, 1, MPI_INT, win);
MPI_Put(&x[n + 3], 1, MPI_INT, left, {second}, 1, MPI_INT, win);
MPI_Win_fence(0, win); MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        )
    };
    for (second, status) in [("2 * n + 3", 0), ("n + 1", 1)] {
        let folder = folder(&[("told.c", &source(second))]);
        expect(&lint_in(folder.path(), &["told.c"]), status, &[]);
    }
}

#[test]
fn answers_and_files_are_found() {
    let answers = "int n = 0, k = 0; if (scanf(\"%d,%d\", &n, &k) == 2 && n * 3 == k && k == 27) late = 1;";
    let folder = late_program(answers);
    let output = lint_in(folder.path(), &["late.c"]);
    expect(
        &output,
        1,
        &["local-race", "= found with: --stdin with \"9,27\\n"],
    );
    fs::write(folder.path().join("in"), "9,27\n").unwrap();
    expect(
        &lint_in(folder.path(), &["--stdin", "in", "late.c"]),
        1,
        &["local-race"],
    );

    let file = "FILE *deck = fopen(\"deck.in\", \"r\"); char line[80]; int n = 0;
if (!deck) return 2;
if (fgets(line, 80, deck) && fgets(line, 80, deck)) n = atoi(line);
if (n > 40 && n < 42) late = 1;";
    let folder = late_program(file);
    let output = lint_in(folder.path(), &["late.c"]);
    expect(
        &output,
        1,
        &["local-race", "= found with: ", "--file deck.in with \"4\\n41\\n"],
    );
    fs::write(folder.path().join("deck"), "4\n41\n").unwrap();
    expect(
        &lint_in(folder.path(), &["--file", "deck.in=deck", "late.c"]),
        1,
        &["local-race"],
    );
}

/// What the report's JSON says of it, and what is not said where no solver is.
/// Simulations that other threads make ahead are those that the search would make itself.
#[test]
fn a_report_does_not_depend_on_the_number_of_threads() {
    let parsers = [
        format!("{NUMBER} for (int i = 0; i < n; i++) if (i == 6 && n % 5 == 2) late = 1;"),
        format!("{NUMBER} if (n > 5) {{ if (n % 7 == 3) if (n < 10) late = 1; }}"),
        words("if (strcmp(argv[i], \"-l\") == 0) late = 1;"),
    ];
    for parser in parsers {
        let folder = late_program(&parser);
        let with = |threads: &str| {
            let output = lint_in(folder.path(), &["--possible", "--threads", threads, "late.c"]);
            (output.status.code(), said(&output))
        };
        let alone = with("1");
        assert!(alone.1.contains("simulations"), "{}", alone.1);
        assert_eq!(with("2"), alone);
        assert_eq!(with("4"), alone);
    }
}

#[test]
fn inputs_are_data_and_a_missing_solver_is_said() {
    let folder = late_program(&format!("{NUMBER} if (n > 99) if (n < 101) late = 1;"));
    let output = lint_in(folder.path(), &["--format", "json", "late.c"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"][0]["inputs"]["arguments"][0], "100");
    let without = std::process::Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["lint", "--mpicc", "/nowhere/mpicc", "late.ll"])
        .current_dir(folder.path())
        .env("PATH", compiled(folder.path()))
        .output()
        .unwrap();
    expect(&without, 0, &["no-solver"]);
}

/// Compiles the program; a folder without any program.
fn compiled(folder: &std::path::Path) -> std::path::PathBuf {
    let built = std::process::Command::new("clang-19")
        .args([
            "-S",
            "-emit-llvm",
            "-g",
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "late.c",
            "-o",
            "late.ll",
        ])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(built.success());
    let empty = folder.join("empty");
    fs::create_dir(&empty).unwrap();
    empty
}

/// What a random program does with its two numbers: nested conditions, each a combination of them.
struct Tree {
    /// `a * n + b * k` is compared by an operator with a number.
    condition: (i64, i64, &'static str, i64),
    yes: Option<Box<Tree>>,
    no: Option<Box<Tree>>,
}

/// Random numbers that are the same each time: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

impl Tree {
    fn random(random: &mut Random, depth: u32) -> Self {
        let factor = |random: &mut Random| random.below(7) as i64 - 3;
        let operator = ["<", "==", ">", "!=", "<=", ">="][random.below(6) as usize];
        let condition = (
            factor(random),
            factor(random),
            operator,
            random.below(41) as i64 - 10,
        );
        let mut below =
            || (depth > 0 && random.below(4) > 0).then(|| Box::new(Self::random(random, depth - 1)));
        Self {
            condition,
            yes: below(),
            no: below(),
        }
    }

    /// Which of the leaves, counted from the left, these numbers lead to.
    fn leaf(&self, n: i64, k: i64, first: usize) -> usize {
        let (a, b, operator, bound) = self.condition;
        let value = a * n + b * k;
        let holds = match operator {
            "<" => value < bound,
            "==" => value == bound,
            ">" => value > bound,
            "!=" => value != bound,
            "<=" => value <= bound,
            _ => value >= bound,
        };
        match (holds, &self.yes, &self.no) {
            (true, Some(tree), _) => tree.leaf(n, k, first),
            (true, None, _) => first,
            (false, yes, Some(tree)) => tree.leaf(n, k, first + leaves(yes)),
            (false, yes, None) => first + leaves(yes),
        }
    }

    fn text(&self, out: &mut String, first: usize) {
        let (a, b, operator, bound) = self.condition;
        let _ = writeln!(out, "if ({a} * n + {b} * k {operator} {bound}) {{");
        side(&self.yes, out, first);
        let _ = writeln!(out, "}} else {{");
        side(&self.no, out, first + leaves(&self.yes));
        let _ = writeln!(out, "}}");
    }
}

fn leaves(tree: &Option<Box<Tree>>) -> usize {
    tree.as_ref()
        .map_or(1, |tree| leaves(&tree.yes) + leaves(&tree.no))
}

fn side(tree: &Option<Box<Tree>>, out: &mut String, first: usize) {
    match tree {
        Some(tree) => tree.text(out, first),
        None => drop(writeln!(out, "leaf = {first};")),
    }
}

/// A program that computes much, with a least size, and as many rounds as it is told; without `fence`, a put races
/// with what comes after it.
fn sizes(fence: &str) -> String {
    format!(
        "{MPI}
#include <stdlib.h>
int MPI_Comm_size(MPI_Comm, int *); int MPI_Abort(MPI_Comm, int); int MPI_Win_fence(int, MPI_Win);
static long argument(int argc, char **argv, int nth, long otherwise, long least) {{
    long value = argc > nth ? atol(argv[nth]) : otherwise;
    if (value < least) MPI_Abort(MPI_COMM_WORLD, 2);
    return value;
}}
int main(int argc, char **argv) {{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long cells = argument(argc, argv, 1, 30000, 200), rounds = argument(argc, argv, 2, 500, 1);
    unsigned *field, value = rank, odd = 0;
    MPI_Win win;
    MPI_Win_allocate(cells * sizeof *field, sizeof *field, MPI_INFO_NULL, MPI_COMM_WORLD, &field, &win);
    MPI_Win_fence(0, win);
    for (long round = 0; round < rounds; round++) {{
        for (long i = 0; i < cells; i++) {{
            value = value * 1103515245 + 12345;
            if (value >> 16 & 1) odd += value >> 8;
        }}
        MPI_Put(&odd, 1, MPI_INT, (rank + 1) % size, round % cells, 1, MPI_INT, win);
        {fence}
        field[round % cells]++;
        MPI_Win_fence(0, win);
    }}
    MPI_Win_free(&win);
    MPI_Finalize(); return 0; }}"
    )
}

#[test]
fn each_argument_gets_a_number_of_its_own_where_a_program_is_long_and_refuses_small_ones() {
    let racy = folder(&[("sizes.c", &sizes(""))]);
    let line =
        "with the argument 240 in place 1, and 4 in each other place, the program was followed to its end";
    expect(&lint_in(racy.path(), &["sizes.c"]), 1, &["remote-race", line]);
    let clean = folder(&[("sizes.c", &sizes("MPI_Win_fence(0, win);"))]);
    expect(
        &lint_in(clean.path(), &["sizes.c"]),
        0,
        &["no findings in 4 processes", line],
    );
}

/// Any argument leaves out the rounds, and without arguments they do not end: what comes after them is followed with
/// numbers all the same.
#[test]
fn numbers_with_which_a_program_does_less_are_the_last_resort() {
    let source = |fence: &str| {
        format!(
            "{MPI}
int MPI_Comm_size(MPI_Comm, int *); int MPI_Win_fence(int, MPI_Win); int MPI_Barrier(MPI_Comm);
int main(int argc, char **argv) {{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned *field, value = rank, odd = 0;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof *field, sizeof *field, MPI_INFO_NULL, MPI_COMM_WORLD, &field, &win);
    MPI_Win_fence(0, win);
    for (int round = 0; argc == 1 && round < 500; round++) {{
        for (int i = 0; i < 30000; i++) {{
            value = value * 1103515245 + 12345;
            if (value >> 16 & 1) odd += value >> 8;
        }}
        MPI_Barrier(MPI_COMM_WORLD);
    }}
    MPI_Put(&odd, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    {fence}
    field[0]++;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize(); return 0; }}"
        )
    };
    let racy = folder(&[("quick.c", &source(""))]);
    expect(&lint_in(racy.path(), &["quick.c"]), 1, &["remote-race"]);
    let clean = folder(&[("quick.c", &source("MPI_Win_fence(0, win);"))]);
    expect(
        &lint_in(clean.path(), &["quick.c"]),
        0,
        &["no findings in 4 processes"],
    );
}

/// With fewer cells than processes, some have none, and what they put comes from where others put to. The program is
/// not meant for that, and is right.
#[test]
fn less_than_one_for_each_process_finds_nothing() {
    let source = format!(
        "{MPI}
#include <stdlib.h>
int MPI_Comm_size(MPI_Comm, int *); int MPI_Win_fence(int, MPI_Win);
int main(int argc, char **argv) {{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int cells = argc > 1 ? atoi(argv[1]) : 1024, steps = argc > 2 ? atoi(argv[2]) : 100, n = cells / size;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    unsigned *a;
    MPI_Win win;
    MPI_Win_allocate((n + 2) * sizeof *a, sizeof *a, MPI_INFO_NULL, MPI_COMM_WORLD, &a, &win);
    for (int i = 0; i < n + 2; i++) a[i] = rank + i;
    MPI_Win_fence(0, win);
    for (int s = 0; s < steps; s++) {{
        MPI_Put(a + 1, 1, MPI_INT, left, n + 1, 1, MPI_INT, win);
        MPI_Put(a + n, 1, MPI_INT, right, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        unsigned odd = 0;
        for (int i = 1; i <= n; i++)
            for (int k = 0; k < 6000; k++) {{
                a[i] = a[i] * 1103515245 + 12345 + (odd & 1);
                if (a[i] >> 16 & 1) odd += a[i] >> 8;
            }}
        MPI_Win_fence(0, win);
    }}
    MPI_Win_free(&win);
    MPI_Finalize(); return 0; }}"
    );
    let folder = folder(&[("ring.c", &source)]);
    expect(
        &lint_in(folder.path(), &["ring.c"]),
        0,
        &["no findings in 4 processes"],
    );
    // They are found, and told as possible.
    expect(
        &lint_in(folder.path(), &["--possible", "ring.c"]),
        1,
        &["MPI_Put"],
    );
}

/// What no solver is asked of: one value decides two conditions, so that deciding one of them otherwise than the other
/// shows what no run does. A condition that is alone with its value is as it is taken to be.
#[test]
fn conditions_on_one_value_are_not_decided_apart_with_certainty() {
    let program = |fence: &str| {
        format!(
            "{MPI}int rand(void);
int main(void) {{ int rank, size, *memory, seen; MPI_Win win;
MPI_Init(0, 0); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
int mode = rand() % 3;
MPI_Bcast(&mode, 1, MPI_INT, 0, MPI_COMM_WORLD);
MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
MPI_Win_fence(0, win);
if (mode == 2) MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
{fence}
seen = memory[0];
MPI_Win_fence(0, win);
MPI_Win_free(&win); MPI_Finalize(); return seen < 0; }}"
        )
    };
    let apart = program("if (mode >= 1) MPI_Win_fence(0, win);");
    let folder = folder(&[("alone.c", &program("")), ("apart.c", &apart)]);
    expect(&lint_in(folder.path(), &["alone.c"]), 1, &["remote-race"]);
    let possible = ["no findings", "1 hidden possible finding"];
    expect(&lint_in(folder.path(), &["apart.c"]), 0, &possible);
}

/// Decided the other way, a condition on a number goes with the number that it denies: no input does that.
#[test]
fn a_number_that_a_condition_denies_makes_no_certain_race() {
    for read in [
        "if (argc > 1) n = atoi(argv[1]); if (n % size) MPI_Abort(MPI_COMM_WORLD, 1);",
        "n = atoi(argv[1]); if (n % size) MPI_Abort(MPI_COMM_WORLD, 1);",
        "n = atoi(getenv(\"N\"));",
    ] {
        let text = format!(
            "{MPI}#include <stdlib.h>
int main(int argc, char **argv) {{ int rank, size, n = 8, *to; MPI_Win win; MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
{read}
int rows = n / size;
MPI_Win_allocate(n * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &to, &win);
MPI_Win_fence(0, win);
for (int i = 0; i < rows; i++) MPI_Put(&rank, 1, MPI_INT, 0, rank * rows + i, 1, MPI_INT, win);
MPI_Win_fence(0, win);
MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        );
        let folder = folder(&[("rows.c", &text)]);
        expect(&lint_in(folder.path(), &["rows.c"]), 0, &["no findings"]);
    }
}

/// The run without arguments is a run, also where the program says in the end that its result is wrong.
#[test]
fn a_race_by_which_a_program_fails_its_own_check_is_found() {
    let text = format!(
        "{MPI}#include <stdlib.h>
int main(int argc, char **argv) {{ int rank, size, bad = 0, all, rounds = 2, *to; MPI_Win win;
MPI_Init(&argc, &argv); if (argc > 1) rounds = atoi(argv[1]); if (argc > 2) MPI_Abort(MPI_COMM_WORLD, 2);
MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &to, &win);
for (int i = 0; i < 16; i++) to[i] = -1;
for (int round = 0; round < rounds; round++) {{
MPI_Win_fence(0, win);
MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
MPI_Win_fence(0, win);
if (rank == 0) for (int i = 0; i < size; i++) if (to[i] != i) bad = 1; }}
MPI_Win_free(&win); MPI_Allreduce(&bad, &all, 1, MPI_INT, 0x58000003, MPI_COMM_WORLD); MPI_Finalize();
return all != 0; }}"
    );
    let folder = folder(&[("check.c", &text)]);
    expect(&lint_in(folder.path(), &["check.c"]), 1, &["remote-race"]);
}

/// With three processes and more it hangs: it is wrong if it computes with their number; if it only looks at it, it may
/// be meant for two, which is said.
#[test]
fn what_is_found_before_a_program_hangs_with_more_processes_is_not_left_unsaid() {
    let lint = |second: &str| {
        let text = format!(
            "{MPI}int main(int argc, char **argv) {{ int rank, size, *to; MPI_Win win; MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size); if (size < 2) MPI_Abort(MPI_COMM_WORLD, 1);
MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &to, &win);
MPI_Win_fence(0, win);
if (rank > 0) {{ MPI_Put(&rank, 1, MPI_INT, rank - 1, 1, 1, MPI_INT, win); MPI_Win_fence(0, win); }}
if ({second}) {{ MPI_Put(&rank, 1, MPI_INT, (rank + 1) % 2, 0, 1, MPI_INT, win); MPI_Win_fence(0, win); }}
MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        );
        let folder = folder(&[("inner.c", &text)]);
        lint_in(folder.path(), &["inner.c"])
    };
    expect(
        &lint("rank < size - 1"),
        1,
        &["collective-mismatch", "in 3 processes"],
    );
    let said = &["with 3 processes and more the program hangs", "--ranks 3 shows"];
    expect(&lint("rank != 1"), 4, said);
}

/// What all pairs of small numbers lead to is found, and what is found is led to by the numbers that the report names.
#[test]
fn the_solver_finds_what_an_enumeration_finds() {
    let mut random = Random(0x5eed_cafe);
    for _ in 0..10 {
        let tree = Tree::random(&mut random, 3);
        let count = leaves(&tree.yes) + leaves(&tree.no);
        let wanted = random.below(count as u64) as usize;
        let all = (0..=64).flat_map(|n| (0..=64).map(move |k| (n, k)));
        let is_reached = all.clone().any(|(n, k)| tree.leaf(n, k, 0) == wanted);
        let mut parser =
            String::from("if (argc != 3) return 2;\nint n = atoi(argv[1]), k = atoi(argv[2]), leaf = -1;\n");
        tree.text(&mut parser, 0);
        let _ = writeln!(parser, "if (leaf == {wanted}) late = 1;");
        let folder = late_program(&parser);
        let output = lint_in(folder.path(), &["--format", "json", "late.c"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap();
        assert!(!is_reached || !findings.is_empty(), "not found:\n{parser}");
        for finding in findings {
            let words: Vec<i64> = finding["inputs"]["arguments"]
                .as_array()
                .unwrap_or_else(|| panic!("no inputs: {}\n{parser}", said(&output)))
                .iter()
                .map(|word| word.as_str().unwrap().parse().unwrap())
                .collect();
            assert_eq!(tree.leaf(words[0], words[1], 0), wanted, "{words:?}\n{parser}");
        }
    }
}
