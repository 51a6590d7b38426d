//! `farside fix` from the outside: what a report of `farside lint` leads to in the sources, and what is refused.
//!
//! The sources declare the little of MPI that they call, so that no MPI is needed here.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const MPI: &str = "
typedef int MPI_Comm, MPI_Win, MPI_Info, MPI_Datatype;
#define MPI_COMM_WORLD 0x44000000
#define MPI_INT 0x4c000405
#define MPI_INFO_NULL 0x1c000000
int MPI_Init(int *, char ***); int MPI_Finalize(void); int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Win_allocate(long, int, MPI_Info, MPI_Comm, void *, MPI_Win *); int MPI_Win_free(MPI_Win *);
int MPI_Win_lock_all(int, MPI_Win); int MPI_Win_unlock_all(MPI_Win); int MPI_Win_flush_local(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
";

/// A folder with a program in which rank 0 puts a buffer, and its report; `rest` follows in the same block, and ends
/// what no later call may end.
fn linted(rest: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{MPI}
int main(int argc, char **argv)
{{
    int rank, to = 1, buffer[4] = {{0}}, *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {{
        MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
{rest}
        MPI_Put(buffer, 4, MPI_INT, 1, 8, 4, MPI_INT, win);
    }}
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}}
"
    );
    fs::write(folder.path().join("a.c"), text).unwrap();
    let found = lint(folder.path());
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    folder
}

fn farside(folder: &Path, arguments: &[&str]) -> Output {
    let farside = Path::new(env!("CARGO_BIN_EXE_farside"));
    assert!(
        farside.with_file_name("farside-llvm-front").is_file(),
        "build the whole workspace: the reader of LLVM IR lies beside farside"
    );
    Command::new(farside)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn lint(folder: &Path) -> Output {
    let report = ["--format", "json", "-o", "report.json", "a.c"];
    farside(
        folder,
        &[&["lint", "--mpicc", "/nowhere/mpicc"], report.as_slice()].concat(),
    )
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[track_caller]
fn expect(output: &Output, status: i32, words: &[&str]) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(status), "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is missing:\n{said}");
    }
}

fn text(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("a.c")).unwrap()
}

#[test]
fn what_is_missing_is_shown_then_written_and_then_nothing_is_found() {
    let folder = linted("        buffer[0] = 1;");
    let before = text(&folder);
    let diff = "         MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);\n+        MPI_Win_flush_local(1, win);\n         buffer[0] = 1;\n";
    let shown = farside(folder.path(), &["fix", "report.json"]);
    expect(
        &shown,
        0,
        &[
            "--- a/a.c\n+++ b/a.c\n",
            diff,
            "1 of 1 findings repaired; 1 file would change",
        ],
    );
    assert_eq!(text(&folder), before);
    let applied = farside(folder.path(), &["fix", "report.json", "--apply"]);
    expect(&applied, 0, &[diff, "1 file changed"]);
    let flush = "win);\n        MPI_Win_flush_local(1, win);\n        buffer[0] = 1;\n";
    assert_eq!(
        text(&folder),
        before.replacen("win);\n        buffer[0] = 1;\n", flush, 1)
    );
    expect(&lint(folder.path()), 0, &[]);
}

#[test]
fn a_call_that_comes_too_late_is_moved_with_its_comment() {
    let folder = linted(
        "        buffer[0] = 1;\n\n        // The buffer is free.\n        MPI_Win_flush_local(to, win); // all of it",
    );
    expect(
        &farside(folder.path(), &["fix", "report.json", "--apply"]),
        0,
        &[],
    );
    let moved = "win);\n        // The buffer is free.\n        MPI_Win_flush_local(to, win); // all of it\n        buffer[0] = 1;\n\n        MPI_Put";
    assert!(text(&folder).contains(moved), "{}", text(&folder));
    expect(&lint(folder.path()), 0, &[]);
}

/// Where the call that is there cannot be moved, one is added.
#[test]
fn a_call_is_not_moved_over_what_its_arguments_are_made_from() {
    let folder = linted("        buffer[0] = 1;\n        to = 2 - 1;\n        MPI_Win_flush_local(to, win);");
    expect(
        &farside(folder.path(), &["fix", "report.json", "--apply"]),
        0,
        &[],
    );
    let added = "MPI_Win_flush_local(1, win);\n        buffer[0] = 1;\n        to = 2 - 1;\n        MPI_Win_flush_local(to, win);\n";
    assert!(text(&folder).contains(added), "{}", text(&folder));
    expect(&lint(folder.path()), 0, &[]);
}

#[test]
fn a_source_that_is_not_the_report_s_or_not_to_be_written_is_left_alone() {
    let folder = linted("        buffer[0] = 1;");
    let (path, before) = (folder.path().join("a.c"), text(&folder));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = farside(folder.path(), &["fix", "report.json", "--apply"]);
    expect(
        &refused,
        2,
        &[
            "not repaired: local-race",
            "a.c is read-only",
            "0 of 1 findings repaired",
        ],
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&path, format!("{before}// more\n")).unwrap();
    let refused = farside(folder.path(), &["fix", "report.json", "--apply"]);
    expect(&refused, 2, &["a.c was changed since the report"]);
    assert_eq!(text(&folder), format!("{before}// more\n"));
}
