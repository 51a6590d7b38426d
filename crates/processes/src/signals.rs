//! Signals: their names, which of them we were started to ignore, and sending them.

use crate::{descendants, start_time};
use rustix::process::{Pid, Signal, kill_process};

/// The name of a signal, such as SIGKILL.
#[must_use]
pub fn name(number: i32) -> String {
    match signal_hook::low_level::signal_name(number) {
        Some(name) => name.to_string(),
        None => format!("signal {number}"),
    }
}

/// Whether we were started with a signal ignored, as `nohup` does; then it stays ignored.
#[must_use]
pub fn is_ignored(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.unwrap_or(0) >> (number - 1) & 1 == 1
}

/// Sends `signal` to a process that is a descendant of ours; one that is gone is no error.
pub fn send(pid: u32, number: i32) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if let (Some(pid), Some(signal)) = (pid, Signal::from_named_raw(number)) {
        let _ = kill_process(pid, signal);
    }
}

/// Sends a signal to all living descendants of ours. Returns to how many.
pub fn send_to_descendants(number: i32) -> usize {
    let mut living = descendants(std::process::id());
    living.retain(|&pid| start_time(pid).is_some());
    living.iter().for_each(|&pid| send(pid, number));
    living.len()
}
