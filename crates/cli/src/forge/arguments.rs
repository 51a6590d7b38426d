//! The arguments of `farside forge`, and the rows of tests that they mean.

use super::cycles::CycleArguments;
use crate::fault::Fault;
use crate::shard::Cut;
use clap::{Args, ValueEnum};
use farside_corpus::{Content, Settings, Wanted};
use farside_forge::{
    Bounds, Definition, MOST_PROCESSES, PivotRule, Reads, Removal, SelfDependence, Sequentiality, table,
};
use farside_shards::Shard;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside forge --all
      Counts the tests of every row of Table 6 of Dan et al. 2016, and their
      expected outputs, beside the paper's numbers.

  farside forge --rule IR --procs 2 --actions 11 --out tests
      Writes the tests into tests/IR-2, a thousand a folder, and their
      expected outputs into tests/IR-2/IR-2.log, as `farside litmus` and
      `farside litmus diff` read them.

  farside forge --rule LO --procs 3 --actions 11 --out tests
      A run that was interrupted goes on where it was.

  farside forge --procs 2 --actions 13 --out tests --archive
      Millions of tests: a compressed archive for each rule.

  farside forge --cycle PodPP+Rfe+PodRR+Fre | farside litmus --model all -
      The test whose outcome needs this cycle: two puts, seen the other way
      round. Edges are Rf, Fr, Co with e (another process) or i (the same
      one); and Po, Flush, FlushLocal, Wait with d (another location) or s
      (the same one) and two letters for the accesses: R load, W store,
      G get, P put, A rga.

  farside forge --edges PodPP,FlushdPP,PodRR,Rfe,Fre --out cycles
      The tests of all cycles of up to four of these edges.

What is a test: a program and a reads-from that coreRMA forbids, but not
without one edge that the rule makes; every writer has a local read of its
variable, into a register of its own; what is stored is distinct. Each test
comes once, whatever its processes, variables, registers and values are called.
The size counts actions, first values among them.

The paper leaves details open, and its tests are not published: its numbers
cannot be expected to come out. The options below change what is open;
the crate farside-forge says what is taken where, and why.

Exit status:
  0    done
  2    wrong usage or bad input (a folder made with other options, ...)
  101  a bug of farside";

/// `farside forge`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ForgeArguments {
    /// The rules that tests exercise (default with --procs or --actions: all of them)
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) rule: Vec<PivotRule>,
    /// Every row of Table 6: all rules, 1 and 2 processes, the paper's sizes
    #[arg(long, conflicts_with_all = ["rule", "procs", "actions"])]
    pub(crate) all: bool,
    /// Numbers of processes (default: 1,2)
    #[arg(long, value_name = "N", value_delimiter = ',',
        value_parser = clap::value_parser!(u8).range(1..=MOST_PROCESSES as i64))]
    pub(crate) procs: Vec<u8>,
    /// Most actions of a test (default: as in Table 6; for more than 2 processes, as for 2)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) actions: Option<u8>,
    /// The cycles that tests are asked for
    #[command(flatten)]
    cycles: CycleArguments,
    /// Write the tests and their expected outputs into DIR; go on there if an earlier run did not end
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Begin anew, whatever is in DIR
    #[arg(long, requires = "out")]
    pub(crate) restart: bool,
    /// Write the tests into one compressed archive a row, DIR/IR-2/IR-2.tar.gz, not into a file each, and compress the
    /// log
    #[arg(long, requires = "out", conflicts_with = "count")]
    pub(crate) archive: bool,
    /// Only count tests; compute no outputs, and write no tests: with --out, only how far it is
    #[arg(long)]
    pub(crate) count: bool,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = ForgeFormat::Text)]
    pub(crate) format: ForgeFormat,
    /// Write the table to FILE instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Do only shard I of N (from 1), and write its results to --output for `farside merge`
    #[arg(long, value_name = "I/N", requires = "output", conflicts_with = "out")]
    shard: Option<Shard>,
    /// Threads (default: one a core)
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// No progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How many local reads a variable has
    #[arg(long, value_enum, default_value_t = ReadsChoice::AsManyAsWriters, help_heading = "What the paper leaves \
        open")]
    pub(crate) reads: ReadsChoice,
    /// Most variables of a test
    #[arg(long, value_name = "N", help_heading = "What the paper leaves open")]
    pub(crate) variables: Option<u8>,
    /// Every process has a statement: none only owns variables
    #[arg(long, help_heading = "What the paper leaves open")]
    pub(crate) no_passive: bool,
    /// Processes need not have to do with one another
    #[arg(long, help_heading = "What the paper leaves open")]
    pub(crate) apart: bool,
    /// With several processes, remote statements may target their own process
    #[arg(long, help_heading = "What the paper leaves open")]
    pub(crate) self_targets: bool,
    /// In-order routing of a process to itself (default: yes with one process, no with more)
    #[arg(long, value_name = "BOOL", help_heading = "What the paper leaves open")]
    pub(crate) self_routing: Option<bool>,
    /// What is taken away of the rule: one edge, or all edges of one application (GA and CAS have several)
    #[arg(long, value_enum, default_value_t = RemovalChoice::Edge, help_heading = "What the paper leaves open")]
    pub(crate) removal: RemovalChoice,
    /// WS forbids an execution if neither order of two writes fits, or if one does not
    #[arg(long, value_enum, default_value_t = WritesChoice::BothWays, help_heading = "What the paper leaves open")]
    pub(crate) writes: WritesChoice,
    /// The rule of an edge of a compare and swap whose comparison depends on its own result
    #[arg(long, value_enum, default_value_t = CircularChoice::None, help_heading = "What the paper leaves open")]
    pub(crate) circular: CircularChoice,
}

/// Forms of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForgeFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How many local reads a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReadsChoice {
    /// One from each writer, as in every printed test
    AsManyAsWriters,
    /// One from each writer at least
    AtLeast,
}

/// What is taken away of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RemovalChoice {
    /// One edge
    Edge,
    /// All edges of one application
    Application,
}

/// When WS forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WritesChoice {
    /// If neither order of two writes fits
    BothWays,
    /// If one of them does not
    OneWay,
}

/// The rule of a comparison that depends on its own result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CircularChoice {
    /// None: no execution has such values
    None,
    /// CAS-F: what is not known to be equal is unequal
    CasF,
}

impl ForgeArguments {
    /// What is asked for by cycles.
    pub(super) fn cycles(&self) -> &CycleArguments {
        &self.cycles
    }

    /// Whether no tests are asked for, neither by rules and sizes nor by cycles.
    pub(super) fn ask_for_nothing(&self) -> bool {
        let by_rules = self.all || !self.rule.is_empty() || !self.procs.is_empty() || self.actions.is_some();
        !by_rules && !self.cycles.are_asked_for()
    }

    /// The shard that is to be done, if not all is. Its arguments are no part of the question.
    pub(super) fn cut(&mut self) -> Result<Option<Cut>, Fault> {
        Cut::of(&mut self.shard, &mut self.output)
    }

    /// How rows are made.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            out: self.out.clone(),
            content: match (self.count, self.archive) {
                (true, _) => Content::Counts,
                (false, true) => Content::Archive,
                (false, false) => Content::Files,
            },
            restart: self.restart,
            threads: self.threads,
        }
    }

    /// The rows that are meant, in the order of Table 6.
    pub(super) fn rows(&self) -> Vec<Wanted> {
        let processes = if self.procs.is_empty() {
            &[1, 2]
        } else {
            &self.procs[..]
        };
        PivotRule::ALL
            .into_iter()
            .filter(|rule| self.rule.is_empty() || self.rule.contains(rule))
            .flat_map(|rule| processes.iter().map(move |&processes| (rule, processes)))
            .map(|(rule, processes)| self.row(rule, processes))
            .collect()
    }

    fn row(&self, rule: PivotRule, processes: u8) -> Wanted {
        let printed = || table::row_of(rule, processes.min(2)).map_or(0, |row| row.size);
        let size = self.actions.unwrap_or_else(printed);
        let usual = Definition::new(processes, Bounds::one(rule, size));
        let definition = Definition {
            reads: match self.reads {
                ReadsChoice::AsManyAsWriters => Reads::AsManyAsWriters,
                ReadsChoice::AtLeast => Reads::AtLeast,
            },
            variables: self.variables,
            passive: !self.no_passive,
            interacting: !self.apart,
            self_targets: usual.self_targets || self.self_targets,
            routing_to_self: self.self_routing.unwrap_or(usual.routing_to_self),
            removal: match self.removal {
                RemovalChoice::Edge => Removal::Edge,
                RemovalChoice::Application => Removal::Application,
            },
            sequentiality: match self.writes {
                WritesChoice::BothWays => Sequentiality::BothWays,
                WritesChoice::OneWay => Sequentiality::OneWay,
            },
            self_dependence: match self.circular {
                CircularChoice::None => SelfDependence::NeitherRule,
                CircularChoice::CasF => SelfDependence::CasF,
            },
            ..usual
        };
        Wanted {
            rule,
            size,
            definition,
        }
    }
}
