//! Repairs that `farside robust` writes into C programs and `farside fix` makes, and what it says can be left out.

use super::{library, robust, text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `farside fix` says of the report of a program and does to it, and the program after it.
fn fixed(file: &Path, command: bool) -> (Option<i32>, String, String) {
    let report = file.with_extension("json");
    let arguments = ["--repair", "--format", "json", "-o", report.to_str().unwrap()];
    robust(&arguments, file);
    let mut fix = Command::new(env!("CARGO_BIN_EXE_farside"));
    fix.arg("fix").arg(&report);
    match command {
        true => fix
            .args(["--", env!("CARGO_BIN_EXE_farside"), "robust"])
            .args(arguments)
            .arg(file),
        false => fix.arg("--apply"),
    };
    let output = fix.output().unwrap();
    (
        output.status.code(),
        text(&output.stdout) + &text(&output.stderr),
        std::fs::read_to_string(file).unwrap(),
    )
}

/// A program of the library in a folder of its own.
fn copied(name: &str, folder: &Path) -> PathBuf {
    let file = folder.join(name);
    std::fs::copy(library(name), &file).unwrap();
    file
}

#[test]
fn a_repair_is_written_into_the_source_and_the_program_is_robust_then() {
    let folder = tempfile::tempdir().unwrap();
    for (name, line, command) in [
        ("ticket-lock-no.c", "\n    shmem_fence();\n", false),
        (
            "mpi-sendrecv-exchange-no.c",
            "\n    MPI_Win_flush(other, win);\n",
            true,
        ),
        (
            "mpi-put-then-message-no.c",
            "\n        MPI_Win_flush(1, win);\n",
            false,
        ),
        (
            "mpi-sum-then-message-no.c",
            "\n        MPI_Win_flush(1, win);\n",
            false,
        ),
        (
            "mpi-barrier-for-fence-no.c",
            "win);\n    MPI_Win_fence(0, win);\n    volatile",
            false,
        ),
        (
            "mpi-rput-wait-flag-no.c",
            "MPI_STATUS_IGNORE);\n        MPI_Win_flush_all(win);\n",
            false,
        ),
    ] {
        let file = copied(name, folder.path());
        let (status, said, new) = fixed(&file, command);
        assert_eq!(status, Some(0), "{said}");
        assert!(new.contains(line), "{new}");
        assert!(!new.contains("inserted"), "{new}");
        assert_eq!(robust(&[], &file).status.code(), Some(0), "{new}");
    }
}

/// A program in a folder of its own.
fn written(folder: &Path, code: &str) -> PathBuf {
    let file = folder.join("p.c");
    std::fs::write(&file, code).unwrap();
    file
}

/// A process puts a value and then a flag, which another one polls for.
const FLAG_OF_MPI: &str = "#include <mpi.h>
static MPI_Win win;
static void put_flag(int to, int v) {
    int one = v;
    MPI_Accumulate(&one, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(to, win);
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, *w, v = 7;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
    w[0] = w[1] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_Put(&v, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        put_flag(1, 1);
    } else if (me == 1) {
        int flag = 0, zero = 0;
        while (!flag) {
            MPI_Fetch_and_op(&zero, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Win_sync(win);
        v = w[1];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return v != 7;
}
";

#[test]
fn a_repair_leaves_out_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), FLAG_OF_MPI);
    let (status, said, new) = fixed(&file, false);
    assert_eq!(status, Some(0), "{said}");
    // The flush completes what takes along a variable that is gone when the function returns.
    let flushed = FLAG_OF_MPI.replace(
        "1, 1, 1, MPI_INT, win);\n        p",
        "1, 1, 1, MPI_INT, win);\n        MPI_Win_flush(1, win);\n        p",
    );
    assert_eq!(new, flushed);
    assert_eq!(robust(&[], &file).status.code(), Some(0), "{new}");
}

#[test]
fn what_completes_a_buffer_or_a_value_that_is_awaited_is_not_superfluous() {
    let folder = tempfile::tempdir().unwrap();
    let flushed = FLAG_OF_MPI.replace(
        "        put_flag(",
        "        MPI_Win_flush(1, win);\n        put_flag(",
    );
    let waits = flushed.replace(
        "    MPI_Win_unlock_all",
        "    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Win_unlock_all",
    );
    let lasting = waits.replace("int one = v", "static int one; one = v");
    let buffer = "#include <shmem.h>
static int box, flag;
static void give(int v) {
    int one = v;
    shmem_int_put_nbi(&box, &one, 1, 1);
    shmem_quiet();
}
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        give(7);
        shmem_quiet();
        shmem_int_p(&flag, 1, 1);
    } else
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_finalize();
}
";
    for (code, line) in [(buffer, 6), (&flushed, 6), (&lasting, 6)] {
        let said = text(&robust(&["--superfluous"], &written(folder.path(), code)).stdout);
        let (named, stays) = said.split_once("not needed to be robust, but it stays").unwrap();
        assert!(!named.contains(&format!("p.c:{line}:")), "{said}");
        assert!(stays.contains(&format!("line {line}")), "{said}");
    }
}

/// A process gives a value and then a flag; what it does between, and before `main`.
fn box_and_flag(before: &str, gives: &str) -> String {
    format!(
        "#include <shmem.h>
static int box, flag;
{before}int main(void) {{
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {{
        {gives}
    }} else if (me == 1) {{
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (box != 5)
            shmem_global_exit(1);
    }}
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}}
"
    )
}

#[test]
fn a_repair_comes_into_the_body_of_its_statement() {
    let folder = tempfile::tempdir().unwrap();
    let bare = "static void send(int v) {
    if (v > 0)
        shmem_int_p(&box, v, 1);
    shmem_int_p(&flag, 1, 1);
}
";
    let code = box_and_flag(bare, "send(5);");
    let repaired = code
        .replace("(v > 0)", "(v > 0) {")
        .replace("box, v, 1);\n", "box, v, 1);\n        shmem_fence();\n    }\n");
    let windows = |code: &str| code.replace('\n', "\r\n");
    for (old, expected) in [
        (code.clone(), repaired.clone()),
        (windows(&code), windows(&repaired)),
    ] {
        let file = written(folder.path(), &old);
        let (status, said, new) = fixed(&file, false);
        assert_eq!((status, new), (Some(0), expected), "{said}");
        assert_eq!(robust(&[], &file).status.code(), Some(0));
    }
}

#[test]
fn a_repair_comes_between_two_rounds_of_a_loop() {
    let folder = tempfile::tempdir().unwrap();
    let code = box_and_flag(
        "",
        "for (int i = 0; i < 2; i++)\n            shmem_int_p(&flag, i, 1);",
    );
    let code = code.replace("if (box != 5)", "if (0)");
    let file = written(folder.path(), &code);
    let (status, said, new) = fixed(&file, false);
    assert_eq!(status, Some(0), "{said}");
    let body = " {\n            shmem_int_p(&flag, i, 1);\n            shmem_fence();\n        }\n";
    assert!(new.contains(body), "{new}");
    assert_eq!(robust(&[], &file).status.code(), Some(0), "{new}");
}

#[test]
fn where_nothing_can_be_put_between_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let both = "shmem_int_p(&box, 5, 1), shmem_int_p(&flag, 1, 1);";
    let file = written(folder.path(), &box_and_flag("", both));
    let said = text(&robust(&["--repair"], &file).stdout);
    assert!(
        said.contains("is in one statement, `shmem_int_p(&box, 5, 1), sh"),
        "{said}"
    );
    let header =
        "static inline void send(int *a, int *b) {\nshmem_int_p(a, 5, 1);\nshmem_int_p(b, 1, 1);\n}\n";
    std::fs::write(folder.path().join("send.h"), header).unwrap();
    let file = written(
        folder.path(),
        &box_and_flag("#include \"send.h\"\n", "send(&box, &flag);"),
    );
    let said = text(&robust(&["--repair"], &file).stdout);
    assert!(
        said.contains("is in `send` of ") && said.contains("send.h, which is not"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_repaired_in_the_source_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = copied("mpi-win-test-early-no.c", folder.path());
    let old = std::fs::read_to_string(&file).unwrap();
    let (status, said, new) = fixed(&file, false);
    assert_eq!((status, new), (Some(1), old), "{said}");
    assert!(said.contains("only where it is locked"), "{said}");
    let file = copied("mpi-put-then-message-no.c", folder.path());
    let report = file.with_extension("json");
    robust(
        &["--repair", "--format", "json", "-o", report.to_str().unwrap()],
        &file,
    );
    std::fs::write(&file, "int main(void) { return 0; }\n").unwrap();
    let fix = Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("fix")
        .arg(&report)
        .output()
        .unwrap();
    assert_eq!(fix.status.code(), Some(2));
    assert!(text(&fix.stderr).contains("changed since the report"), "{fix:?}");
}
