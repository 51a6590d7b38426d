//! All processes, and who started whom.

use crate::Stat;
use std::collections::HashMap;
use std::fs;

/// The ids of all processes that can be seen from here.
pub fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// All descendants of `root` that are there, parents before children.
#[must_use]
pub fn descendants(root: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for pid in all() {
        if let Some(s) = Stat::of(pid) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start_time;

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
        assert_eq!(start_time(child.id()), None);
    }
}
