//! `farside robust` of C programs from the outside: verdicts, lines, what is printed, what is not known.

mod repairs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn library(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../robust-tests/c")
        .join(name)
}

/// Where the header of GASPI is, for the compiler.
const GASPI: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../gaspi/include");

fn robust(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("robust")
        .args(arguments)
        .arg(file)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The answer of a program of these statements, after `int me`, the rank; `x`, `y`, `d` are symmetric.
fn answer(statements: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    let head = "#include <shmem.h>\n#include <math.h>\nstatic int x, y; static double d;\nint main(void) {\n";
    let code = format!("{head}shmem_init(); int me = shmem_my_pe();\n{statements}\nreturn 0; }}\n");
    std::fs::write(&file, code).unwrap();
    let output = robust(&[], &file);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// A program of robust-tests/c, decided as its head says: for so many processes, started with these words. What is
/// wrong with the answer, if it is not the one in the head.
fn mistaken(file: &Path) -> Option<String> {
    let code = std::fs::read_to_string(file).unwrap();
    let said = |of: &str| code.lines().take(5).find_map(|line| line.strip_prefix(of));
    let output = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["robust", "--quiet", "--ranks", said("// ranks: ").unwrap_or("2")])
        .args(["--args", said("// args: ").unwrap_or("")])
        .arg(file)
        .args(["--", GASPI])
        .output()
        .unwrap();
    let expected = match said("// robust: ").unwrap() {
        "yes" => 0,
        "no" => 1,
        _ => 4,
    };
    let shown = || text(&output.stdout) + &text(&output.stderr);
    (output.status.code() != Some(expected)).then(|| format!("{}: {}", file.display(), shown()))
}

#[test]
fn the_verdict_of_each_kernel_is_as_reasoned() {
    let entries = std::fs::read_dir(library("")).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    assert!(files.len() >= 200, "{}", files.len());
    files.sort();
    let files = farside_built::by_day(3, files);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let look = || {
        let number = || next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let some = std::iter::repeat_with(number).map_while(|at| files.get(at));
        some.filter_map(|file| mistaken(file)).collect::<Vec<_>>()
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(look)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_status_is_the_verdict_and_places_are_lines() {
    let output = robust(&[], &library("ticket-lock-yes.c"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = robust(&[], &library("ticket-lock-no.c"));
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(
        said.contains("ticket-lock-no.c:25:5  shmem_int_p(&count, c + 1, 0);"),
        "{said}"
    );
    let json = robust(&["--format", "json"], &library("ticket-lock-no.c"));
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["programs"][0]["verdict"], "not-robust");
    let lines = report["programs"][0]["violation"]["events"]
        .as_array()
        .unwrap()
        .iter();
    assert!(lines.map(|event| &event["source"]["line"]).any(|line| line == 25));
}

#[test]
fn what_is_printed_has_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (name, status) in [
        ("mcs-lock-yes.c", 0),
        ("mcs-lock-no.c", 1),
        ("ring-queue-no.c", 1),
    ] {
        let printed = robust(&["--print"], &library(name));
        assert_eq!(printed.status.code(), Some(0));
        let file = folder.path().join("printed.pgas");
        std::fs::write(&file, &printed.stdout).unwrap();
        let output = robust(&[], &file);
        assert_eq!(output.status.code(), Some(status), "{}", text(&printed.stdout));
    }
}

#[test]
fn a_repair_is_one_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let repaired = folder.path().join("repaired.c");
    let arguments = ["--repair", "--repaired", repaired.to_str().unwrap()];
    let output = robust(&arguments, &library("ticket-lock-no.c"));
    assert_eq!(output.status.code(), Some(1));
    let source = std::fs::read_to_string(&repaired).unwrap();
    assert!(
        source.contains("    shmem_fence(); // inserted: fence\n"),
        "{source}"
    );
    assert_eq!(robust(&[], &repaired).status.code(), Some(0), "{source}");
}

#[test]
fn a_repair_comes_between_two_executions_of_one_statement() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("set.c");
    let code = r"#include <shmem.h>
static int x, y;
static void set(int *to, int value) {
    shmem_int_p(to, value, 1);
}
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        set(&x, 7);
        set(&y, 1);
    } else {
        shmem_int_wait_until(&y, SHMEM_CMP_EQ, 1);
        int seen = *(volatile int *)&x;
        (void)seen;
    }
    shmem_finalize();
    return 0;
}
";
    std::fs::write(&file, code).unwrap();
    let said = text(&robust(&["--repair"], &file).stdout);
    assert!(said.contains("insert `shmem_fence()`"), "{said}");
    assert!(said.contains("// inserted: fence"), "{said}");
}

#[test]
fn what_is_superfluous_is_a_call_that_synchronises() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    let code = "#include <shmem.h>
        int main(void) {
            shmem_init();
            int *x = shmem_malloc(4);
            shmem_int_p(x, 1, 0);
            shmem_quiet();
            shmem_barrier_all();
            shmem_finalize();
        }
    ";
    std::fs::write(&file, code).unwrap();
    let said = text(&robust(&["--superfluous"], &file).stdout);
    assert!(said.contains("`shmem_quiet();` can be left out"), "{said}");
    assert!(
        !said.contains("shmem_malloc") && !said.contains("shmem_finalize"),
        "{said}"
    );
}

#[test]
fn what_is_not_known_is_said_with_its_line() {
    // Whether rank 1 looks at x and y is decided by a floating-point number.
    let depends = "if (me == 0) { shmem_double_p(&d, 0.5, 1); shmem_barrier_all();
        shmem_int_p(&x, 1, 1); shmem_int_p(&y, 1, 1);
        } else { shmem_barrier_all();
        if (d * 2 > 0.1) { int b = y, a = x; if (b && !a) shmem_int_p(&y, 2, 0); } }";
    let (status, said) = answer(depends);
    assert_eq!(status, Some(4), "{said}");
    assert!(
        said.contains("p.c:9: a condition depends on what is not known: a floating-point number"),
        "{said}"
    );
    // Without the fence it is not robust whatever that number is.
    let before = depends.replace("if (d * 2 > 0.1)", "");
    assert_eq!(answer(&before).0, Some(1));
    // And whatever it is, it is robust, if the puts are in order.
    let ordered = depends.replace("shmem_int_p(&y, 1, 1);", "shmem_fence(); shmem_int_p(&y, 1, 1);");
    assert_eq!(answer(&ordered).0, Some(0));
}

#[test]
fn what_is_not_followed_is_never_robust() {
    let (status, said) = answer("unknown(&x);");
    assert_eq!(status, Some(4), "{said}");
    assert!(
        said.contains("p.c:6: a call of unknown, which is not followed"),
        "{said}"
    );
    // What comes before it counts.
    let waiting =
        "shmem_int_p(&x, 1, 1 - me); shmem_quiet(); if (shmem_int_g(&x, me) == 0) y = 1; unknown(&x);";
    let other = "shmem_int_p(&x, 1, me); int a = shmem_int_g(&x, me); if (a == 0) y = 1; unknown(&x);";
    assert_eq!(answer(other).0, Some(1));
    assert_eq!(answer(waiting).0, Some(4));
}

#[test]
fn options_after_dashes_are_for_the_compiler() {
    for (name, status) in [
        ("gaspi-write-notify-yes.c", 0),
        ("gaspi-wait-then-flag-no.c", 1),
        ("mpi-flag-yes.c", 0),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_farside"))
            .arg("robust")
            .arg(library(name))
            .args(["--", GASPI])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(status), "{name}: {output:?}");
    }
}

/// What is said of a repair, with which the program is robust.
fn repaired_as(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let repaired = folder.path().join("repaired.c");
    let decided = |arguments: &[&str], file: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
        let command = command
            .arg("robust")
            .args(arguments)
            .arg(file)
            .args(["--", GASPI]);
        command.output().unwrap()
    };
    let output = decided(
        &["--repair", "--repaired", repaired.to_str().unwrap()],
        &library(name),
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(decided(&[], &repaired).status.code(), Some(0), "{output:?}");
    text(&output.stdout)
}

#[test]
fn what_is_there_is_made_stronger_moved_or_put_into_another_queue() {
    // Calls that each process has other arguments of are one statement of the text.
    let said = repaired_as("mpi-shared-counter-barrier-no.c");
    assert!(
        said.contains(
            "repair: cost 1; with it the program is robust for 2 ranks\n    replace `MPI_Win_flush_local((me + 1) % n, win);` by \
             `MPI_Win_flush((me + 1) % n, win)`"
        ),
        "{said}"
    );
    let said = repaired_as("mpi-pscw-ghost-no.c");
    assert!(
        said.contains("move `MPI_Win_wait(win);` before `v = ((volatile double *)mem)[0]"),
        "{said}"
    );
    let said = repaired_as("gaspi-allreduce-no.c");
    assert!(
        said.contains("put `gaspi_notify(0, r, me, 1, 1, GASPI_BLOCK);` into queue 0"),
        "{said}"
    );
}

#[test]
fn a_repair_of_an_mpi_program_is_a_flush_and_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let repaired = folder.path().join("repaired.c");
    let output = robust(
        &["--repair", "--repaired", repaired.to_str().unwrap()],
        &library("mpi-ticket-lock-no.c"),
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        said.contains("insert `MPI_Win_flush(0, win)` after `MPI_Put(&count"),
        "{said}"
    );
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(robust(&[], &repaired).status.code(), Some(0));
}

#[test]
fn every_number_of_ranks_is_not_known_of_c() {
    let output = robust(&["--prove"], &library("mpi-flag-yes.c"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("2 to 4 ranks: robust"), "{said}");
    let output = robust(&["--prove"], &library("mpi-flag-no.c"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn bad_input_is_an_error() {
    assert_eq!(robust(&[], Path::new("nowhere.c")).status.code(), Some(2));
    assert_eq!(
        robust(&["--ranks", "0"], &library("dekker-yes.c")).status.code(),
        Some(2)
    );
    let (status, _) = answer("this is no C");
    assert_eq!(status, Some(2));
}

#[test]
fn negative_values_are_followed() {
    let by = |less: u32| {
        answer(&format!(
            "if (me == 0) {{ int v = shmem_int_g(&x, 1); shmem_int_p(&x, v - {less}, 1); shmem_quiet();
            v = shmem_int_g(&x, 1); shmem_int_p(&x, v - {less}, 1); }}
            shmem_barrier_all(); if (me == 1 && x != -10) shmem_global_exit(1);"
        ))
    };
    for less in [5, 300] {
        let (status, said) = by(less);
        assert_eq!(status, Some(0), "{said}");
    }
    let (status, said) = by(40_000);
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("gives -40000; values from -32768"), "{said}");
}

#[test]
fn what_cannot_be_is_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("compile_commands.json");
    std::fs::write(&database, "[]").unwrap();
    let output = robust(&[], &database);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it names no sources"), "{output:?}");
    for domain in ["0", "65537"] {
        let output = robust(&["--domain", domain], &library("ticket-lock-no.c"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn what_a_process_may_do_ahead_of_a_post_is_not_called_robust() {
    let output = robust(&[], &library("mpi-pscw-ahead-unknown.c"));
    assert_eq!(output.status.code(), Some(4));
    let said = text(&output.stdout);
    assert!(
        said.contains("mpi-pscw-ahead-unknown.c:26: MPI_Win_start"),
        "{said}"
    );
    let output = robust(&["--polls", "observed"], &library("mpi-put-then-message-yes.c"));
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}

/// Runs the command in a folder.
fn in_folder(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_farside"))
        .current_dir(folder)
        .args(["robust", "--quiet"])
        .args(arguments)
        .output()
        .unwrap();
    (
        output.status.code(),
        format!("{}{}", text(&output.stdout), text(&output.stderr)),
    )
}

#[test]
fn several_sources_are_one_program() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, code: &str| std::fs::write(folder.path().join(name), code).unwrap();
    let main = "#include <shmem.h>
        extern int flag;
        void give(int pe);
        int taken(void);
        int main(void) {
            shmem_init();
            if (shmem_my_pe() == 0) give(1);
            else { shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); taken(); }
            shmem_finalize();
        }
    ";
    write("main.c", main);
    let queue = "#include <shmem.h>
        volatile int data;
        int flag;
        void give(int pe) {
            shmem_int_p((int *)&data, 1, pe);
            shmem_int_p(&flag, 1, pe);
        }
        int taken(void) { return data; }";
    // Without a newline at its end.
    write("queue.c", queue);
    let (status, said) = in_folder(folder.path(), &["--repair", "queue.c", "main.c"]);
    assert_eq!(status, Some(1), "{said}");
    for part in [
        "main.c with queue.c: main, 2 ranks",
        "  queue.c:5",
        "(P1, line 8 of queue.c)",
        "  queue.c:5:13",
        "+   6              shmem_fence(); // inserted: fence",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    // What is in a file that is not given is not followed, and the file is named.
    let (status, said) = in_folder(folder.path(), &["main.c"]);
    assert_eq!(status, Some(4), "{said}");
    assert!(
        said.contains("main.c:7: a call of give, which is not followed"),
        "{said}"
    );
    // A repair is one of the file that it is in, and `fix` makes it there.
    let report = [
        "--repair",
        "--format",
        "json",
        "-o",
        "report.json",
        "main.c",
        "queue.c",
    ];
    assert_eq!(in_folder(folder.path(), &report).0, Some(1));
    let fixed = Command::new(env!("CARGO_BIN_EXE_farside"))
        .current_dir(folder.path())
        .args(["fix", "--apply", "report.json"])
        .output()
        .unwrap();
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed.stderr));
    let now = std::fs::read_to_string(folder.path().join("queue.c")).unwrap();
    let fence = "1, pe);\n            shmem_fence();\n            shmem_int_p(&flag";
    assert_eq!(
        now,
        queue.replace("1, pe);\n            shmem_int_p(&flag", fence)
    );
    assert_eq!(
        std::fs::read_to_string(folder.path().join("main.c")).unwrap(),
        main
    );
    assert_eq!(in_folder(folder.path(), &["main.c", "queue.c"]).0, Some(0));
    // Those with a main function are programs of their own, with what has none.
    write("other.c", main);
    let (status, said) = in_folder(folder.path(), &["main.c", "other.c", "queue.c"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("main.c with queue.c") && said.contains("other.c with queue.c"),
        "{said}"
    );
}
