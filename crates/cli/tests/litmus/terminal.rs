//! What is shown on a terminal, which `script` of util-linux makes.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};

/// Ends the command with the test, whatever becomes of it.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// It has far more executions than anyone waits for.
const LONG: &str = "RMA long
{ 0: X = 0; 1: Y = 0; 2: Z = 0; 3: W = 0; }
 P0           | P1           | P2           | P3           ;
 put(Y@1, X)  | put(Z@2, Y)  | put(W@3, Z)  | put(X@0, W)  ;
 X = get(Z@2) | Y = get(W@3) | Z = get(X@0) | W = get(Y@1) ;
 X = 1        | Y = 2        | Z = 3        | W = 4        ;
 put(W@3, X)  | put(X@0, Y)  | put(Y@1, Z)  | put(Z@2, W)  ;
 X = get(Y@1) | Y = get(X@0) | Z = get(W@3) | W = get(Z@2) ;
 X = 5        | Y = 6        | Z = 7        | W = 8        ;
 put(Y@1, X)  | put(Z@2, Y)  | put(W@3, Z)  | put(X@0, W)  ;
 a = X        | b = Y        | c = Z        | d = W        ;
";

/// Reads what the command shows of long tests until `text` is there; false if it ends before.
fn shows(tests: usize, options: &str, text: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..tests {
        std::fs::write(folder.path().join(format!("{number}.litmus")), LONG).unwrap();
    }
    let farside = env!("CARGO_BIN_EXE_farside");
    let line = format!("timeout 60 {farside} litmus {options} *.litmus");
    let script = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(folder.path())
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let mut script = Ended(script.unwrap());
    let mut output = script.0.stdout.take().unwrap();
    let mut seen = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = output.read(&mut piece) {
        seen.extend_from_slice(&piece[..length]);
        if String::from_utf8_lossy(&seen).contains(text) {
            return true;
        }
    }
    false
}

#[test]
fn one_test_that_takes_long_says_what_is_being_done() {
    assert!(shows(1, "", "looking for all outcomes"));
}

#[test]
fn several_tests_show_a_bar_before_the_first_one_is_done() {
    assert!(shows(2, "", "0/2 tests"));
}

/// So many steps take seconds: without the option the line comes.
#[test]
fn who_wants_quiet_sees_nothing_of_it() {
    assert!(shows(1, "--steps 10000000", "looking for all outcomes"));
    assert!(!shows(1, "--quiet --steps 10000000", "looking for all outcomes"));
}
