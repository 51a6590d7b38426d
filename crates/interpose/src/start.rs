//! Where recording starts, whatever initialises the job: each process says that it is able to record before it enters
//! the call that initialises, and after it all processes agree whether they do (see [`farside_spool::Member`]).

use crate::guard;
use crate::memory;
use crate::recorder::{self, define};
use crate::speeds;
use farside_collect::node;
use farside_events::{EventKind, Interface, Rank, Shortfall};
use farside_processes::Stat;
use farside_spool::Member;
use farside_spool::agreement::Decides;
use farside_spool::processes::{self, Launched};
use std::sync::atomic::{AtomicU8, Ordering};

/// The libraries that the program has initialised and not finalised, a bit each: the recording ends with the last.
static OPEN: AtomicU8 = AtomicU8::new(0);

fn bit(library: Interface) -> u8 {
    1 << library as u8
}

/// Calls of this library are recorded from now on.
pub(crate) fn open(library: Interface) {
    OPEN.fetch_or(bit(library), Ordering::Relaxed);
}

/// Calls of this library end; says whether those of another go on.
pub(crate) fn close(library: Interface) -> bool {
    OPEN.fetch_and(!bit(library), Ordering::Relaxed) & !bit(library) != 0
}

/// Whether calls of this library are recorded.
pub(crate) fn is_open(library: Interface) -> bool {
    OPEN.load(Ordering::Relaxed) & bit(library) != 0
}

/// A process that is able to record.
pub(crate) struct Prepared {
    launched: Launched,
    /// `None`: the others do not know of it.
    member: Option<Member>,
}

/// Says that this process is able to record; `None` if it is not, or has begun already.
pub(crate) fn prepare() -> Option<Prepared> {
    let home = node::home()?;
    if !recorder::open() {
        return None;
    }
    let pid = std::process::id();
    let launched = Launched::of(pid);
    let slot = launched.rank.unwrap_or(pid);
    // An unknown launcher: its processes have it as their parent.
    let job = launched.job.clone().or_else(|| {
        let parent = Stat::of(pid)?.parent;
        let started = Stat::of(parent)?.started;
        Some(format!("parent {parent} {started} of {}", processes::machine()))
    });
    let decides = match home.is_brought() {
        true => Decides::Elsewhere,
        false => Decides::Here,
    };
    let member = job.and_then(|job| Member::join(home.folder(), &job, slot, decides));
    Some(Prepared { launched, member })
}

impl Prepared {
    /// This process does not record, for this reason.
    pub(crate) fn refuse(self, reason: &str) {
        self.member.inspect(Member::withdraw);
        recorder::refuse([EventKind::Shortfall(Shortfall::Internal(reason.into()))]);
    }

    /// This process records what `said` records, and nothing more: it has made a mistake before the job is initialised,
    /// so that the others cannot count on it.
    pub(crate) fn alone(self, library: &str, said: impl FnOnce()) {
        let Self { launched, member } = self;
        if let Some(member) = &member {
            member.withdraw();
        }
        let rank = launched.rank.unwrap_or(0);
        let size = launched.promised.map(|(_, size)| size).or(launched.here);
        let first = EventKind::Init {
            rank: Rank(rank),
            size: size.unwrap_or(1).max(rank + 1),
            pid: std::process::id(),
            library: library.into(),
        };
        recorder::say_alone(first, said);
    }

    /// The job is initialised: this process has this rank of so many. Says whether all record.
    pub(crate) fn begin(self, rank: u32, size: u32, library: Box<str>) -> bool {
        let Self { launched, member } = self;
        speeds::begin(rank);
        let first = EventKind::Init {
            rank: Rank(rank),
            size,
            pid: std::process::id(),
            library,
        };
        // One that is alone in its world has nobody to agree with.
        if size > 1 && !member.is_some_and(|member| member.all_record(size, launched.here)) {
            let why = Shortfall::NotAll {
                host: processes::host_name().into(),
                here: launched.here,
            };
            recorder::refuse([first, EventKind::Shortfall(why)]);
            return false;
        }
        crate::libc::initialise();
        let pages = memory::initialise();
        recorder::start(first);
        guard::initialise();
        if !pages {
            define(EventKind::Shortfall(Shortfall::NoPageTable));
        }
        true
    }
}
