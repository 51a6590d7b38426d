//! Being asked to end: the first signal ends the program and the judging, and the report is made of what there is; the
//! second one ends everything at once.
//!
//! Promise: however much is still to be judged, the report of the first comes within two seconds (what is judged,
//! looked up and waited for is bounded by the time since the signal); after either, nothing that the command started on
//! this host lives, and the spool is gone unless it is kept.

use farside_processes::signals;
use signal_hook::consts::signal::SIGKILL;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// From the signal on, how long events are still judged.
pub(crate) const TIME_TO_JUDGE: Duration = Duration::from_secs(1);
/// From the signal to the report, even if the command has not ended.
pub(crate) const TIME_TO_REPORT: Duration = Duration::from_millis(1500);
/// From the signal on, how long source lines are still looked up.
const TIME_TO_LOOK_UP: Duration = Duration::from_millis(1900);
/// From the signal to SIGKILL.
pub(crate) const TIME_TO_OBEY: Duration = Duration::from_secs(10);
/// Signals this close are one request: `timeout` sends one to its child, and then to the group that the child is in.
const ONE_REQUEST: Duration = Duration::from_millis(300);

/// What is known of requests to end this process.
#[derive(Debug)]
pub(crate) struct Interrupt {
    first: OnceLock<Instant>,
    /// The spool to remove.
    spool: Mutex<Option<PathBuf>>,
    /// The exit status of this process after the second request.
    status: u8,
}

impl Interrupt {
    /// Nobody has asked yet. `status` is the exit status of this process when somebody has asked twice.
    pub(crate) fn new(status: u8) -> Self {
        Self {
            first: OnceLock::new(),
            spool: Mutex::new(None),
            status,
        }
    }

    /// When we were first asked to end.
    pub(crate) fn since(&self) -> Option<Instant> {
        self.first.get().copied()
    }

    /// Whether the report must be shown now, without whatever takes longer.
    pub(crate) fn is_late(&self) -> bool {
        self.since()
            .is_some_and(|first| first.elapsed() >= TIME_TO_LOOK_UP)
    }

    /// The folder that is to go at the second signal; `None`: there is none, or none any more.
    pub(crate) fn remove_at_once(&self, spool: Option<PathBuf>) {
        *self.spool.lock().unwrap_or_else(PoisonError::into_inner) = spool;
    }

    /// Returns unless a second request is ending everything, this process included.
    pub(crate) fn stand_by(&self) {
        drop(self.spool.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// We are asked to end. Returns whether for the first time; for the second time, does not return.
    pub(crate) fn asked(&self) -> bool {
        let mut first = false;
        let since = self.first.get_or_init(|| {
            first = true;
            Instant::now()
        });
        if !first && since.elapsed() >= ONE_REQUEST {
            // Held to the end: who sees the command end by our SIGKILL makes no report of it.
            let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
            end_all();
            if let Some(spool) = spool.take() {
                farside_spool::folder::remove(&spool);
            }
            std::process::exit(self.status.into());
        }
        first
    }
}

/// Ends everything that the command has started and that still lives. What was started while we looked is seen at the
/// next look; what does not end after some sleeps in the kernel.
pub(crate) fn end_all() {
    for _ in 0..20 {
        if signals::send_to_descendants(SIGKILL) == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
