//! The machine that figures belong to, as its files tell.

use serde::Serialize;

/// A fact about the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is about.
    pub name: &'static str,
    /// What the machine said.
    pub value: String,
}

/// Processor, cores, system and load. What cannot be read is left out.
#[must_use]
pub fn facts() -> Vec<Fact> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let processor = read("/proc/cpuinfo").and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let cores = std::thread::available_parallelism()
        .ok()
        .map(|cores| cores.to_string());
    let system = read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned());
    let load = read("/proc/loadavg").map(|text| text.split(' ').take(3).collect::<Vec<_>>().join(" "));
    let all = [
        ("processor", processor),
        ("cores", cores),
        ("kernel", system),
        ("load before (1, 5, 15 min)", load),
    ];
    all.into_iter()
        .filter_map(|(name, value)| Some(Fact { name, value: value? }))
        .collect()
}
