//! An agent started by a remote shell.

use farside_launch::tie;
use farside_processes::plain;
use rustix::process::Rlimit;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is kept of what a remote shell says, in bytes.
const KEPT: usize = 4 << 10;
/// How long is waited for the last words of a shell that has ended.
const WORDS: Duration = Duration::from_millis(300);
/// What ssh is told, after what it was told by the user, which goes first: to ask nothing, for the head has no terminal
/// for the questions of many hosts; not to wait for a host that does not answer as long as TCP does; and to leave no
/// connection open that others could share, for it would end with us.
const TO_SSH: [&str; 8] = [
    "-x",
    "-T",
    "-o",
    "BatchMode=yes",
    "-o",
    "ConnectTimeout=20",
    "-o",
    "ControlMaster=no",
];

/// How commands come to other hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shell {
    words: Vec<String>,
    farside: PathBuf,
    arguments: String,
}

/// A remote shell that runs, or has run.
#[derive(Debug)]
pub(crate) struct Started {
    pid: u32,
    said: Arc<Mutex<Vec<u8>>>,
    listener: Option<std::thread::JoinHandle<()>>,
}

impl Shell {
    /// `launcher` and its arguments: called with a host and one line for its shell. Empty: ssh. `farside`: where this
    /// program is on the hosts; `arguments`: what makes an agent of it.
    #[must_use]
    pub fn new(launcher: &str, farside: &Path, arguments: &str) -> Self {
        let mut words: Vec<String> = launcher.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            words.push("ssh".to_owned());
        }
        if is_ssh(&words[0]) {
            words.extend(TO_SSH.iter().map(|&word| word.to_owned()));
        }
        Self {
            words,
            farside: farside.to_path_buf(),
            arguments: arguments.to_owned(),
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        &self.words[0]
    }

    /// Where the agent is on the hosts.
    pub(crate) fn farside(&self) -> &Path {
        &self.farside
    }

    /// Starts the agent of a host, with these words as its stdin. This host needs no remote shell. Call it in the main
    /// thread: the remote shell ends with the thread that starts it. `files`: its limit of open files, if not ours.
    pub(crate) fn start(&self, host: &str, summons: &[u8], files: Option<Rlimit>) -> io::Result<Started> {
        let mut command = if is_here(host) {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(self.arguments.split_whitespace());
            command
        } else {
            let mut command = Command::new(&self.words[0]);
            let line = format!(
                "exec {} {}",
                quoted(&self.farside.to_string_lossy()),
                self.arguments
            );
            command.args(&self.words[1..]).arg(host).arg(line);
            command
        };
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Signals of the terminal are for us alone.
            .process_group(0);
        tie(&mut command, &[], files);
        let mut child = command.spawn()?;
        let said = Arc::default();
        let listener = child
            .stderr
            .take()
            .map(|stderr| listen(stderr, &said))
            .transpose()?;
        // One that has ended at once tells by its end.
        let _ = tell(&mut child, summons);
        Ok(Started {
            pid: child.id(),
            said,
            listener,
        })
    }
}

fn tell(child: &mut Child, summons: &[u8]) -> io::Result<()> {
    let Some(mut stdin) = child.stdin.take() else {
        return Ok(());
    };
    stdin.write_all(summons)
}

/// Reads to the end, so that the shell never waits for a reader.
fn listen(mut stderr: ChildStderr, said: &Arc<Mutex<Vec<u8>>>) -> io::Result<std::thread::JoinHandle<()>> {
    let said = Arc::clone(said);
    std::thread::Builder::new()
        .name("remote-shell".to_owned())
        .spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(length @ 1..) = stderr.read(&mut buffer) {
                let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                said.extend_from_slice(&buffer[..length]);
                let over = said.len().saturating_sub(KEPT);
                said.drain(..over);
            }
        })
}

impl Started {
    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// What it said last, in one line; empty for nothing.
    pub(crate) fn said(&self) -> String {
        let begin = std::time::Instant::now();
        while self.listener.as_ref().is_some_and(|thread| !thread.is_finished()) && begin.elapsed() < WORDS {
            std::thread::sleep(Duration::from_millis(5));
        }
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&said);
        let lines: Vec<String> = text.lines().map(|line| plain(line.trim())).collect();
        lines[lines.len().saturating_sub(3)..].join("; ")
    }
}

/// Why a remote shell that has ended brought no agent.
pub(crate) fn why_no_agent(shell: &Shell, host: &str, status: ExitStatus, said: &str) -> String {
    let farside = shell.farside().display();
    let name = shell.name();
    let mut text = match status.code() {
        _ if is_here(host) => "the agent ended before it was connected".to_owned(),
        Some(127) => format!(
            "farside is not there at {farside}, or `{name}` does not run commands; --farside PATH says where it is"
        ),
        Some(126) => format!("{farside} cannot be run there"),
        Some(255) if is_ssh(name) => {
            format!("`{name} {host}` fails; it must work without a question (keys, known hosts)")
        }
        Some(code) => format!("`{name}` ended with status {code} before the agent was connected"),
        None => format!("`{name}` was killed before the agent was connected"),
    };
    if !said.is_empty() {
        text += ": ";
        text += said;
    }
    text
}

fn is_ssh(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "ssh")
}

/// Whether this host is meant.
fn is_here(host: &str) -> bool {
    let name = rustix::system::uname();
    let name = name.nodename().to_string_lossy();
    host == "localhost" || host == name || Some(host) == name.split('.').next()
}

/// For a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '=' | ':' | '@' | ',')
    };
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt as _;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(
            quoted("/opt/farside-1.0/bin/farside"),
            "/opt/farside-1.0/bin/farside"
        );
        assert_eq!(quoted("/a b/it's"), "'/a b/it'\\''s'");
    }

    #[test]
    fn ssh_asks_nothing_whatever_else_it_is_told() {
        let words = |launcher| Shell::new(launcher, Path::new("farside"), "").words;
        assert_eq!(words("")[..3], ["ssh", "-x", "-T"]);
        assert_eq!(
            words("/opt/bin/ssh -p 22")[..4],
            ["/opt/bin/ssh", "-p", "22", "-x"]
        );
        assert!(words("ssh -l me").contains(&"BatchMode=yes".to_owned()));
        assert_eq!(words("rsh -n"), ["rsh", "-n"]);
    }

    #[test]
    fn why_there_is_no_agent() {
        let shell = Shell::new("", Path::new("/opt/farside"), "run-agent");
        let why =
            |status: i32, said: &str| why_no_agent(&shell, "far", ExitStatus::from_raw(status << 8), said);
        assert!(why(127, "sh: not found").ends_with("--farside PATH says where it is: sh: not found"));
        assert!(why(255, "").starts_with("`ssh far` fails"));
        assert!(why(2, "").contains("status 2"));
        assert!(is_here("localhost") && !is_here("far"));
    }
}
