//! Twenty and more wrong command lines over all commands: each says what was wrong, where, and what to do.

use std::fs;
use std::process::Command;

/// A command line, and what its message must have.
type Mistake = (&'static [&'static str], &'static [&'static str]);

const MISTAKES: &[Mistake] = &[
    (&["chek", "--", "./a"], &["'chek'", "'check'"]),
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
];

#[test]
fn each_mistake_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("ok.c", "int main(void) { return 0; }\n");
    write("text.json", "no json");
    write("empty.litmus", "");
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
