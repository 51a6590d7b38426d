//! Which threads of a process may call MPI, and when (MPI-4.1 §11.6.2).
//!
//! Calls that do nothing which others can learn of (`MPI_Comm_rank`, say) are not recorded, and so not judged; those
//! that any thread may make at any time (`MPI_Initialized`, `MPI_Query_thread`) are among them.

use crate::finding::{Misuse, Name, Note, RawFinding, RawParty, RawSuggestion, Site};
use crate::job::Caller;
use crate::order::Threads;
use farside_clocks::{Component, Epoch};
use farside_events::{Interface, Rank, ThreadId, ThreadLevel};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::sync::Arc;

/// The levels of the processes that have one.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    processes: HashMap<Rank, OfProcess>,
}

/// What a process may do, and what its threads called last.
#[derive(Debug)]
struct OfProcess {
    level: ThreadLevel,
    initialised: Called,
    /// Calls of which none comes after another: whoever comes after one comes after what came before it.
    latest: Vec<(Epoch, Called)>,
    /// The threads of which a finding tells: to say it of each of their calls would tell nothing new.
    told: HashSet<[ThreadId; 2]>,
}

/// A call, who made it and where.
#[derive(Clone, Debug)]
struct Called {
    name: Name,
    site: Site,
    thread: ThreadId,
}

impl Called {
    fn party(&self) -> RawParty {
        RawParty::call(self.name.clone(), self.site, self.thread, None)
    }
}

impl Levels {
    /// A thread has initialised MPI by a call of this name, which provides this level.
    pub(crate) fn initialise(&mut self, caller: &Caller, level: ThreadLevel, name: &str) {
        let initialised = Called {
            name: Name::Text(Arc::from(name)),
            site: caller.site(),
            thread: caller.thread().thread(),
        };
        let process = OfProcess {
            level,
            initialised,
            latest: Vec::new(),
            told: HashSet::default(),
        };
        self.processes.insert(caller.rank(), process);
    }

    /// A thread makes a call.
    pub(crate) fn call(
        &mut self,
        threads: &Threads,
        caller: &Caller,
        name: impl FnOnce() -> Name,
    ) -> Option<RawFinding> {
        let process = self.processes.get_mut(&caller.rank())?;
        let thread = caller.thread().thread();
        let is_serialized = process.level == ThreadLevel::Serialized;
        if !is_serialized && thread == process.initialised.thread {
            return None;
        }
        let called = Called {
            name: name(),
            site: caller.site(),
            thread,
        };
        if !is_of_mpi(&called.name) {
            return None;
        }
        match is_serialized {
            true => process.at_once(threads, caller.component(), called),
            false => process.by_another(&called),
        }
    }
}

impl OfProcess {
    /// A call of a thread that did not initialise MPI.
    fn by_another(&mut self, called: &Called) -> Option<RawFinding> {
        if !self.told.insert([self.initialised.thread, called.thread]) {
            return None;
        }
        let parties = vec![called.party(), self.initialised.party()];
        let advice = RawSuggestion::note(Note::ByTheMainThread);
        Some(RawFinding::misuse(Misuse::ByAnotherThread(self.level), None, parties).with(advice))
    }

    /// A call that does not come after the last one of another thread.
    fn at_once(&mut self, threads: &Threads, component: Component, called: Called) -> Option<RawFinding> {
        let clock = threads.clock(component);
        // What one thread runs comes one after the other.
        let mut others = self
            .latest
            .iter()
            .filter(|(_, other)| other.thread != called.thread);
        let told = &mut self.told;
        let unordered = others.find(|(at, other)| {
            let pair = [other.thread.min(called.thread), other.thread.max(called.thread)];
            !clock.covers(*at) && told.insert(pair)
        });
        let found = unordered.map(|(_, other)| {
            let parties = vec![other.party(), called.party()];
            let advice = RawSuggestion::note(Note::OneCallAtATime);
            RawFinding::misuse(Misuse::NotSerialized, None, parties).with(advice)
        });
        self.latest.retain(|(at, _)| !clock.covers(*at));
        self.latest.push((threads.now(component), called));
        found
    }
}

/// Whether a call of this name is one of MPI. What ends a library is not told apart by its name.
fn is_of_mpi(name: &Name) -> bool {
    match name {
        Name::Text(name) => name.starts_with("MPI_"),
        Name::CallOf(interface, _) => *interface == Interface::Mpi,
        _ => false,
    }
}
