//! The arguments of every subcommand. Parsing only: what they mean is decided by the subcommand.

use crate::fault::Fault;
use crate::output::complain;
use crate::status::Status;
use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::io::{self, Write as _};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold());

const EXIT_STATUS: &str = "\
Exit status:
  0    clean
  1    findings
  2    wrong usage or bad input (no such program, unwritable output, ...)
  3    the checked program itself failed; its status and the findings so far are reported
  4    nothing was checked, or the result is inconclusive
  101  a bug of farside";

const COMPILER_EXAMPLES: &str = "\
Examples:
  farside cc mpicc -g -O2 heat.c -o heat
  farside cxx mpicxx -g -O2 -fopenmp mesh.cpp -o mesh
  farside fc mpifort -g -O2 heat.f90 -o heat
  make CC='farside cc mpicc' FC='farside fc mpifort'
  cmake -DCMAKE_C_COMPILER_LAUNCHER=\"farside;cc\" -DCMAKE_C_LINKER_LAUNCHER=\"farside;cc\" ..

Options before the compiler's name belong to farside, all others to the
compiler. The exit status is the compiler's.";

/// Answers what may happen at the far side of a put.
#[derive(Debug, Parser)]
#[command(name = "farside", version, styles = STYLES, max_term_width = 110, after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// Those of this process; ends it with what is wrong with them, or with the help that they ask for.
    pub(crate) fn of_this_process() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            // `help NAME` is `NAME --help`, and only the latter names commands that are spelled alike.
            let mut words: Vec<OsString> = std::env::args_os().collect();
            if error.kind() == ErrorKind::InvalidSubcommand && words.get(1).is_some_and(|word| word == "help")
            {
                words.remove(1);
                words.push("--help".into());
                end(&Self::try_parse_from(words).err().unwrap_or(error))
            }
            end(&error)
        })
    }
}

/// Says what is wrong with the arguments, or the help that they ask for, and ends this process. `Error::exit` takes no
/// notice of a stdout that cannot be written.
fn end(error: &clap::Error) -> ! {
    let written = error.print().and_then(|()| std::io::stdout().flush());
    std::process::exit(match written {
        Err(why) if !error.use_stderr() && why.kind() != io::ErrorKind::BrokenPipe => {
            complain(&Fault::Unwritable("stdout".into(), why));
            Status::Usage.number().into()
        }
        _ => error.exit_code(),
    })
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run an MPI program and report its memory-consistency errors
    ///
    /// Runs COMMAND, watches the one-sided communication (RMA) of every MPI process that it starts, and reports each
    /// pair of conflicting accesses that nothing orders, with both source lines, why they are unordered, and the call
    /// that is missing; and misuse of epochs, locks and windows.
    ///
    /// The report goes to stdout after the program's own output. A program that was not compiled with `farside cc`,
    /// `cxx` or `fc` is checked too, for conflicts among its MPI calls only.
    #[command(after_long_help = format!("{}\n\n{EXIT_STATUS}", crate::check::arguments::EXAMPLES))]
    Check(crate::check::arguments::CheckArguments),
    /// Run a C compiler so that loads and stores are seen by `farside check`
    Cc(CompilerArguments),
    /// Run a C++ compiler so that loads and stores are seen by `farside check`
    Cxx(CompilerArguments),
    /// Run a Fortran compiler so that loads and stores are seen by `farside check`
    Fc(CompilerArguments),
    /// Build a program so that its loads and stores are seen: make, CMake, configure, Meson
    ///
    /// Runs COMMAND with compilers that are found by their usual names (gcc, mpicc, gfortran, ...) replaced by
    /// `farside cc`, `cxx` and `fc`.
    Build(crate::wrappers::build::BuildArguments),
    /// List the MPIs, compilers and libraries of this machine, and what each missing piece switches off
    #[command(after_help = "Example:\n  farside doctor --format json > machine.json")]
    Doctor(DoctorArguments),
    /// Build and install what lies beside this command: its libraries and the reader of LLVM IR
    ///
    /// `cargo install farside-cli` installs the command alone. This builds the rest from the packages of the same
    /// release, with the cargo of the user, and puts it where the command looks for it. A package of farside has all of
    /// it.
    #[command(after_long_help = crate::setup::AFTER_HELP)]
    Setup(crate::setup::SetupArguments),
    /// Find the memory-consistency errors of a program without running it
    ///
    /// Compiles C, C++ or Fortran sources with clang or flang to LLVM IR, follows the processes of a small job through
    /// the code, and reports what `farside check` would report of such a run, with the same rules.
    #[command(after_long_help = crate::lint::arguments::AFTER_HELP)]
    Lint(crate::lint::arguments::LintArguments),
    /// Repair the findings of a report of check or lint in the sources
    ///
    /// Inserts, replaces or moves the calls that the report suggests, and shows the change as a unified diff, or
    /// applies it; with a COMMAND that builds and checks, goes on until the report is clean or nothing more helps.
    #[command(after_long_help = crate::fix::arguments::AFTER_HELP)]
    Fix(crate::fix::arguments::FixArguments),
    /// Measure what fences, collective calls and puts of the crate farside cost, simulated or here
    ///
    /// Runs the benchmarks of paper 002 with each design of the fence: over a virtual network in virtual time, among
    /// threads of this process, or among the processes of a job.
    #[command(after_long_help = crate::bench::arguments::AFTER_HELP)]
    Bench(crate::bench::arguments::BenchArguments),
    /// Say which outcomes a small one-sided program may have under a memory model, and why
    ///
    /// Reads litmus tests, computes all outcomes under each model, and judges the final condition. Folders and @lists
    /// are sets of tests.
    #[command(after_long_help = crate::litmus::arguments::AFTER_HELP)]
    Litmus(crate::litmus::arguments::LitmusArguments),
    /// Run litmus tests on a real MPI, OpenSHMEM or network, and compare what happens with a model
    ///
    /// Makes tests into few programs, launches them, counts outcomes; with --fit, finds the strongest model that allows
    /// them. After Dan et al. 2016, section 7.
    #[command(after_long_help = crate::conform::arguments::AFTER_HELP)]
    Conform(crate::conform::arguments::ConformArguments),
    #[command(hide = true)]
    ConformRanks(crate::conform::arguments::RanksArguments),
    /// Write all litmus tests up to a size that exercise a rule of coreRMA, with their expected outputs
    ///
    /// Bounded-exhaustive generation with a pivot rule, after Dan et al. 2016, section 6.1.
    #[command(after_long_help = crate::forge::arguments::AFTER_HELP)]
    Forge(crate::forge::arguments::ForgeArguments),
    /// Decide whether a PGAS program behaves as if sequentially consistent, and if not, which waits are missing
    ///
    /// Reads programs in the calculus of one-sided communication, or with the calls of SHMEM, ARMCI, GASNet, GPI or
    /// GASPI, and decides whether every computation has the happens-before relation of a sequentially consistent one.
    #[command(after_long_help = crate::robust::arguments::AFTER_HELP)]
    Robust(crate::robust::arguments::RobustArguments),
    /// Start the ranks of a program that uses the crate farside, on this host or on several
    ///
    /// Runs N processes of PROGRAM, which find one another by variables of the environment, forwards their output line
    /// by line, and sees that all of them end together.
    #[command(after_long_help = crate::run::arguments::AFTER_HELP)]
    Run(crate::run::arguments::RunArguments),
    #[command(hide = true)]
    RunGuard(crate::run::arguments::GuardArguments),
    #[command(hide = true)]
    RunAgent,
    /// Make of the shards of a run what one run would have written
    ///
    /// Reads the files that `farside forge`, `litmus`, `robust` or `conform` wrote with --shard, and writes the report
    /// of the one run, in the form that was asked for.
    #[command(after_long_help = crate::merge::arguments::AFTER_HELP)]
    Merge(crate::merge::arguments::MergeArguments),
    /// Explain one finding of a report: what, why, and how it is repaired
    #[command(after_help = crate::explain::finding::AFTER_HELP)]
    Explain(crate::explain::finding::ExplainArguments),
    /// Explain the rules that a finding can break
    #[command(after_help = "Example:\n  farside rules remote-race")]
    Rules(crate::explain::arguments::RulesArguments),
    /// Print the JSON schema of a report
    #[command(after_help = "Example:\n  farside schema litmus > litmus.schema.json")]
    Schema(crate::explain::arguments::SchemaArguments),
    /// Serve an editor at stdin and stdout: findings of lint, repairs, litmus tests (language server protocol)
    #[command(
        after_help = "Example, in Neovim:\n  vim.lsp.start({ name = 'farside', cmd = { 'farside', 'lsp' } })"
    )]
    Lsp,
    /// Open the book and the playground in a browser
    ///
    /// The playground answers what `farside litmus`, `robust` and `forge --cycle` answer, in the page itself. BROWSER
    /// says which browser; FARSIDE_DOCS, where the pages are, if they are not where `make site` or a package puts them.
    #[command(after_help = "Example:\n  BROWSER=firefox farside docs playground")]
    Docs(crate::docs::DocsArguments),
    /// Print what a shell needs to complete command lines
    #[command(after_help = "Example:\n  source <(farside completions bash)")]
    Completions(crate::manual::CompletionsArguments),
    /// Write the manual pages
    #[command(after_help = "Example:\n  farside man ~/.local/share/man/man1")]
    Man(crate::manual::ManArguments),
}

/// `farside cc`, `cxx`, `fc`: everything belongs to the compiler.
#[derive(Debug, Args)]
#[command(after_long_help = COMPILER_EXAMPLES)]
pub(crate) struct CompilerArguments {
    /// The compiler and its arguments, passed on as they are; launchers such as ccache may stand before the compiler
    #[arg(value_name = "COMPILER", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// `farside doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Form of the list
    #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
    pub(crate) format: DoctorFormat,
}

/// Forms of the doctor's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn each_command_shows_an_example() {
        for command in Arguments::command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let name = command.get_name();
            let example = help
                .split_once("Example")
                .is_some_and(|(_, after)| after.contains("farside"));
            assert!(command.is_hide_set() || example, "{name}: {help}");
        }
    }

    #[test]
    fn what_follows_the_compiler_belongs_to_the_compiler() {
        for flag in ["--help", "-h", "--version", "-o", "--color"] {
            let parsed = Arguments::try_parse_from(["farside", "cc", "mpicc", flag, "--", "x"]).unwrap();
            let Command::Cc(compiler) = parsed.command else {
                panic!("not cc")
            };
            assert_eq!(compiler.arguments, ["mpicc", flag, "--", "x"]);
        }
    }

    #[test]
    fn what_follows_the_program_belongs_to_the_program() {
        for line in [
            &["check", "mpirun", "-n", "2", "--first"][..],
            &["check", "--", "mpirun", "-n", "2", "--first"],
        ] {
            let parsed = Arguments::try_parse_from(std::iter::once(&"farside").chain(line)).unwrap();
            let Command::Check(check) = parsed.command else {
                panic!("not check")
            };
            assert_eq!(check.command, ["mpirun", "-n", "2", "--first"]);
            assert!(!check.judging.options().first);
        }
    }
}
