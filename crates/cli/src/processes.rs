//! Looking at processes through `/proc`: alive or not, parents and children.

use std::collections::HashMap;
use std::fs;

/// The fields of `/proc/PID/stat` that we use.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stat {
    name: String,
    state: char,
    parent: u32,
    started: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    parse_stat(&String::from_utf8_lossy(
        &fs::read(format!("/proc/{pid}/stat")).ok()?,
    ))
}

fn parse_stat(text: &str) -> Option<Stat> {
    // The name stands in parentheses and may itself contain spaces and parentheses.
    let (open, close) = (text.find('(')?, text.rfind(')')?);
    let fields: Vec<&str> = text.get(close + 1..)?.split_whitespace().collect();
    Some(Stat {
        name: text.get(open + 1..close)?.to_string(),
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// When a living process was started, in clock ticks since boot; `None` if it is gone or a zombie.
pub(crate) fn start_time(pid: u32) -> Option<u64> {
    stat(pid)
        .filter(|s| !matches!(s.state, 'Z' | 'X'))
        .map(|s| s.started)
}

/// All living descendants of `root`, parents before children.
pub(crate) fn descendants(root: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else {
            continue;
        };
        if let Some(s) = stat(pid) {
            children.entry(s.parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            found.push(child);
            open.push(child);
        }
    }
    found
}

/// The nearest ancestor whose name satisfies `wanted`.
pub(crate) fn ancestor(pid: u32, wanted: impl Fn(&str) -> bool) -> Option<u32> {
    let mut process = stat(pid)?.parent;
    for _ in 0..64 {
        let s = stat(process)?;
        if wanted(&s.name) {
            return Some(process);
        }
        process = s.parent;
    }
    None
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
        assert_eq!(parse_stat(text), Some(expected));
    }

    #[test]
    fn we_live_and_have_children() {
        assert!(start_time(std::process::id()).is_some());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(descendants(std::process::id()).contains(&child.id()));
        child.kill().unwrap();
        // Not yet waited for: a zombie does not count as living.
        while start_time(child.id()).is_some() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
    }
}
