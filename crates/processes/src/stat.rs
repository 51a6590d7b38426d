//! One process, as `/proc/PID` shows it (proc(5)).

use std::fs;
use std::time::Duration;

/// What we use of `/proc/PID/stat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The name of the program, which the kernel cuts at 15 characters.
    pub name: String,
    /// `R`, `S`, ...; `Z` is a zombie.
    pub state: char,
    /// The parent's process id.
    pub parent: u32,
    /// When it was started, in clock ticks since boot.
    pub started: u64,
}

impl Stat {
    /// Of a process that is there, living or not.
    ///
    /// Read of its first thread, which has the same name, parent and start: qemu in user mode makes `/proc/PID/stat` of
    /// a process up for the process itself, with another start than all others read.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        let text = fs::read(format!("/proc/{pid}/task/{pid}/stat")).ok()?;
        Self::parse(&String::from_utf8_lossy(&text))
    }

    fn parse(text: &str) -> Option<Self> {
        let (open, close) = name_in(text)?;
        let fields: Vec<&str> = text.get(close + 1..)?.split_whitespace().collect();
        Some(Self {
            name: text.get(open + 1..close)?.to_string(),
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }
}

/// The parentheses around the name, which may itself contain spaces and parentheses.
fn name_in(text: &str) -> Option<(usize, usize)> {
    Some((text.find('(')?, text.rfind(')')?))
}

/// Time on processors that a process has taken so far, with that of its children that it has waited for. The record of
/// one that has ended stays until it is waited for.
#[must_use]
pub fn processor_time(pid: u32) -> Option<Duration> {
    time(pid, 4)
}

/// As [`processor_time`], without the children.
#[must_use]
pub fn own_processor_time(pid: u32) -> Option<Duration> {
    time(pid, 2)
}

fn time(pid: u32, fields: usize) -> Option<Duration> {
    let text = String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/stat")).ok()?).into_owned();
    ticks(&text, fields).map(|ticks| Duration::from_millis(ticks * TICK_MS))
}

/// Of the kernel's clock for programs, which has 100 ticks a second on every Linux (`USER_HZ`).
const TICK_MS: u64 = 10;

/// Of fields 14 to 17 of proc(5), so many: own time in programs and in the system, and that of children.
fn ticks(text: &str, number: usize) -> Option<u64> {
    let (_, close) = name_in(text)?;
    let mut fields = text.get(close + 1..)?.split_whitespace().skip(11);
    (0..number).map(|_| fields.next()?.parse::<u64>().ok()).sum()
}

/// The largest resident set of a process so far, in bytes.
#[must_use]
pub fn peak_bytes(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// What a process has in memory at the moment, in bytes.
#[must_use]
pub fn resident_bytes(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The children of a process' first thread.
#[must_use]
pub fn children(pid: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    children
        .split_whitespace()
        .filter_map(|child| child.parse().ok())
        .collect()
}

/// When a living process was started, in clock ticks since boot; `None` if it is gone or a zombie.
#[must_use]
pub fn start_time(pid: u32) -> Option<u64> {
    Stat::of(pid)
        .filter(|s| !matches!(s.state, 'Z' | 'X'))
        .map(|s| s.started)
}

/// The environment that a process was started with, its entries ended by zero bytes; empty for one that is gone, or
/// that we may not look at.
#[must_use]
pub fn environment(pid: u32) -> Vec<u8> {
    fs::read(format!("/proc/{pid}/environ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_parentheses() {
        let text = "42 (a) b (c) R 7 1 1 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9";
        let expected = Stat {
            name: "a) b (c".into(),
            state: 'R',
            parent: 7,
            started: 123_456,
        };
        assert_eq!(Stat::parse(text), Some(expected));
        assert_eq!(ticks(text, 4), Some(5 + 6 + 7 + 8));
    }

    /// What the first thread's file says of a process is what the process' own file says, of another process, too.
    #[test]
    fn the_first_thread_has_the_name_the_parent_and_the_start_of_its_process() {
        let parent = Stat::of(std::process::id()).unwrap().parent;
        let file = fs::read(format!("/proc/{parent}/stat")).unwrap();
        let whole = Stat::parse(&String::from_utf8_lossy(&file)).unwrap();
        let found = Stat::of(parent).unwrap();
        assert_eq!(
            (found.name, found.parent, found.started),
            (whole.name, whole.parent, whole.started)
        );
        assert_eq!(Stat::of(u32::MAX), None);
    }
}
