//! Bad input: exit status 2, and a message that names what is at fault. The program is not started.

use crate::stage::*;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

#[track_caller]
fn refused(stage: &Stage, arguments: &[&str], words: &[&str]) {
    let output = stage.check().args(arguments).output().unwrap();
    expect_status(&output, 2);
    let message = text(&output.stderr);
    for word in words {
        assert!(message.contains(word), "{word:?} is not in: {message}");
    }
    assert!(!stage.path("started").exists());
    assert!(is_empty(&stage.path("spool")));
}

fn compile(stage: &Stage, source: &str, flags: &[&str]) {
    std::fs::write(stage.path("x.c"), source).unwrap();
    let status = Command::new("cc")
        .args(["x.c", "-o", "x"])
        .args(flags)
        .current_dir(stage.path(""))
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn a_lint_report_that_is_none() {
    let stage = Stage::new();
    refused(
        &stage,
        &["--lint", "nowhere.json", "true"],
        &["nowhere.json", "cannot read"],
    );
    std::fs::write(stage.path("lint.json"), "{\"findings\": 3}").unwrap();
    refused(
        &stage,
        &["--lint", "lint.json", "true"],
        &["lint.json", "farside lint --format json"],
    );
}

#[test]
fn usage() {
    refused(
        &Stage::new(),
        &["--no-such-flag", "--", "true"],
        &["--no-such-flag"],
    );
    refused(&Stage::new(), &[], &["COMMAND"]);
    refused(&Stage::new(), &["--time-limit", "0", "true"], &["more than 0"]);
}

#[test]
fn no_such_program() {
    refused(
        &Stage::new(),
        &["--", "./missing", "x"],
        &["no such program: ./missing"],
    );
    refused(
        &Stage::new(),
        &["--", "no-such-command-here"],
        &["no such program: no-such-command-here"],
    );
    refused(
        &Stage::new(),
        &["--", "/nowhere/mpirun"],
        &["/nowhere/mpirun", "openmpi-bin"],
    );
}

#[test]
fn no_such_program_after_a_launcher() {
    let stage = Stage::new();
    let launcher = stage.path("mpirun");
    std::fs::write(&launcher, "#!/bin/sh\ntouch started\n").unwrap();
    std::fs::set_permissions(&launcher, std::fs::Permissions::from_mode(0o755)).unwrap();
    refused(
        &stage,
        &["--", "./mpirun", "-n", "2", "./missing"],
        &["no such program: ./missing"],
    );
}

#[test]
fn not_executable() {
    let stage = Stage::new();
    std::fs::write(stage.path("data"), "x").unwrap();
    refused(&stage, &["--", "./data"], &["not executable: ./data"]);
    refused(&stage, &["--", "./libraries"], &["not executable: ./libraries"]);
}

#[test]
fn a_static_mpi() {
    let source = "int MPI_Init(void) { return 0; } int main(void) { return MPI_Init(); }";
    let stage = Stage::new();
    compile(&stage, source, &[]);
    refused(&stage, &["--", "./x"], &["./x", "linked into it statically"]);
    compile(&stage, source, &["-static"]);
    refused(&stage, &["--", "./x"], &["./x", "MPI included"]);
}

#[test]
fn a_set_user_id_program() {
    if std::env::var("USER").is_ok_and(|user| user != "root") {
        return; // Only root can give a file away.
    }
    let stage = Stage::new();
    compile(&stage, "int main(void) { return 0; }", &[]);
    let given = Command::new("chown")
        .arg("65534")
        .arg(stage.path("x"))
        .status()
        .unwrap();
    if given.success() {
        std::fs::set_permissions(stage.path("x"), std::fs::Permissions::from_mode(0o4755)).unwrap();
        refused(&stage, &["--", "./x"], &["./x", "set-user-id", "LD_PRELOAD"]);
    }
}

#[test]
fn outputs_that_cannot_be_written() {
    let stage = Stage::new();
    let program = stage.program("touch started");
    let program = program.to_str().unwrap();
    refused(
        &stage,
        &["--output", "missing/report", "--", program],
        &["cannot write missing/report"],
    );
    refused(
        &stage,
        &["--html", "libraries", "--", program],
        &["cannot write libraries"],
    );
    refused(
        &stage,
        &["--html", "nowhere/a.html", "--", program],
        &["cannot write nowhere/a.html: there is no folder nowhere"],
    );
    refused(
        &stage,
        &["--spool", "missing", "--", program],
        &["spool", "missing"],
    );
}

#[test]
fn suppressions_that_cannot_be_read() {
    let stage = Stage::new();
    let program = stage.program("touch started");
    let program = program.to_str().unwrap();
    refused(
        &stage,
        &["--suppressions", "missing", "--", program],
        &["cannot read missing"],
    );
    std::fs::write(stage.path("known"), "\ncolour=red\n").unwrap();
    refused(&stage, &["--suppressions", "known", "--", program], &["known:2"]);
}

#[test]
fn a_library_that_is_missing() {
    let stage = Stage::new();
    std::fs::remove_file(stage.path("libraries/libfarside_interpose.so")).unwrap();
    refused(&stage, &["--", "true"], &["libfarside_interpose.so", "libraries"]);
}

#[test]
fn a_library_of_another_build() {
    let stage = Stage::new();
    std::fs::write(
        stage.path("x.c"),
        "const char FARSIDE_BUILD[] = \"0.0.1 trace 7\";",
    )
    .unwrap();
    let status = Command::new("cc")
        .args([
            "-shared",
            "-fPIC",
            "x.c",
            "-o",
            "libraries/libfarside_interpose.so",
        ])
        .current_dir(stage.path(""))
        .status()
        .unwrap();
    assert!(status.success());
    refused(&stage, &["--", "true"], &["another build", "0.0.1 trace 7"]);
}
