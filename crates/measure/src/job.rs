//! Runs one command with a time limit, and measures it from outside.

use crate::interrupt::Kept;
use farside_processes::{limited, own_processor_time, peak_bytes, signals};
use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a running command is looked at.
const TICK: Duration = Duration::from_millis(4);
/// What a command gets to end by itself after SIGTERM.
const GRACE: Duration = Duration::from_secs(5);

/// How a command ended, and what it took.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// Its exit status; `None` after a signal or the time limit.
    pub status: Option<i32>,
    /// Wall time of the whole command.
    pub seconds: f64,
    /// Largest resident set of the process that was started (not of its children), in KiB.
    pub peak_kib: u64,
    /// Processor time of that process, to a hundredth of a second.
    pub cpu_seconds: f64,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
}

/// Runs `words` with `environment` added, for at most `limit`. What it started ends with it, and with this process if
/// that is ended by SIGINT or SIGTERM.
///
/// # Errors
/// The command cannot be started.
pub fn run(words: &[String], environment: &[(&str, &str)], limit: Duration) -> Result<Ended, String> {
    let (program, arguments) = words.split_first().ok_or("empty command")?;
    let kept = Kept::new();
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .envs(farside_processes::OPEN_MPI_AS_ROOT)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let output = drain(child.stdout.take());
    let errors = drain(child.stderr.take());
    let mut ended = Ended::default();
    wait(&mut child, started + limit, &kept, &mut ended)?;
    ended.seconds = started.elapsed().as_secs_f64();
    ended.output = output.join().unwrap_or_default();
    ended.errors = errors.join().unwrap_or_default();
    Ok(ended)
}

fn wait(child: &mut Child, deadline: Instant, kept: &Kept, ended: &mut Ended) -> Result<(), String> {
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            ended.status = status.code();
            return Ok(());
        }
        ended.peak_kib = ended.peak_kib.max(peak_bytes(child.id()).unwrap_or(0) / 1024);
        if let Some(time) = own_processor_time(child.id()) {
            ended.cpu_seconds = time.as_secs_f64();
        }
        if Instant::now() > deadline || kept.came() {
            return stop(child);
        }
        thread::sleep(TICK);
    }
}

/// Ends a command and what it started: politely first, so that a launcher ends its processes.
fn stop(child: &mut Child) -> Result<(), String> {
    signals::send(child.id(), Signal::TERM.as_raw());
    limited::wait(child, GRACE).map_err(|error| error.to_string())?;
    // The rest of the group too: a process that outlives its launcher would keep our pipes open.
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    child.wait().map(drop).map_err(|error| error.to_string())
}

fn drain(pipe: Option<impl std::io::Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is kept.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        vec!["sh".to_owned(), "-c".to_owned(), text.to_owned()]
    }

    #[test]
    fn output_and_status_come_back() {
        let ended = run(
            &words("echo out; echo err >&2; exit 3"),
            &[],
            Duration::from_secs(20),
        )
        .unwrap();
        assert_eq!(
            (ended.status, ended.output.as_str(), ended.errors.as_str()),
            (Some(3), "out\n", "err\n")
        );
    }

    #[test]
    fn a_command_that_hangs_is_ended() {
        let ended = run(&words("sleep 60"), &[], Duration::from_millis(200)).unwrap();
        assert_eq!(ended.status, None);
        assert!(ended.seconds < 20.0);
    }

    #[test]
    fn processor_time_of_the_process_itself_is_seen() {
        let ended = run(
            &words("i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"),
            &[],
            Duration::from_secs(60),
        );
        let ended = ended.unwrap();
        assert!(
            ended.cpu_seconds > 0.0 && ended.cpu_seconds <= ended.seconds + 0.02,
            "{ended:?}"
        );
        assert!(ended.peak_kib > 0);
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let error = run(&["no-such-program".to_owned()], &[], Duration::from_secs(1)).unwrap_err();
        assert!(error.starts_with("no-such-program: "), "{error}");
    }
}
