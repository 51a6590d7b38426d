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

/// A folder with a program in which rank 0 puts to memory of rank 1 by its address, and its report; `owner` does rank 1
/// before a barrier, and `all` do all ranks after the address is known.
fn dynamic([made, owner, all]: [&str; 3]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{MPI}
typedef long MPI_Aint;
#define MPI_AINT 0x4c000843
#define MPI_LOCK_SHARED 235
void *malloc(unsigned long); void free(void *);
int MPI_Barrier(MPI_Comm); int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win *); int MPI_Get_address(const void *, MPI_Aint *);
int MPI_Win_attach(MPI_Win, void *, MPI_Aint); int MPI_Win_detach(MPI_Win, const void *);
int MPI_Win_lock(int, int, int, MPI_Win); int MPI_Win_unlock(int, MPI_Win);
static int field[8], other[4];
int main(int argc, char **argv)
{{
    int rank, value = 1;
    MPI_Aint where = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, other, sizeof other);
    {made}
    MPI_Bcast(&where, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    if (rank == 1) {{
        {owner}
    }} else {{
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, where + 4, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }}
    {all}
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}}
"
    );
    fs::write(folder.path().join("a.c"), text).unwrap();
    let found = lint(folder.path());
    expect(&found, 1, &["1 error"]);
    let report = fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: String = report.split_whitespace().collect();
    assert!(
        report.contains("\"rule\":\"unmatched-attach\"") && report.contains("\"proof\":\"verified\""),
        "{report}"
    );
    folder
}

#[test]
fn memory_is_attached_before_its_address_is_told_and_as_long_as_it_is_used() {
    let both = "MPI_Barrier(MPI_COMM_WORLD);\n        MPI_Barrier(MPI_COMM_WORLD);";
    let heap = "int *x = malloc(8 * sizeof *x);\n    MPI_Get_address(x, &where);";
    let table = [
        // Never attached: a variable, and what is allocated, and freed while the window is there.
        (
            ["MPI_Get_address(field, &where);", both, ""],
            "    MPI_Win_attach(win, field, sizeof field);\n    MPI_Bcast(",
        ),
        (
            [heap, both, "free(x);"],
            "    MPI_Win_attach(win, x, 8 * sizeof *x);\n    MPI_Bcast(",
        ),
        // Too late, and not long enough.
        (
            [
                "MPI_Get_address(field, &where);",
                &format!("{both}\n        MPI_Win_attach(win, field, 32);"),
                "",
            ],
            "        MPI_Win_attach(win, field, 32);\n        MPI_Barrier(MPI_COMM_WORLD);\n        MPI_Barrier(",
        ),
        (
            [
                "MPI_Win_attach(win, field, 32);\n    MPI_Get_address(field, &where);",
                &format!("MPI_Win_detach(win, field);\n        {both}"),
                "",
            ],
            "        MPI_Barrier(MPI_COMM_WORLD);\n        MPI_Win_detach(win, field);\n    }",
        ),
    ];
    for (program, wanted) in table {
        let folder = dynamic(program);
        expect(
            &farside(folder.path(), &["fix", "report.json", "--apply"]),
            0,
            &[],
        );
        assert!(text(&folder).contains(wanted), "{}", text(&folder));
        assert_eq!(
            text(&folder).contains("MPI_Win_detach(win, x);"),
            program[0] == heap
        );
        expect(&lint(folder.path()), 0, &[]);
    }
}

/// Where the call that is there cannot be moved, the access is.
#[test]
fn an_access_is_moved_after_a_call_that_cannot_be_moved() {
    let folder = linted("        buffer[0] = 1;\n        to = 2 - 1;\n        MPI_Win_flush_local(to, win);");
    expect(
        &farside(folder.path(), &["fix", "report.json", "--apply"]),
        0,
        &[],
    );
    let moved = "to = 2 - 1;\n        MPI_Win_flush_local(to, win);\n        buffer[0] = 1;\n";
    assert!(text(&folder).contains(moved), "{}", text(&folder));
    expect(&lint(folder.path()), 0, &[]);
}

/// Where neither can be moved, a call is added.
#[test]
fn what_is_not_moved_over_what_it_is_made_from() {
    let folder = linted(
        "        buffer[rank] = 1;\n        to = 2 - 1;\n        rank++;\n        MPI_Win_flush_local(to, win);\n        rank--;",
    );
    expect(
        &farside(folder.path(), &["fix", "report.json", "--apply"]),
        0,
        &[],
    );
    let added = "MPI_Win_flush_local(1, win);\n        buffer[rank] = 1;\n        to = 2 - 1;\n";
    assert!(text(&folder).contains(added), "{}", text(&folder));
    expect(&lint(folder.path()), 0, &[]);
}

/// Columns 7 to 72 are code, a mark in column 6 continues a line, and a comment begins in column 1.
#[test]
fn fortran_in_fixed_form_keeps_its_columns() {
    let program = |long: &str| {
        format!(
            "\
C     A put from a buffer that is stored to.
      program p
      use mpi
      implicit none
      integer buffer(4), rank, {long}, ierr, i
      integer, asynchronous :: cells(4)
      integer(MPI_ADDRESS_KIND) size, where
      size = 16
      where = 0
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_WIN_CREATE(cells, size, 4, MPI_INFO_NULL,
     &   MPI_COMM_WORLD, {long}, ierr)
      call MPI_WIN_LOCK_ALL(0, {long}, ierr)
      do 10 i = 1, 4
        buffer(i) = i
   10 continue
      if (rank .eq. 0) then
* The buffer goes out.
        call MPI_PUT(buffer, 4, MPI_INTEGER, 1, where,                  CARD0001
     &    4, MPI_INTEGER, {long}, ierr)
        buffer(2) = 5
      end if
      call MPI_GET(i, 1, MPI_INTEGER, 0, where, 1, MPI_INTEGER,
     &   {long}, ierr)
      call MPI_WIN_UNLOCK_ALL({long}, ierr)
      call MPI_WIN_FREE({long}, ierr)
      call MPI_FINALIZE(ierr)
      end program
"
        )
    };
    let repaired = |window: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.f"), program(window)).unwrap();
        let lint = || {
            let report = ["--format", "json", "-o", "report.json", "a.f"];
            farside(
                folder.path(),
                &[&["lint", "--mpicc", "/nowhere/mpicc"], report.as_slice()].concat(),
            )
        };
        expect(&lint(), 1, &[]);
        expect(
            &farside(folder.path(), &["fix", "report.json", "--apply"]),
            0,
            &["1 of 1 findings repaired"],
        );
        expect(&lint(), 0, &[]);
        fs::read_to_string(folder.path().join("a.f")).unwrap()
    };
    let text = repaired("win");
    let flush = "        call MPI_Win_flush_local(1, win, ierr)\n        buffer(2) = 5\n";
    assert_eq!(text, program("win").replace("        buffer(2) = 5\n", flush));
    let long = "window_of_all_the_cells_of_it_a";
    let text = repaired(long);
    let flush =
        format!("        call MPI_Win_flush_local(1, {long},\n     &  ierr)\n        buffer(2) = 5\n");
    assert_eq!(text, program(long).replace("        buffer(2) = 5\n", &flush));
}

/// A program of the crate farside, run and repaired.
#[test]
fn rust_has_methods_and_errors() {
    let program = farside_built::example("farside-cli", "run-races");
    let program = program.to_str().unwrap();
    // Sources are named from where the workspace was built.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let report = report.to_str().unwrap();
    let run = [
        "run", "--check", "-n", "2", "--format", "json", "-o", report, "--",
    ];
    expect(
        &farside(&root, &[run.as_slice(), &[program, "early"]].concat()),
        1,
        &[],
    );
    let diff = "             epoch.put_value(42, 1, 0)?; // not flushed\n+            epoch.flush(1)?;\n";
    expect(&farside(&root, &["fix", report]), 0, &[diff]);
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

#[test]
fn a_report_that_nobody_wrote_is_told_how_to_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let advice = "there is no report none.json; `farside check --format json --output none.json -- COMMAND`";
    for command in [&["fix", "none.json"][..], &["explain", "0123456789", "none.json"]] {
        expect(&farside(folder.path(), command), 2, &[advice]);
    }
    // A list that something else wrote.
    fs::write(folder.path().join("list.json"), "[{\"rule\": \"local-race\"}]").unwrap();
    let other =
        "list.json is no report of check or lint: it is JSON of something else, without a `schema_version`";
    expect(&farside(folder.path(), &["fix", "list.json"]), 2, &[other]);
}

#[test]
fn a_report_tells_no_barrier_that_only_some_threads_come_to() {
    let program = |first: &str, second: &str, region: &str| {
        format!(
            "{MPI}
int MPI_Init_thread(int *, char ***, int, int *); int MPI_Win_flush(int, MPI_Win);
int main(int argc, char **argv)
{{
    int rank, one = 1, two = 2, provided, *base;
    MPI_Win win;
    MPI_Init_thread(&argc, &argv, 3, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {{
        {region}
        {{
            {first}
            {{
                MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }}
            {second}
            {{
                MPI_Put(&two, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }}
        }}
    }}
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}}
"
        )
    };
    let told = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.c"), text).unwrap();
        let arguments = ["lint", "--mpicc", "/nowhere/mpicc", "a.c", "--", "-fopenmp"];
        let output = farside(folder.path(), &arguments);
        expect(&output, 1, &["remote-race", "`#pragma omp critical`"]);
        said(&output).contains("`#pragma omp barrier`")
    };
    let section = "#pragma omp section";
    assert!(!told(&program(section, section, "#pragma omp parallel sections")));
    let ways = [
        "int omp_get_thread_num(void); if (omp_get_thread_num() == 0)",
        "if (omp_get_thread_num() == 1)",
    ];
    assert!(told(&program(ways[0], ways[1], "#pragma omp parallel")));
}
