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
    /// One for each thread: whoever comes after it comes after what the thread called before.
    latest: Vec<(Component, Epoch, Called)>,
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
    pub(crate) fn call(&mut self, threads: &Threads, caller: &Caller, name: Name) -> Option<RawFinding> {
        let process = self.processes.get_mut(&caller.rank())?;
        if !is_of_mpi(&name) {
            return None;
        }
        let called = Called {
            name,
            site: caller.site(),
            thread: caller.thread().thread(),
        };
        match process.level {
            ThreadLevel::Single | ThreadLevel::Funneled => process.by_another(&called),
            ThreadLevel::Serialized => process.at_once(threads, caller.component(), called),
        }
    }
}

impl OfProcess {
    /// A call of a thread that did not initialise MPI.
    fn by_another(&mut self, called: &Called) -> Option<RawFinding> {
        let main = self.initialised.thread;
        if called.thread == main || !self.told.insert([main, called.thread]) {
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
            .filter(|(_, _, other)| other.thread != called.thread);
        let told = &mut self.told;
        let unordered = others.find(|(_, at, other)| {
            let pair = [other.thread.min(called.thread), other.thread.max(called.thread)];
            !clock.covers(*at) && told.insert(pair)
        });
        let found = unordered.map(|(_, _, other)| {
            let parties = vec![other.party(), called.party()];
            let advice = RawSuggestion::note(Note::OneCallAtATime);
            RawFinding::misuse(Misuse::NotSerialized, None, parties).with(advice)
        });
        let now = threads.now(component);
        match self.latest.iter_mut().find(|(of, ..)| *of == component) {
            Some(latest) => *latest = (component, now, called),
            None => self.latest.push((component, now, called)),
        }
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
