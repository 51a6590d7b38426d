//! A process that outlives a killed `farside run`, and then kills all that is left of its job.
//!
//! The kernel kills the ranks with us, but not what the ranks have started. The guard reads from a pipe that we hold. A
//! byte says that all is well; its end without one, that we were killed. What we have started is known by
//! `FARSIDE_BOOT` in its environment, where it finds its rendezvous: nothing else has the same, not even ranks of the
//! job that another agent has started on this machine.
//!
//! Limits: a process that has removed that variable before it was started is not found.

use farside_launch::Address;
use farside_processes::signals;
use signal_hook::consts::signal::SIGKILL;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long is looked for processes that are just being started.
const PATIENCE: Duration = Duration::from_secs(5);

/// The guard, as `farside run` sees it.
#[derive(Debug)]
pub(crate) struct Guard {
    process: Child,
}

impl Guard {
    /// Starts it by a command that calls [`guard`]. Its environment is empty: it belongs to no job.
    /// `boot`: the name of the rendezvous of those that it is for.
    pub(crate) fn start(command: &[OsString], boot: &str) -> io::Result<Self> {
        let [program, arguments @ ..] = command else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let process = Command::new(program)
            .args(arguments)
            .arg(boot)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { process })
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// All is well.
    pub(crate) fn dismiss(mut self) {
        if let Some(mut pipe) = self.process.stdin.take() {
            // It may have been killed; then there is nobody to tell.
            let _ = pipe.write_all(b".");
        }
        let _ = self.process.wait();
    }
}

/// The guard's own life: waits until its stdin ends, and kills what is left of those with this rendezvous if it ends
/// without a byte.
pub fn guard(boot: &str) {
    // Away from the terminal, whose signals are not meant for it. It fails for the leader of a group, which this is
    // not.
    let _ = rustix::process::setsid();
    let mut word = [0];
    if io::stdin().read_exact(&mut word).is_ok() {
        return;
    }
    let start = Instant::now();
    let mut clean = 0;
    // Twice, for a process may start another one while we look.
    while clean < 2 && start.elapsed() < PATIENCE {
        let members = members(boot);
        clean = if members.is_empty() { clean + 1 } else { 0 };
        members.into_iter().for_each(|pid| signals::send(pid, SIGKILL));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes with this rendezvous in their environment, as far as we may look.
fn members(boot: &str) -> Vec<u32> {
    let variable = format!("FARSIDE_BOOT={}", Address::Abstract(boot.to_owned()));
    let belongs = |pid: &u32| {
        farside_processes::environment(*pid)
            .split(|&byte| byte == 0)
            .any(|entry| entry == variable.as_bytes())
    };
    farside_processes::all().filter(belongs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_known_by_their_environment() {
        let job = farside_launch::fresh_name().expect("random bytes");
        let start = |value: &str| {
            let mut sleep = Command::new("sleep");
            sleep
                .arg("600")
                .env("FARSIDE_BOOT", format!("unix:@{value}"))
                .spawn()
                .expect("sleep starts")
        };
        let (mut ours, mut other) = (start(&job), start(&format!("{job}x")));
        // A program that has just been started has no environment for a moment.
        let begin = Instant::now();
        while members(&job).is_empty() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(members(&job), [ours.id()]);
        for child in [&mut ours, &mut other] {
            child.kill().expect("killed");
            child.wait().expect("waited for");
        }
        assert!(members(&job).is_empty());
    }
}
