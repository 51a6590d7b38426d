//! `farside check`: run a program, watch its one-sided communication, report what is wrong.
//!
//! The work is that of the crate `farside-check`. Here are the arguments resolved (`settings`), what is said meanwhile
//! (this file), more runs made (`orders`), and the report shown (`present`).

pub(crate) mod arguments;
mod orders;
pub(crate) mod present;
pub(crate) mod settings;

use crate::fault::Fault;
use crate::fix;
use crate::output::{complain, say};
use crate::sources;
use crate::status::Status;
use arguments::CheckArguments;
use farside_check::{News, Verdict};
use farside_findings::{Layers, Report};
use settings::{Progress, Settings};

/// Whose calls the processes of the command make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// Those of MPI, by a library that is preloaded; or those of the crate `farside`, which needs none.
    OfMpi,
    /// Those of the crate only.
    OfTheCrate,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: CheckArguments, calls: Calls) -> Status {
    match check(arguments, calls) {
        Ok(status) => status,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

/// Says which layers were named in vain: a name with an error in it would be taken for a finding of the program's own.
pub(crate) fn tell_unseen(layers: &Layers, report: &Report) {
    for name in layers.unseen(&report.findings) {
        say!("farside: no frame of a finding is in the layer {name} (--layer)");
    }
}

fn check(arguments: CheckArguments, calls: Calls) -> Result<Status, Fault> {
    let settings = Settings::resolve(arguments, calls)?;
    let mut checked = farside_check::check(&settings.request, &mut |news| say(settings.progress, news))
        .map_err(|error| settings.fault(error))?;
    if settings.orders() > 0 {
        orders::run(&mut checked, &settings);
    }
    let unused = checked.suppress(&settings.suppressions);
    let named = sources::named_by(checked.report());
    checked.note_sources(named);
    checked.revise(fix::revised(checked.report()));
    // The report of a long run is not lost for tests that could not be written.
    let tests = settings.litmus().map(|litmus| litmus.tests(checked.report()));
    let untold = match tests {
        Some(Ok(tests)) => {
            checked.note_tests(tests);
            Ok(())
        }
        Some(Err(fault)) => Err(fault),
        None => Ok(()),
    };
    if settings.progress == Progress::Verbose {
        unused
            .iter()
            .for_each(|entry| say!("farside: nothing matches the suppression {entry}"));
    }
    let presented = present::present(&checked, &settings);
    let summary = farside_report::findings::text::summary(checked.report());
    let verdict = checked.verdict();
    if settings.progress != Progress::Quiet {
        tell_unseen(&settings.request.layers, checked.report());
    }
    let kept = checked.kept().map(|folder| folder.display().to_string());
    checked.wind_up();
    presented.and(untold)?;
    if settings.progress != Progress::Quiet {
        settings.output.tell(&summary);
    }
    if let Some(folder) = kept {
        say!("farside: the spool is kept in {folder}");
    }
    Ok(match verdict {
        Verdict::Clean => Status::Clean,
        Verdict::Findings => Status::Findings,
        Verdict::ProgramFailed => Status::ProgramFailed,
        Verdict::Inconclusive => Status::Inconclusive,
    })
}

/// Says on stderr what happens, if it is to be said.
fn say(progress: Progress, news: News<'_>) {
    match (progress, news) {
        (Progress::Verbose, News::Job { number, description }) => {
            say!("farside: job {number}: {description}");
        }
        (Progress::Verbose, News::Process { job, rank, pid }) => {
            say!("farside: job {job}: rank {rank} is process {pid}");
        }
        (Progress::Verbose | Progress::Normal, News::Behind { bytes }) => {
            say!("farside: {} MiB of events wait to be judged", bytes >> 20);
        }
        (Progress::Verbose | Progress::Normal, News::Ended { found }) => {
            say!("farside: the program has ended ({found} raw findings); making the report");
        }
        _ => {}
    }
}
