//! The time from the start of the command to the end of its last recording.
//!
//! Events are judged while the program runs, so that the spool stays small. When the program outruns us, chunks wait on
//! disk; when there are too many of them, the program waits, as `farside_spool::pace` says.

use crate::interrupt::{Interrupt, TIME_TO_JUDGE, TIME_TO_OBEY, TIME_TO_REPORT, end_all};
use crate::launch::{Notice, Notices};
use crate::request::News;
use crate::spool::Spool;
use farside_collect::Front;
use farside_processes::signals::{send, send_to_descendants};
use signal_hook::consts::signal::{SIGKILL, SIGTERM};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long events of one job are judged before signals and the command's end are looked at again.
const SLICE: Duration = Duration::from_millis(50);
/// Pauses between looks at the spool: short while something happens, longer while nothing does.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(50));
/// Events of one look after which the next one follows at once. Fewer, and we keep up: each look takes processor time
/// that the program may need.
const MANY: usize = 4096;
/// How long processes may outlive their command before their recordings are cut.
const AFTERMATH: Duration = Duration::from_secs(5);
/// From SIGTERM to SIGKILL after the time limit.
const TIME_TO_TERMINATE: Duration = Duration::from_secs(3);
/// How long events are judged after the time limit: a quarter of it, and this at least.
const TIME_AFTER_LIMIT: Duration = Duration::from_secs(10);

/// From the last event to a signal to us after which the processes may have waited for each other.
const QUIET: Duration = Duration::from_millis(500);
/// How long the last events before such a signal are waited for.
const TIME_FOR_THE_LAST: Duration = Duration::from_millis(200);

/// Between two words about how much waits to be judged, and from how much on there is one.
const BEHIND: (Duration, u64) = (Duration::from_secs(5), 32 << 20);

/// How the command came to its end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ended {
    /// Its status; `None` if it did not even obey SIGKILL, or, after a signal to us, has not ended yet.
    pub(crate) status: Option<ExitStatus>,
    /// We ended it at the time limit.
    pub(crate) limit: Option<Duration>,
    /// We were asked to end by this signal.
    pub(crate) interrupted: Option<i32>,
    /// No process did anything for [`QUIET`] before that signal, nor after it.
    quiet: bool,
}

impl Ended {
    /// Whether the processes had come to where each may wait for another: at the time limit, or when somebody who saw
    /// nothing happen ended them.
    pub(crate) fn is_hanging(&self) -> bool {
        self.limit.is_some() || self.quiet
    }
}

/// What is followed.
#[derive(Debug)]
pub(crate) struct Followed<'a> {
    /// The recordings.
    spool: &'a mut Spool,
    /// Those of other hosts come by it.
    front: Option<&'a Front>,
}

impl<'a> Followed<'a> {
    /// What is in this spool, and what comes to it from other hosts.
    pub(crate) fn new(spool: &'a mut Spool, front: Option<&'a Front>) -> Self {
        Self { spool, front }
    }
}

/// Follows the recordings until the command and all of them have ended; after a signal to us, not for long.
pub(crate) fn follow(
    notices: &Notices,
    interrupt: &Interrupt,
    child: u32,
    followed: &mut Followed<'_>,
    limit: Option<Duration>,
    tell: &mut dyn FnMut(News<'_>),
) -> Ended {
    let Followed { spool, front } = followed;
    let start = Instant::now();
    let mut ended = Ended::default();
    // When we were first asked to end.
    let mut signal_at = None;
    let mut command_end = None;
    // When everything that the command started gets SIGKILL.
    let mut kill_at = None;
    // When nothing more is judged after the time limit.
    let mut limit_end = None;
    let mut pause = PAUSES.0;
    let mut said = start;
    loop {
        let judged_until = interrupt.since().map(|first| first + TIME_TO_JUDGE).or(limit_end);
        let handed = spool.pump(SLICE, judged_until, tell);
        let busy = handed >= MANY;
        pause = match handed {
            0 => (pause * 2).min(PAUSES.1),
            _ => PAUSES.0,
        };
        if busy && said.elapsed() >= BEHIND.0 {
            said = Instant::now();
            let bytes = spool.unread();
            if bytes >= BEHIND.1 {
                tell(News::Behind { bytes });
            }
        }
        match notices.wait(if busy { Duration::ZERO } else { pause }) {
            Some(Notice::Ended(status)) => {
                interrupt.stand_by();
                ended.status = status.ok();
                command_end = Some(Instant::now());
            }
            Some(Notice::Signal { number, shared }) => {
                ended.interrupted = Some(number);
                signal_at.get_or_insert_with(monotonic);
                if !shared && command_end.is_none() {
                    send(child, number);
                }
            }
            None => {}
        }
        if let Some(limit) =
            limit.filter(|&l| ended.limit.is_none() && command_end.is_none() && start.elapsed() >= l)
        {
            ended.limit = Some(limit);
            spool.cut_after(monotonic());
            send_to_descendants(SIGTERM);
            kill_at = Some(Instant::now() + TIME_TO_TERMINATE);
            limit_end = Some(Instant::now() + TIME_AFTER_LIMIT.max(limit / 4));
        }
        if let Some(front) = front.filter(|_| command_end.is_some()) {
            front.finish();
        }
        let settled = front.is_none_or(Front::settled);
        if command_end.is_some() && settled {
            spool.close();
            // Look once more after the end was known: the last events were written before it.
            if spool.pump(SLICE, judged_until, tell) == 0 && spool.finished() {
                if ended.limit.is_some() {
                    send_to_descendants(SIGKILL);
                }
                ended.quiet = signal_at.is_some_and(|at| was_quiet(spool, at));
                return ended;
            }
        }
        if let Some(first) = interrupt.since().filter(|_| ended.interrupted.is_some()) {
            let patience = if command_end.is_some() {
                TIME_TO_JUDGE
            } else {
                TIME_TO_REPORT
            };
            if first.elapsed() >= patience {
                // Those that joined no whole job are judged as far as the time allows.
                spool.close();
                if let Some(at) = signal_at.filter(|&at| was_quiet(spool, at)) {
                    // Of events at about one time, the last ones wait for what other processes do next.
                    spool.cut_now(at);
                    let end = Instant::now() + TIME_FOR_THE_LAST;
                    while !spool.finished() && Instant::now() < end {
                        spool.pump(SLICE, Some(end), tell);
                    }
                    ended.quiet = was_quiet(spool, at);
                }
                return ended;
            }
        }
        if command_end.is_some() && limit_end.is_some_and(|end| Instant::now() >= end) {
            spool.close();
            send_to_descendants(SIGKILL);
            return ended;
        }
        if kill_at.is_some_and(|at| Instant::now() >= at) {
            send_to_descendants(SIGKILL);
            // What does not end now sleeps in the kernel; do not wait for it.
            kill_at = None;
            command_end.get_or_insert_with(Instant::now);
        }
        if settled && command_end.is_some_and(|end| end.elapsed() > AFTERMATH) {
            spool.cut_now(monotonic());
        }
    }
}

/// Whether nothing happened for [`QUIET`] before a signal, as far as events were judged, nor after it.
fn was_quiet(spool: &Spool, signal_at: u64) -> bool {
    let before = signal_at.saturating_sub(u64::try_from(QUIET.as_nanos()).unwrap_or(u64::MAX));
    spool.last_event().is_some_and(|last| last <= before)
}

/// After the report: a command that we were asked to end has some time to do so, and then ends with all that it
/// started.
pub(crate) fn wind_up(notices: &Notices, interrupt: &Interrupt, ended: &Ended) {
    let Some(first) = interrupt.since() else { return };
    if ended.status.is_none() && ended.limit.is_none() {
        let rest = TIME_TO_OBEY.saturating_sub(first.elapsed());
        let _ = notices.wait(rest);
    }
    end_all();
}

/// The clock that events are stamped with, in nanoseconds.
fn monotonic() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}
