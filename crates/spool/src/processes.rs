//! Who records: which machine a process counts on, and the job that a launcher started it for.

use crate::format::{Machine, Recording};
use farside_processes::{Stat, environment, start_time};
use std::fs;

/// Where the calling process runs. What cannot be found out is 0.
#[must_use]
pub fn machine() -> Machine {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let digits: String = boot.chars().filter(char::is_ascii_hexdigit).collect();
    // `pid:[4026531836]`
    let namespace = |kind: &str| {
        let link = fs::read_link(format!("/proc/self/ns/{kind}")).ok()?;
        let text = link.to_str()?.split_once('[')?.1.strip_suffix(']')?.to_string();
        text.parse().ok()
    };
    Machine {
        boot: u128::from_str_radix(&digits, 16).unwrap_or(0),
        clocks: namespace("time").unwrap_or(0),
        processes: namespace("pid").unwrap_or(0),
    }
}

/// The recording of a process of this machine; for its parts see [`Recording::part`].
#[must_use]
pub fn recording(pid: u32, part: u32) -> Recording {
    Recording {
        machine: machine(),
        pid,
        started: start_time(pid).unwrap_or(0),
        part,
    }
}

/// The name of this host, for people.
#[must_use]
pub fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_string()
}

/// What a launcher put into the environment and among the ancestors of a process that it started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launched {
    /// Equal for the processes of one job, on all of its hosts if possible, and different for another job.
    pub job: Option<String>,
    /// Which process of the job it is.
    pub rank: Option<u32>,
    /// Processes of the job on this host.
    pub here: Option<u32>,
    /// The launcher that set the environment up, and the number of processes that it says it started.
    pub promised: Option<(&'static str, u32)>,
}

/// Launchers, by the names that `/proc/PID/stat` has.
const LAUNCHERS: [&str; 9] = [
    "mpirun",
    "mpiexec",
    "orterun",
    "prterun",
    "prte",
    "orted",
    "hydra_pmi_proxy",
    "srun",
    "slurmstepd",
];

impl Launched {
    /// Looks at a living process; everything is unknown for one that is gone.
    #[must_use]
    pub fn of(pid: u32) -> Self {
        let environment = environment(pid);
        if environment.is_empty() {
            // Gone, or just going: its parent alone would say less than its siblings' environments.
            return Self::default();
        }
        let value = |name: &str| {
            environment.split(|&b| b == 0).find_map(|entry| {
                let entry = std::str::from_utf8(entry).ok()?;
                entry.strip_prefix(name)?.strip_prefix('=').map(str::to_string)
            })
        };
        let number = |name: &str| value(name).and_then(|v| v.parse().ok());
        // `farside run`, Open MPI and other PMIx launchers name the job. Elsewhere the nearest launcher stands for it.
        let named = |name: &str| value(name).map(|job| format!("{name} {job}"));
        let step = || {
            Some(format!(
                "{} step {}",
                named("SLURM_JOB_ID")?,
                value("SLURM_STEP_ID")?
            ))
        };
        // Intel's hydra tells its proxies nothing on their command lines, but names each run, and a group within it.
        let run = || {
            Some(format!(
                "{} group {}",
                named("I_MPI_HYDRA_UUID")?,
                value("HYDRA_BSTRAP_PGID").unwrap_or_default()
            ))
        };
        let first = |names: &[&str]| names.iter().find_map(|name| number(name));
        Self {
            job: named("FARSIDE_JOB")
                .or_else(|| named("PMIX_NAMESPACE"))
                .or_else(|| launcher_of(pid, step, run)),
            rank: first(&[
                "PMIX_RANK",
                "OMPI_COMM_WORLD_RANK",
                "PMI_RANK",
                "PMI_ID",
                "SLURM_PROCID",
            ]),
            here: first(&["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"]),
            promised: number("OMPI_COMM_WORLD_SIZE")
                .map(|n| ("Open MPI", n))
                .or_else(|| number("PMI_SIZE").map(|n| ("MPICH (or another PMI launcher)", n))),
        }
    }
}

/// The nearest launcher among the ancestors, in words that are the same on all hosts of the job where it has such.
fn launcher_of(
    pid: u32,
    step: impl Fn() -> Option<String>,
    run: impl Fn() -> Option<String>,
) -> Option<String> {
    let mut process = Stat::of(pid)?.parent;
    for _ in 0..64 {
        let stat = Stat::of(process)?;
        if is_launcher(&stat.name) {
            let shared = match stat.name.as_str() {
                "hydra_pmi_proxy" => hydra_job(process).or_else(&run),
                "slurmstepd" => step(),
                _ => None,
            };
            let here = || format!("launcher {process} {} of {}", stat.started, machine());
            return Some(shared.unwrap_or_else(here));
        }
        process = stat.parent;
    }
    None
}

/// Hydra starts a proxy on each host, and tells it where `mpiexec` listens and which of its jobs it serves.
fn hydra_job(proxy: u32) -> Option<String> {
    let words = fs::read(format!("/proc/{proxy}/cmdline")).ok()?;
    let words: Vec<_> = words.split(|&b| b == 0).map(String::from_utf8_lossy).collect();
    let after = |option: &str| {
        let at = words.iter().position(|word| word == option)?;
        Some(words.get(at + 1)?.to_string())
    };
    Some(format!("hydra {} {}", after("--control-port")?, after("--pgid")?))
}

fn is_launcher(name: &str) -> bool {
    LAUNCHERS.iter().any(|launcher| {
        name.strip_prefix(launcher)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers() {
        assert!(is_launcher("mpirun.openmpi") && is_launcher("hydra_pmi_proxy"));
        assert!(!is_launcher("mpirunner") && !is_launcher("sh"));
    }

    #[test]
    fn this_machine_is_known() {
        let here = machine();
        assert!(here.boot != 0 && here.clocks != 0 && here.processes != 0);
        let own = recording(std::process::id(), 0);
        assert_eq!(Some(own.started), start_time(own.pid));
        assert_eq!(recording(u32::MAX, 0).started, 0);
    }
}
