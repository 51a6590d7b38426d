//! The machine and the versions that figures belong to.

pub use farside_measurements::Fact;

use std::fs;
use std::process::Command;

/// Processor, memory, system, versions and load, as far as the machine tells.
#[must_use]
pub fn facts() -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        facts.extend(value.filter(|value| !value.is_empty()).map(|value| Fact {
            name: String::from(name),
            value,
        }));
    };
    let cpu = output("lscpu", &[]).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    add("processor", field(&cpu, "Model name:"));
    add(
        "model, stepping",
        field(&cpu, "Model:")
            .zip(field(&cpu, "Stepping:"))
            .map(|(m, s)| format!("{m}, {s}")),
    );
    add("cores", field(&cpu, "CPU(s):"));
    add("caches (L1d, L2, L3)", {
        let caches: Vec<String> = ["L1d cache:", "L2 cache:", "L3 cache:"]
            .iter()
            .filter_map(|c| field(&cpu, c))
            .collect();
        Some(caches.join("; "))
    });
    add("hypervisor", field(&cpu, "Hypervisor vendor:"));
    add(
        "memory",
        fs::read_to_string("/proc/meminfo")
            .ok()
            .and_then(|text| field(&text, "MemTotal:")),
    );
    add("system", first_line("uname", &["-srm"]));
    add(
        "distribution",
        fs::read_to_string("/etc/os-release").ok().and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
            Some(line.trim_matches('"').to_owned())
        }),
    );
    add(
        "load (1, 5, 15 min)",
        fs::read_to_string("/proc/loadavg")
            .ok()
            .map(|text| text.split(' ').take(3).collect::<Vec<_>>().join(" ")),
    );
    add("C compiler", first_line("gcc", &["--version"]));
    add("Open MPI", first_line("mpirun.openmpi", &["--version"]));
    add(
        "MPICH",
        output("mpichversion", &[]).and_then(|text| field(&text, "MPICH Version")),
    );
    add("Rust", first_line("rustc", &["--version"]));
    add(
        "commit",
        first_line("git", &["describe", "--always", "--dirty", "--abbrev=12"]),
    );
    facts
}

/// Today, and the name of the machine: `2026-11-20-node1`.
#[must_use]
pub fn date_and_host() -> String {
    let date = first_line("date", &["-u", "+%F"]).unwrap_or_else(|| "undated".to_owned());
    let host = first_line("uname", &["-n"]).unwrap_or_else(|| "unknown".to_owned());
    format!("{date}-{host}")
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    Some(output(program, arguments)?.lines().next()?.trim().to_owned())
}
