//! Checking what types cannot see: conflicts at the target.
//!
//! Two ranks that put to one element in one epoch, a get that meets a put, a message that says "it is there" before a
//! flush has made it so: such programs compile, and work on most days. Under the check, every call of a program is
//! recorded with its place in the source, and a race detector says which two accesses nothing orders, and which call is
//! missing. It is the detector of `farside check`, and its report. What it says holds for all schedules with the same
//! order of synchronisation, not only for what happened to meet in this run.
//!
//! # How to run it
//!
//! | program | how |
//! |---|---|
//! | ranks that are processes | `farside run --check -n 4 ./program`, or `FARSIDE_CHECK=1 farside run -n 4 ./program`; with `--hosts a,b` too |
//! | started by something else | `farside check -- mpirun -n 4 ./program` |
//! | [`simulate`](crate::simulate()), [`threads`](crate::threads), in tests too | `FARSIDE_CHECK=1 cargo test`: the report goes to stderr, and the call gives [`Error::Conflicts`] |
//! | a test that is to look at the findings | [`check::simulate`](simulate), [`check::threads`](threads) |
//!
//! ```
//! use farside::check;
//!
//! // Both ranks put to element 0 of rank 0.
//! let checked = check::simulate(2, |world| {
//!     let mut window = farside::Window::<u32>::allocate(world, 1)?;
//!     window.fence(|epoch| epoch.put_value(world.rank(), 0, 0))?;
//!     window.free()
//! })?;
//! checked.result?;
//! let [race] = &checked.report.findings[..] else { panic!("one race") };
//! assert_eq!(race.parties[0].operation, "put");
//! assert_ne!(race.parties[0].rank, race.parties[1].rank);
//! # Ok::<(), farside::Error>(())
//! ```
//!
//! # What is seen
//!
//! - All operations, at their targets: element by element, with layouts.
//! - Loads and stores by [`Cells`](crate::Cells), one by one.
//! - [`Epoch::direct_slice`](crate::Epoch::direct_slice) and `direct_slice_mut` as a load or store of all that the
//!   program promised about, when they are called; [`lock_local`](crate::Window::lock_local) as a store of all.
//! - Origin buffers that are window memory, which takes one of the two above.
//!
//! Not seen, for it cannot conflict: other origin buffers, and slices that a window lends between epochs. The compiler
//! keeps others away from them.
//!
//! # What orders
//!
//! What the documentation of a call promises, and no more: the time at which something happened to happen does not
//! count. Fences (their ends, and of `fence-neighbour` the neighbours only), exposures, messages and collective calls;
//! locks, as far as one holder has seen what another one did;
//! an atomic operation that fetches what another rank left; [`wait_notice`](crate::Epoch::wait_notice), for the
//! elements of its put and all that was complete before it; and [`wait_until`](crate::Epoch::wait_until), for the
//! element and all that was complete before it was written. A loop over [`Cells::load`](crate::Cells::load) does not
//! order: against a put it is a race (of one element, MPI-4.1 §12.7), so say `wait_until`.
//!
//! Two atomic operations on one element do not conflict if they are of one rank, for these take effect in the order of
//! their calls, if they are the same one, or if one of them is [`NoOp`](crate::Operation::NoOp) or a compare-and-swap;
//! else they do, as in MPI (`accumulate_ops`, MPI-4.1 §12.2.1), though each is atomic here: what comes out depends on
//! their order.
//!
//! # Limits
//!
//! 1. Processes of other hosts are recorded where `farside run --hosts` or `farside check -- mpirun` starts them: a
//!    collector brings what they record. Another way to start them leaves them out, and the report says so. Between
//!    hosts, order that only values tell is not always found: the report says `order-unknown`, and of locks that are
//!    made of words that come back to an old value, it may name a race that is none.
//! 2. Threads that share the [`Cells`](crate::Cells) of a rank count as the rank. What they do while it synchronises
//!    may be taken to be ordered: races may be missed, and none is invented.
//! 3. Loads and stores through [`Cells::as_ptr`](crate::Cells::as_ptr) are not seen.
//! 4. A child that a rank forks, and that runs on without `exec`, must not use the world.

use crate::watch::Judge;
use crate::{Error, Result, World, in_process};
use farside_report::Color;
use farside_report::findings::{no_sources, text};
use std::panic::Location;

pub use farside_findings::{ByteRange, Finding, Party, Place, Report, Rule, Severity};

/// What a run gave, and what was found in it.
#[derive(Debug)]
pub struct Checked<R> {
    /// What the ranks returned, or why not. Findings are no errors here.
    pub result: Result<Vec<R>>,
    /// The report of `farside check`, as data.
    pub report: Report,
}

impl<R> Checked<R> {
    /// The report as `farside check` prints it.
    #[must_use]
    pub fn text(&self) -> String {
        text::render(&self.report, Color::Never, &no_sources)
    }
}

/// As [`crate::simulate()`], under the check.
///
/// # Errors
/// The system starts no thread for the detector.
#[cfg(feature = "sim")]
#[track_caller]
pub fn simulate<R>(ranks: u32, program: impl Fn(&World) -> Result<R>) -> Result<Checked<R>> {
    use farside_fabric_sim::{Network, Simulation};
    simulate_with(Simulation::new(&Network::ethernet_100g(), ranks), program)
}

/// As [`crate::simulate_with`], under the check.
///
/// # Errors
/// As for [`simulate`].
#[cfg(feature = "sim")]
#[track_caller]
pub fn simulate_with<R>(
    simulation: farside_fabric_sim::Simulation,
    program: impl Fn(&World) -> Result<R>,
) -> Result<Checked<R>> {
    let place = Location::caller();
    judged(|judge| in_process::simulate_under(simulation, program, Some(judge), place))
}

/// As [`crate::threads`], under the check.
///
/// # Errors
/// As for [`simulate`].
///
/// # Panics
/// A rank panicked.
#[cfg(feature = "shm")]
#[track_caller]
pub fn threads<R: Send>(ranks: u32, program: impl Fn(&World) -> Result<R> + Sync) -> Result<Checked<R>> {
    let place = Location::caller();
    judged(|judge| in_process::threads_under(ranks, program, Some(judge), place))
}

fn judged<R>(run: impl FnOnce(&Judge) -> Result<Vec<R>>) -> Result<Checked<R>> {
    let (result, report) = Judge::judge(run)
        .map_err(|error| Error::Start(format!("no thread for the race detector: {error}")))?;
    Ok(Checked { result, report })
}

/// Findings as an error, and the report on stderr.
pub(crate) fn as_error<R>(checked: Checked<R>) -> Result<Vec<R>> {
    if !checked.report.findings.is_empty() {
        eprintln!("{}", checked.text());
    }
    let findings = checked.report.findings.len();
    let values = checked.result?;
    if findings > 0 {
        return Err(Error::Conflicts { findings });
    }
    Ok(values)
}
