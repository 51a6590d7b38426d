//! What ranks read and write.

use crate::stage::*;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

#[test]
fn lines_can_have_labels() {
    let stage = Stage::new();
    let steps = ["print:out", "error:err", "part:half"];
    let (stdout, stderr) = expect(&stage.output(stage.conduct(2, &["--label"], &steps)), 0);
    assert_eq!(sorted(&stdout), ["[0] half", "[0] out", "[1] half", "[1] out"]);
    assert_eq!(sorted(&stderr), ["[0] err", "[1] err"]);
    let (stdout, _) = expect(
        &stage.output(stage.conduct(1, &["-l", "--color", "always"], &["print:x"])),
        0,
    );
    assert_eq!(stdout, "\u{1b}[36m[0]\u{1b}[0m x\n");
    let (stdout, _) = expect(&stage.output(stage.conduct(11, &["--label"], &["@7:print:x"])), 0);
    assert_eq!(stdout, "[ 7] x\n");
}

#[test]
fn lines_of_ranks_are_never_mixed() {
    let stage = Stage::new();
    let mut command = stage.run(4);
    // A line in many pieces, a thousand times.
    let script = "i=0; while [ $i -lt 250 ]; do for w in a b c d e f; do printf \"$FARSIDE_RANK$w\"; done; echo; \
        i=$((i+1)); done";
    command.args(["--", "sh", "-c", script]);
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(stdout.lines().count(), 1000);
    for line in stdout.lines() {
        let rank = &line[..1];
        let whole: String = ["a", "b", "c", "d", "e", "f"]
            .iter()
            .map(|word| format!("{rank}{word}"))
            .collect();
        assert_eq!(line, whole);
    }
}

#[test]
fn output_that_cannot_be_written_is_told_and_ends_the_job() {
    let stage = Stage::new();
    for (count, steps) in [(1, &["print:lost"][..]), (2, &["@1:print:lost", "sleep"])] {
        let mut command = stage.conduct(count, &[], steps);
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let child = command.stdout(full).spawn().unwrap();
        let (_, stderr) = expect(&child.wait_with_output().unwrap(), 2);
        assert!(
            stderr.contains("cannot write stdout: No space left on device"),
            "{stderr}"
        );
        stage.expect_nothing_left();
    }
}

#[test]
fn a_line_comes_while_the_rank_still_runs() {
    let stage = Stage::new();
    let mut child = stage.conduct(2, &[], &["@1:print:now", "sleep"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "now\n");
    kill(child.id(), "-TERM");
    expect(&child.wait_with_output().unwrap(), 3);
    stage.expect_nothing_left();
}

#[test]
fn a_question_comes_before_its_answer() {
    let stage = Stage::new();
    let mut command = stage.conduct(2, &[], &["@0:part:name? ", "@0:echo"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut question = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut question).unwrap();
    assert_eq!(&question, b"name? ");
    child.stdin.take().unwrap().write_all(b"far\n").unwrap();
    let (stdout, _) = expect(&child.wait_with_output().unwrap(), 0);
    assert_eq!(stdout, "far\n");
    stage.expect_nothing_left();
}

#[test]
fn stdin_belongs_to_rank_0() {
    let stage = Stage::new();
    let mut command = stage.conduct(3, &["--label"], &["echo"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"one\ntwo\n").unwrap();
    let (stdout, _) = expect(&child.wait_with_output().unwrap(), 0);
    assert_eq!(stdout, "[0] one\n[0] two\n");
}

#[test]
fn much_output_comes_whole() {
    let stage = Stage::new();
    let mut command = stage.run(2);
    command.args(["--", "sh", "-c", "yes 0123456789abcde | head -n 65536"]);
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(stdout.len(), 2 << 20);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let stage = Stage::new();
    let mut command = stage.run(2);
    command.args(["--", "sh", "-c", "while :; do echo y; done"]);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "y\n");
    // The reading end is closed by now.
    let output = child.wait_with_output().unwrap();
    assert_eq!(expect(&output, 3).1, "");
    stage.expect_nothing_left();
}
