//! The arguments of `farside lint`.

use super::reading::{self, Reading};
use crate::fault::Fault;
use crate::options::ReportArguments;
use crate::words::{Words, words};
use clap::Args;
use farside_lint::Inputs;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside lint heat.c
  farside lint main.c halo.c -- -Iinclude -DFAST
      Several sources are one program.

  farside lint --ranks 4 --possible mesh.cpp
  farside lint --args 'heat.in 10' --file heat.in=tests/small.in heat.c
      The program's arguments, and a file that it reads.

  farside lint build/compile_commands.json
      All sources of a project, with the options of its build.

  farside lint --confirm heat.c -- mpirun -n 2 ./heat
      Runs the program with the inputs that the findings name, and says which
      of them farside check confirms.

  farside lint --prove heat.c
      A proof that there is no race whatever the number of ranks, the smallest
      number with one, or the line that the proof does not follow.

  farside lint --format sarif -o heat.sarif heat.bc

Notes:
  Needs clang 19 (flang 19 for Fortran) and farside-llvm-front, which is built
  with farside. MPI's include folders come from mpicc, OpenSHMEM's from oshcc,
  after those of -I; for Fortran, farside has mpif.h and the modules mpi and
  mpi_f08 of its own.

  Without a main function, each function that no other one calls is analysed for
  itself, in every process, with arguments as an unknown caller might give them.

  A certain finding is an execution of the program with that many processes.
  Conditions on arguments, the environment and what is read are solved by z3, if
  it is installed: a finding names the inputs that lead to it. Conditions on
  other unknown values are tried both ways;
  what holds only if such a condition goes another way than the sample is a
  possible finding (--possible shows them), and so is what a program does on
  its way out after it has rejected its input.

  The report lists the one-sided and synchronising calls that no simulation
  reached, and what ended the simulations.

Exit status:
  0    clean
  1    findings
  2    wrong usage or bad input: no clang, a source with errors, IR of another
       version; what could be read is still reported
  4    no findings, but some one-sided or synchronising calls were not reached
       (0 with --partial);
       or nothing to analyse: no function that others could call;
       or --prove gave no proof
  101  a bug of farside";

/// A file that the program opens, and where its text is.
#[derive(Clone, Debug)]
struct InputFile {
    name: String,
    path: PathBuf,
}

fn input_file(text: &str) -> Result<InputFile, String> {
    let (name, path) = text.split_once('=').unwrap_or((text, text));
    if name.is_empty() || path.is_empty() {
        return Err(format!(
            "{text} is not NAME=PATH: what the program opens, and the file that it is"
        ));
    }
    Ok(InputFile {
        name: name.to_owned(),
        path: path.into(),
    })
}

/// An environment variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    value: String,
}

fn variable(text: &str) -> Result<Variable, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok(Variable {
            name: name.to_owned(),
            value: value.to_owned(),
        }),
        _ => Err(format!("{text} is not NAME=VALUE")),
    }
}

/// What the program is given when it starts, and what it reads.
#[derive(Debug, Args)]
pub(crate) struct Given {
    /// The program's arguments, as in a shell; without them, options that the program knows are tried
    #[arg(long, value_name = "ARGUMENTS", value_parser = words, allow_hyphen_values = true)]
    args: Option<Words>,
    /// What the program reads from its standard input
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A file that the program opens by this name, and where it is; PATH alone if both are the same
    #[arg(long, value_name = "NAME=PATH", value_parser = input_file)]
    file: Vec<InputFile>,
    /// An environment variable of the program, and its value
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<Variable>,
}

impl Given {
    /// The arguments, if they are known.
    pub(crate) fn arguments(&self) -> Option<Vec<String>> {
        self.args.as_ref().map(|words| words.all().to_vec())
    }

    /// The file that is the standard input, if it is known.
    pub(crate) fn stdin(&self) -> Option<&Path> {
        self.stdin.as_deref()
    }

    /// The texts that the program reads.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn inputs(&self) -> Result<Inputs, Fault> {
        let text =
            |path: &PathBuf| std::fs::read(path).map_err(|error| Fault::Unreadable(path.clone(), error));
        let mut inputs = Inputs::default();
        if let Some(path) = &self.stdin {
            inputs.set_standard(text(path)?);
        }
        for InputFile { name, path } in &self.file {
            inputs.add_file(name, text(path)?);
        }
        for Variable { name, value } in &self.env {
            inputs.set_variable(name, value);
        }
        Ok(inputs)
    }
}

/// `farside lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    /// Sources (.c, .cc, .cpp, .cxx, .f90, ...), LLVM IR (.ll, .bc), or compile_commands.json
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Options for the compiler; with --confirm, the command (after another -- if there are options, too)
    #[arg(value_name = "OPTION", last = true)]
    options: Vec<OsString>,
    /// Run the command after -- under `farside check`, with the inputs that each finding names, and say on stderr
    /// whether the run confirms it
    #[arg(long, requires = "options")]
    pub(crate) confirm: bool,
    /// Numbers of ranks to assume (default: what the program needs)
    #[arg(long = "ranks", visible_alias = "processes", short = 'n', value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) processes: Vec<u32>,
    #[command(flatten)]
    pub(crate) given: Given,
    /// Look for races for every number of ranks: a proof that there is none, or the smallest number with one
    #[arg(long)]
    prove: bool,
    /// No progress on stderr
    #[arg(long, short)]
    quiet: bool,
    /// Accept calls that were not reached: without findings, the status is 0 nevertheless
    #[arg(long)]
    pub(crate) partial: bool,
    /// Show what holds only if an unknown condition goes another way, too
    #[arg(long)]
    pub(crate) possible: bool,
    /// Instructions to follow in one simulation (default: 1 million, and 128 for each instruction of the program;
    /// more where that is too few and there is time)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1000..))]
    pub(crate) steps: Option<u64>,
    /// Simulations for one number of processes
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) paths: u32,
    /// Seconds of processor time for all simulations together; the report says what was not tried for want of time
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    time: u64,
    /// Seconds for compiling or reading one file
    #[arg(long, value_name = "N", default_value_t = reading::SECONDS)]
    seconds: u64,
    /// Memory for reading one file, and for all simulations, in MiB
    #[arg(long, value_name = "MIB", default_value_t = reading::MEMORY, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Threads that simulate at once (default: one a core, at most 4); what is found does not depend on it
    #[arg(long, short = 'j', value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// The MPI compiler that knows where mpi.h is
    #[arg(long, value_name = "COMPILER", default_value = reading::MPICC)]
    mpicc: OsString,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

impl LintArguments {
    /// Whether races are looked for with any number of ranks.
    pub(super) fn asks_for_proof(&self) -> bool {
        self.prove
    }

    /// Threads that simulate at once; `None`: as many as suit the machine.
    pub(super) fn threads(&self) -> Option<std::num::NonZeroUsize> {
        self.threads
    }

    /// Whether nothing is said of what is being done.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Options for the compiler.
    pub(crate) fn compiler_options(&self) -> &[OsString] {
        self.after_dashes().0
    }

    /// The command that runs the program, with `--confirm`.
    pub(crate) fn command(&self) -> &[OsString] {
        self.after_dashes().1
    }

    /// What comes after `--`: options of the compiler, and the command.
    fn after_dashes(&self) -> (&[OsString], &[OsString]) {
        if !self.confirm {
            return (&self.options, &[]);
        }
        match self.options.iter().position(|word| word == "--") {
            Some(at) => (&self.options[..at], &self.options[at + 1..]),
            None => (&[], &self.options),
        }
    }

    /// How the sources are read.
    pub(super) fn reading(&self) -> Reading {
        Reading::new(self.mpicc.clone(), self.seconds, self.memory)
    }

    /// Processor time for all simulations together.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs(self.time)
    }
}
