//! One process, as `/proc/PID` shows it (proc(5)).

use std::fs;

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
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        Self::parse(&String::from_utf8_lossy(
            &fs::read(format!("/proc/{pid}/stat")).ok()?,
        ))
    }

    fn parse(text: &str) -> Option<Self> {
        // The name stands in parentheses and may itself contain spaces and parentheses.
        let (open, close) = (text.find('(')?, text.rfind(')')?);
        let fields: Vec<&str> = text.get(close + 1..)?.split_whitespace().collect();
        Some(Self {
            name: text.get(open + 1..close)?.to_string(),
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }
}

/// When a living process was started, in clock ticks since boot; `None` if it is gone or a zombie.
#[must_use]
pub fn start_time(pid: u32) -> Option<u64> {
    Stat::of(pid)
        .filter(|s| !matches!(s.state, 'Z' | 'X'))
        .map(|s| s.started)
}

/// The environment that a process was started with, its entries ended by zero bytes; empty for one that is gone, or that we
/// may not look at.
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
    }
}
