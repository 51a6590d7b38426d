//! The arguments of `farside run`.

use crate::check::arguments::{CheckArguments, Judging};
use crate::fault::Fault;
use crate::options::{Color, ReportArguments};
use clap::Args;
use farside_run::{Hosts, Shell};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside run -n 4 ./heat input.dat
      Four ranks of a program that uses the crate farside.

  farside run -n 4 -- cargo run --release --example heat
      The same through cargo, which builds once while the others wait.

  farside run -n 8 --label --time-limit 60 ./heat
      Each line of output begins with its rank; a minute at the most.

  farside run -n 64 --transport sim ./heat
      64 ranks over a virtual network, in one process.

  farside run --check -n 4 ./heat
      Reports conflicting accesses that nothing orders, when all have ended.

  farside run -n 2 --transport ofi --env RUST_BACKTRACE=1 ./heat
      Over libfabric, with the best of its providers that reaches other machines; ofi:net or 'ofi:tcp;ofi_rxm' name one.

  farside run -n 8 --hosts a,b ./heat
      Four ranks on host a, four on host b, started by ssh; those of a host are connected by memory, the hosts by
      libfabric. The program lies at the same place on both, and so does farside.

  farside run -n 4 --nodes 2 ./heat
      The same for a trial, on this host: ranks 0 and 1, and 2 and 3, are connected by memory, and the pairs by libfabric.

What the ranks get:
  FARSIDE_RANK, FARSIDE_SIZE   0 to N-1, and N
  FARSIDE_JOB                  a name that no other job has
  FARSIDE_BOOT                 where they find one another
  FARSIDE_TRANSPORT            what --transport says
  FARSIDE_NODE                 over several hosts, and with --nodes: ranks of different values share no memory

Notes:
  A rank that fails (a status other than 0, a signal, or an end without saying
  so to the others) ends the job: the others are told, and half a second later
  they get SIGTERM, and then SIGKILL. No process is left.

  With --keep-going, and without a check, a rank that fails does not end the
  job: the others are told, and go on by World::shrink. The last line says who
  was lost.

  Ranks that end well before they have joined the others are not waited for.

  Signals (SIGINT, SIGTERM, SIGHUP, SIGQUIT) go to all ranks; five seconds
  later, or at the second one, what still lives is killed.

  stdin goes to rank 0. Output comes line by line, never mixed within a line.

  Over several hosts all this is so as well. A host that is lost, or not heard
  of for ten seconds, ends the job.

Exit status:
  0    all ranks have ended well
  1    they have, and --check has findings
  2    wrong usage, a program or host that cannot be started, or an output that
       cannot be written, which ends the job
  3    a rank failed, a host was lost, the time limit was reached, or a signal
       ended the job; stderr says which, with its status
  4    they have ended well, and --check could not see enough
  5    with --keep-going: ranks were lost, and all others have ended well; the
       last line of stderr says which were lost, and how
  101  a bug of farside";

/// `farside run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Number of ranks
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) ranks: u32,
    /// What carries the communication: shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER; sim or threads, with all ranks
    /// in one process (default: shm on one host; over several, hybrid, or ofi with a rank on each)
    #[arg(long, value_name = "NAME", value_parser = transport)]
    pub(crate) transport: Option<String>,
    /// Start the ranks on these hosts, in blocks: HOST:N takes N, HOST its share of what is left
    #[arg(long, value_name = "HOST[:N],...", conflicts_with = "hostfile", value_parser = Hosts::list)]
    hosts: Option<Hosts>,
    /// The same, a host a line: HOST, HOST:N or HOST slots=N
    #[arg(long, value_name = "FILE")]
    hostfile: Option<PathBuf>,
    /// What starts a command on another host, called with its name and a line for its shell (default: ssh, without
    /// questions)
    #[arg(
        long,
        value_name = "COMMAND",
        default_value = "",
        hide_default_value = true,
        overrides_with = "launcher"
    )]
    launcher: String,
    /// Where farside is on the other hosts (default: where it is here)
    #[arg(long, value_name = "PATH")]
    farside: Option<PathBuf>,
    /// Tell the ranks, in blocks, that they are on so many nodes, though they are on this one: a trial of what several
    /// hosts would do
    #[arg(long, value_name = "NODES", conflicts_with_all = ["hosts", "hostfile"], value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// Let the others go on when a rank is lost, for programs that can: see World::shrink of the crate farside
    #[arg(long, conflicts_with = "check")]
    keep_going: bool,
    /// End the job after SECONDS
    #[arg(long, visible_alias = "timeout", value_name = "SECONDS", value_parser = crate::options::seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Give each rank cores of its own, or one core in turn if there are more ranks (default: if there are enough
    /// cores)
    #[arg(long, overrides_with = "no_pin")]
    pub(crate) pin: bool,
    /// Let each rank run on all cores
    #[arg(long, overrides_with = "pin")]
    pub(crate) no_pin: bool,
    /// Begin each line of output with its rank
    #[arg(long, short)]
    pub(crate) label: bool,
    /// Set a variable for all ranks (may be given several times)
    #[arg(long, short, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) env: Vec<(OsString, OsString)>,
    /// Say on stderr which processes the ranks are, and how they end
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Check the communication of the ranks as `farside check` does, and print the report after their output
    ///
    /// FARSIDE_CHECK=1 in the environment does the same.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten, next_help_heading = "Report, with --check")]
    pub(crate) report: ReportArguments,
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) command: Vec<OsString>,
}

/// The subcommand that makes an agent of a host; not for people.
const AGENT: &str = "run-agent";

/// What watches over `farside run`; not for people.
#[derive(Debug, Args)]
pub(crate) struct GuardArguments {
    /// Name of the rendezvous of those that it is for
    pub(crate) boot: String,
}

impl RunArguments {
    /// Whether the job is to be checked, and nobody checks it yet.
    pub(super) fn wants_check(&self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        (self.check || set("FARSIDE_CHECK")) && !set("FARSIDE_SPOOL")
    }

    /// The same job as a command that is to be checked. The time limit is the check's: it says who waits for whom.
    pub(super) fn to_check(&self, farside: OsString) -> CheckArguments {
        let mut command = vec![farside, "run".into(), "-n".into(), self.ranks.to_string().into()];
        let mut option = |name: &str, value: OsString| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value);
            command.push(word);
        };
        if let Some(transport) = &self.transport {
            option("transport", transport.into());
        }
        for (name, value) in self.of_hosts() {
            option(name, value);
        }
        if let Some(nodes) = self.nodes {
            option("nodes", nodes.to_string().into());
        }
        for (name, value) in &self.env {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            option("env", pair);
        }
        let color = match self.report.color {
            Color::Auto => "auto",
            Color::Always => "always",
            Color::Never => "never",
        };
        option("color", color.into());
        let flags = [
            ("--pin", self.pin),
            ("--no-pin", self.no_pin),
            ("--label", self.label),
            ("--verbose", self.verbose),
        ];
        command.extend(
            flags
                .iter()
                .filter(|(_, given)| *given)
                .map(|(name, _)| (*name).into()),
        );
        command.push("--".into());
        command.extend(self.command.iter().cloned());
        CheckArguments {
            report: self.report.clone(),
            judging: Judging::default(),
            time_limit: self.time_limit,
            spool: None,
            keep_spool: false,
            backlog: 256,
            lint: None,
            quiet: false,
            verbose: self.verbose,
            command,
        }
    }

    /// Whether the others go on when a rank is lost.
    pub(super) fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// The options about hosts, as they were given.
    fn of_hosts(&self) -> Vec<(&'static str, OsString)> {
        let path = |path: &PathBuf| path.clone().into_os_string();
        let launcher = (!self.launcher.is_empty()).then(|| self.launcher.clone().into());
        let given = [
            ("hosts", self.hosts.as_ref().map(|hosts| hosts.to_string().into())),
            ("hostfile", self.hostfile.as_ref().map(path)),
            ("launcher", launcher),
            ("farside", self.farside.as_ref().map(path)),
        ];
        given
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }

    /// Whether the ranks are on other hosts, so that the program need not be here.
    pub(super) fn goes_elsewhere(&self) -> bool {
        self.hosts.is_some() || self.hostfile.is_some()
    }

    /// The hosts, and how they are reached.
    pub(super) fn hosts(&self, farside: &Path) -> Result<Option<(Hosts, Shell)>, Fault> {
        let hosts = match (&self.hosts, &self.hostfile) {
            (Some(hosts), _) => hosts.clone(),
            (None, Some(file)) => {
                let text =
                    std::fs::read_to_string(file).map_err(|error| Fault::Unreadable(file.clone(), error))?;
                Hosts::lines(&text).map_err(|why| Fault::Hostfile(file.clone(), why))?
            }
            (None, None) => return Ok(None),
        };
        let farside = self.farside.as_deref().unwrap_or(farside);
        Ok(Some((hosts, Shell::new(&self.launcher, farside, AGENT))))
    }

    /// On how many nodes the ranks are told to be.
    pub(super) fn nodes(&self) -> Option<u32> {
        self.nodes
    }

    /// How many processes the job has: all ranks are in one with some transports.
    pub(super) fn processes(&self) -> u32 {
        match self.transport.as_deref() {
            Some("sim" | "threads") => 1,
            _ => self.ranks,
        }
    }

    /// What `FARSIDE_TRANSPORT` is to be.
    pub(super) fn transport(&self) -> Option<String> {
        let name = self.transport.as_deref()?;
        Some(match name {
            "sim" | "threads" => format!("{name}:{}", self.ranks),
            _ => name.to_owned(),
        })
    }
}

fn transport(text: &str) -> Result<String, String> {
    match text.split_once(':') {
        Some(("ofi" | "hybrid", provider)) if !provider.is_empty() => Ok(text.to_owned()),
        None if ["shm", "ofi", "hybrid", "sim", "threads"].contains(&text) => Ok(text.to_owned()),
        _ => Err("one of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER, sim and threads".to_owned()),
    }
}

fn variable(text: &str) -> Result<(OsString, OsString), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.contains('\0') => Ok((name.into(), value.into())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transports_and_variables() {
        for good in [
            "shm",
            "sim",
            "threads",
            "ofi",
            "ofi:tcp;ofi_rxm",
            "hybrid",
            "hybrid:net",
        ] {
            assert_eq!(transport(good).as_deref(), Ok(good));
        }
        for wrong in ["", "tcp", "ofi:", "hybrid:", "shm:x"] {
            assert!(transport(wrong).is_err(), "{wrong}");
        }
        assert_eq!(variable("A=b=c"), Ok(("A".into(), "b=c".into())));
        assert!(variable("A").is_err() && variable("=b").is_err());
    }
}
