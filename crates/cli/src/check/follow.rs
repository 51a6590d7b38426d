//! The time from the start of the command to the end of its last recording.
//!
//! Events are judged while the program runs, so that the spool stays small. The program is never held up: when it
//! outruns us, chunks wait on disk.

use super::launch::{Notice, Notices, signal, signal_all};
use super::spool::Spool;
use signal_hook::consts::signal::{SIGKILL, SIGTERM};
use std::process::ExitStatus;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Events of one job that are judged before signals and the command's end are looked at again.
const BUDGET: usize = 50_000;
/// Pauses between looks at the spool: short while something happens, longer while nothing does.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(50));
/// How long processes may outlive their command before their recordings are cut.
const AFTERMATH: Duration = Duration::from_secs(5);
/// From SIGTERM to SIGKILL after the time limit.
const TIME_TO_TERMINATE: Duration = Duration::from_secs(3);
/// From a forwarded signal to SIGKILL.
const TIME_TO_OBEY: Duration = Duration::from_secs(10);

/// How the command came to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    /// Its status; `None` if it did not even obey SIGKILL.
    pub(super) status: Option<ExitStatus>,
    /// We ended it at the time limit.
    pub(super) limit: Option<Duration>,
    /// We were asked to end by this signal.
    pub(super) interrupted: Option<i32>,
}

/// Follows the recordings until the command and all of them have ended.
pub(super) fn follow(notices: &Notices, child: u32, spool: &mut Spool, limit: Option<Duration>) -> Ended {
    let start = Instant::now();
    let mut ended = Ended {
        status: None,
        limit: None,
        interrupted: None,
    };
    let mut command_end = None;
    // When everything that the command started gets SIGKILL.
    let mut kill_at = None;
    let mut pause = PAUSES.0;
    loop {
        let busy = spool.pump(BUDGET) > 0;
        pause = match busy {
            true => PAUSES.0,
            false => (pause * 2).min(PAUSES.1),
        };
        match notices
            .receiver
            .recv_timeout(if busy { Duration::ZERO } else { pause })
        {
            Ok(Notice::Ended(status)) => {
                ended.status = status.ok();
                command_end = Some(Instant::now());
            }
            Ok(Notice::Signal { number, shared }) if ended.interrupted.is_none() => {
                ended.interrupted = Some(number);
                if !shared && command_end.is_none() {
                    signal(child, number);
                }
                kill_at = Some(Instant::now() + TIME_TO_OBEY);
            }
            // Asked twice: do not wait.
            Ok(Notice::Signal { .. }) => kill_at = Some(Instant::now()),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if let Some(limit) =
            limit.filter(|&l| ended.limit.is_none() && command_end.is_none() && start.elapsed() >= l)
        {
            ended.limit = Some(limit);
            spool.cut_after(monotonic());
            signal_all(SIGTERM);
            kill_at = Some(Instant::now() + TIME_TO_TERMINATE);
        }
        if command_end.is_some() {
            spool.close();
            // Look once more after the end was known: the last events were written before it.
            if spool.pump(BUDGET) == 0 && spool.finished() {
                if ended.limit.is_some() {
                    signal_all(SIGKILL);
                }
                return ended;
            }
        }
        if kill_at.is_some_and(|at| Instant::now() >= at) {
            signal_all(SIGKILL);
            // What does not end now sleeps in the kernel; do not wait for it.
            kill_at = None;
            command_end.get_or_insert_with(Instant::now);
        }
        if command_end.is_some_and(|end| end.elapsed() > AFTERMATH) {
            spool.cut_now(monotonic());
        }
    }
}

/// The clock that events are stamped with, in nanoseconds.
fn monotonic() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}
