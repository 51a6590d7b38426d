//! The solver of `farside lint`: a process of z3 that is started once, and spoken with in SMT-LIB 2 over pipes.

use farside_lint::Solver;
use std::cell::Cell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// What it says when it has said all.
const DONE: &str = "farside-done";

thread_local! {
    static WAITED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// How long this thread has waited for what a solver says: time that it used of no processor itself.
pub(crate) fn waited() -> Duration {
    WAITED.get()
}

/// A running solver; it ends when it is dropped.
struct Z3 {
    process: Child,
    commands: ChildStdin,
    said: BufReader<ChildStdout>,
}

/// Starts z3; `None` if it is not installed.
pub(crate) fn start() -> Option<Box<dyn Solver>> {
    let mut process = Command::new("z3")
        .args(["-in", "-smt2", "-memory:1024"])
        // It asks for as much memory for each question, and frees it: given back to the system, that would cost a
        // quarter of its time (glibc's names).
        .envs([
            ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
            ("MALLOC_MMAP_THRESHOLD_", "1073741824"),
            ("MALLOC_TOP_PAD_", "16777216"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (commands, said) = (process.stdin.take()?, process.stdout.take()?);
    Some(Box::new(Z3 {
        process,
        commands,
        said: BufReader::new(said),
    }))
}

impl Solver for Z3 {
    fn ask(&mut self, commands: &str) -> Option<String> {
        let begin = Instant::now();
        let said = self.say(commands);
        WAITED.set(WAITED.get() + begin.elapsed());
        said
    }
}

impl Z3 {
    /// Gives it commands; what it says to them.
    fn say(&mut self, commands: &str) -> Option<String> {
        writeln!(self.commands, "{commands}(echo \"{DONE}\")").ok()?;
        self.commands.flush().ok()?;
        let mut all = String::new();
        loop {
            let mut line = String::new();
            if self.said.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if line.trim() == DONE {
                return Some(all);
            }
            all.push_str(&line);
        }
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // It has nothing to lose, and may be gone already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
