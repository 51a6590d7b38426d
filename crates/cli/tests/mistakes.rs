//! Twenty and more wrong command lines over all commands: each says what was wrong, where, and what to do.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

/// A command line, and what its message must have.
type Mistake = (&'static [&'static str], &'static [&'static str]);

const MISTAKES: &[Mistake] = &[
    (&["chek", "--", "./a"], &["'chek'", "'check'"]),
    (&["help", "chek"], &["'chek'", "'check'"]),
    (&["check"], &["<COMMAND>", "--help"]),
    (
        &["check", "--", "mpirun", "-n", "4", "./none"],
        &["./none", "build it", "this is /"],
    ),
    (
        &["check", "--", "no-such-run", "./none"],
        &["no-such-run", "PATH", "give its path"],
    ),
    (
        &["check", "--", "mpirun", "-n", "2", "./ok.c"],
        &["./ok.c", "farside cc mpicc -g ./ok.c -o ./ok"],
    ),
    (&["check", "--format", "xml", "--", "true"], &["xml", "sarif"]),
    (
        &["check", "--guard=most", "--", "true"],
        &["most", "bounded, all"],
    ),
    (
        &["check", "-o", "nowhere/report.json", "--", "true"],
        &["nowhere/report.json", "no folder nowhere", "make it first"],
    ),
    (&["cc", "no-such-cc", "ok.c"], &["no-such-cc", "farside doctor"]),
    (&["build", "--", "no-such-make"], &["no-such-make", "PATH"]),
    (&["setup", "nothing"], &["nothing", "callbacks"]),
    (&["lint", "none.c"], &["none.c", "no such file", "from here (/"]),
    (&["lint", "folder"], &["folder", "compile_commands.json"]),
    (
        &["lint", "text.json"],
        &["text.json", "line 1", "CMAKE_EXPORT_COMPILE_COMMANDS"],
    ),
    (&["lint", "--ranks", "0", "ok.c"], &["'0'", "1..=16"]),
    (&["fix", "none.json"], &["none.json", "--format json"]),
    (
        &["fix", "text.json"],
        &["text.json", "no report", "--format json"],
    ),
    (&["bench", "fenc"], &["fenc", "'fence'"]),
    (&["litmus", "none.litmus"], &["none.litmus", "no such file"]),
    (&["litmus", "empty.litmus"], &["empty.litmus", "RMA NAME"]),
    (&["litmus", "folder"], &["folder", ".litmus"]),
    (
        &["litmus", "--model", "no-such", "empty.litmus"],
        &["no-such", "--models"],
    ),
    (&["conform", "--target", "no-such"], &["no-such", "farside:sim"]),
    (&["forge", "--rule", "XX"], &["XX", "R1"]),
    (&["forge"], &["--all", "--rule RULE", "--cycle EDGES"]),
    (&["robust", "none.pgas"], &["none.pgas", "no such file"]),
    (&["run", "-n", "0", "./a"], &["'0'", "1..=4096"]),
    (&["run", "-n", "2", "ok.c"], &["ok.c", "./ok.c"]),
    (
        &["run", "-n", "2", "--transport", "tcp9", "--", "true"],
        &["tcp9", "shm"],
    ),
    (&["merge", "folder"], &["folder", "name the files in it"]),
    (&["merge", "none"], &["none", "no such file"]),
    (&["merge", "text.json"], &["text.json", "--shard"]),
    (&["explain", "123"], &["123", "report.json"]),
    (&["rules", "no-such"], &["no-such", "farside rules"]),
    (&["schema", "no-such"], &["no-such", "litmus"]),
    (&["docs", "no-such"], &["no-such", "playground"]),
    (&["completions", "nosh"], &["nosh", "zsh"]),
    (&["man", "ok.c"], &["ok.c", "it is a file"]),
    (&["lsp", "--foo"], &["--foo", "Usage"]),
    (
        &["check", "--guard", "all", "--", "./ok"],
        &["no such program: all", "--guard=all"],
    ),
    (
        &["check", "-n", "2", "./ok"],
        &["no such program: -n", "mpirun -n 2 ./program"],
    ),
    (&["check", "folder"], &["it is a folder"]),
    (
        &["check", "-o", "new", "--html", "new", "--", "true"],
        &["both name new", "of its own"],
    ),
    (
        &["lint", "-o", "new", "--html", "new", "ok.c"],
        &["both name new", "of its own"],
    ),
    (
        &["check", "--html", "folder", "--", "true"],
        &["folder", "name a file in it"],
    ),
    (
        &["check", "--html", "ok.c/report.html", "--", "true"],
        &["ok.c is a file", "name a folder"],
    ),
    (
        &["check", "--suppressions", "rays.json", "--", "true"],
        &["rays.json", "no text in UTF-8"],
    ),
    (
        &["check", "--lint", "none.json", "--", "true"],
        &["none.json", "no such file", "from here (/"],
    ),
    (&["lint", "empty.litmus"], &["`farside litmus empty.litmus`"]),
    (&["lint", "a.py"], &["--guard", "python3 a.py"]),
    (&["lint", "rays.json"], &["rays.json", "no text in UTF-8"]),
    (&["litmus", "ok.c"], &["RMA NAME", "`farside lint ok.c`"]),
    (&["litmus", "a.pgas"], &["`farside robust a.pgas`"]),
    (&["litmus", "circle"], &["circle", "Too many levels"]),
    (
        &["robust", "a.py"],
        &["cannot decide a.py", "farside check --guard"],
    ),
    (
        &["forge", "--all", "--out", "ok.c"],
        &["cannot write ok.c/", "ok.c is a file", "name a folder"],
    ),
    (
        &["robust", "old.pgas"],
        &["old.pgas", "line 2 has the byte 0xfc", "`iconv"],
    ),
    (
        &["fix", "list.json"],
        &["list.json", "no report", "--format json"],
    ),
    (
        &["fix", "conform.json"],
        &["conform.json", "farside conform", "no findings"],
    ),
    (
        &["explain", "80776cccfd", "conform.json"],
        &["conform.json", "farside conform", "no findings"],
    ),
    (
        &["litmus", "ragged.litmus"],
        &["ragged.litmus:4", "1 of 2 cells", "empty cell"],
    ),
];

#[test]
fn each_mistake_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("ok.c", "int main(void) { return 0; }\n");
    write("text.json", "no json");
    write(
        "conform.json",
        r#"{"schema_version": 2, "target": "farside:shm", "runs": 20, "rows": [], "fit": null}"#,
    );
    write(
        "ragged.litmus",
        "RMA x\n{ 0: X = 0; }\n P0 | P1 ;\n X = 1 ;\nexists (X = 1)\n",
    );
    write("empty.litmus", "");
    write("a.py", "print(1)\n");
    write("a.pgas", "no program\n");
    write("list.json", "[]");
    fs::write(folder.path().join("rays.json"), [0xff, 0xfe, 0]).unwrap();
    fs::write(folder.path().join("old.pgas"), b"// Fences\n// f\xfcr alle\n").unwrap();
    std::os::unix::fs::symlink("circle", folder.path().join("circle")).unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let mut wrong = Vec::new();
    for (arguments, expected) in MISTAKES {
        let output = Command::new(env!("CARGO_BIN_EXE_farside"))
            .args(*arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let missing: Vec<_> = expected.iter().filter(|piece| !said.contains(**piece)).collect();
        if output.status.code() != Some(2) || !missing.is_empty() || said.contains("os error") {
            let status = output.status;
            wrong.push(format!(
                "farside {}: {status}, lacks {missing:?}:\n{said}",
                arguments.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_goes_to_a_file_is_told_on_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let program = "program p\nranks 2\ndomain 2\n\nshared x\n\nbarrier\n";
    fs::write(folder.path().join("p.pgas"), program).unwrap();
    fs::write(folder.path().join("ok.c"), "int main(void) { return 0; }\n").unwrap();
    let said = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_farside"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for command in [
        &["lint", "-o", "report", "ok.c"][..],
        &["robust", "-o", "report", "p.pgas"],
    ] {
        let loud = said(command);
        assert!(
            loud.ends_with("; the report is in report\n"),
            "{command:?}: {loud}"
        );
        assert_eq!(said(&[command, &["--quiet"]].concat()), "", "{command:?}");
        assert!(folder.path().join("report").is_file());
    }
    // A device is no file to look into.
    assert_eq!(said(&["lint", "-o", "/dev/null", "ok.c"]), "");
}

#[test]
fn a_stderr_that_nobody_reads_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ok.c"), "int main(void) { return 0; }\n").unwrap();
    let farside = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
        command.current_dir(folder.path());
        command
    };
    let lint = ["lint", "--format", "json", "-o", "report.json", "ok.c"];
    assert!(farside().args(lint).output().unwrap().status.success());
    let (ours, closed) = std::os::unix::net::UnixStream::pair().unwrap();
    drop(ours);
    let status = farside()
        .args(["fix", "report.json"])
        .stderr(std::os::fd::OwnedFd::from(closed))
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
}

/// What a command line says on stderr, which ends with status 2.
fn refused(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    said
}

fn farside() -> Command {
    Command::new(env!("CARGO_BIN_EXE_farside"))
}

#[test]
fn help_that_cannot_be_written_is_told() {
    for arguments in [&["--help"][..], &["--version"], &["help", "lint"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let said = refused(farside().args(arguments).stdout(full));
        assert!(
            said.contains("cannot write stdout: No space left on device"),
            "{said}"
        );
    }
}

#[test]
fn a_source_whose_name_is_no_text_is_refused_before_it_is_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"latin\xe9.c"));
    fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    let said = refused(farside().arg("lint").arg(&path));
    assert!(said.contains("its name is not UTF-8: rename it"), "{said}");
}

#[test]
fn a_folder_for_temporary_files_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ok.c");
    fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    let said = refused(farside().arg("lint").arg(&path).env("TMPDIR", "/nosuch"));
    for part in ["/nosuch", "TMPDIR", "No such file or directory"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn an_editor_that_says_no_message_is_told_what_was_wrong() {
    for (text, why) in [
        (
            &b"Content-Length: 99999999999999\r\n\r\n{}"[..],
            "99999999999999 bytes",
        ),
        (b"hello\n", "`hello`"),
        (b"Content-Length: 2\r\n\r\n{}", "no message"),
        (b"", "the editor is gone"),
    ] {
        let mut child = farside()
            .arg("lsp")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    }
}
