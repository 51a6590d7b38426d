//! What can be forgotten: accesses that nobody can race with any more.
//!
//! The memory of a process is reached by its own threads, and by those of the processes that share a window with it to
//! which it gives memory. What all of these know to be complete comes before everything that they do from now on. Another
//! process can reach the memory only through a window yet to be created, which is collective: whoever
//! takes part in it learns what the owner knows. So jobs whose processes work in groups, or by themselves on windows over
//! `MPI_COMM_SELF`, need not meet all together before anything is forgotten.
//!
//! Threads that have ended access nothing any more, and need not know anything.
//!
//! Limits: what destructors of thread-local values access comes after the end of their thread. A thread that uses a new
//! window without having learned of it from the thread that created it, a race on the handle, may miss what was forgotten
//! before.

use crate::detector::{Detector, Forgetting};
use crate::job::{Job, Thread};
use farside_clocks::{Component, VectorClock};
use farside_events::{Rank, WindowFlavor};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Who can reach the memory of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Reach {
    Everybody,
    Some(BTreeSet<Rank>),
}

/// Components for which the smallest time that any thread knows is taken, times threads: more would cost too much.
const COMPARED: usize = 256 * 256;

impl Detector {
    /// Forgets accesses that nobody can race with any more.
    pub(crate) fn forget(&mut self) {
        let reaches = self.reaches();
        let everybody = Rc::new(self.job.known_to_all(|_| true));
        let mut floors: HashMap<&Reach, Rc<VectorClock>> = HashMap::new();
        for reach in reaches.values() {
            if let Reach::Some(ranks) = reach {
                let floor = || Rc::new(self.job.known_to_all(|thread| ranks.contains(&thread.rank)));
                floors.entry(reach).or_insert_with(floor);
            }
        }
        let floors: HashMap<Rank, Rc<VectorClock>> = reaches
            .iter()
            .filter_map(|(&owner, reach)| Some((owner, Rc::clone(floors.get(reach)?))))
            .collect();
        let now = self.timeline.advance();
        let all = self.options.forgetting == Forgetting::OfAll;
        self.memory.sweep(now, all, |owner| {
            Rc::clone(floors.get(&owner).unwrap_or(&everybody))
        });
        self.updates.forget(&everybody);
    }

    fn reaches(&self) -> HashMap<Rank, Reach> {
        let alone = |rank: usize| {
            let rank = Rank(rank as u32);
            (rank, Reach::Some(BTreeSet::from([rank])))
        };
        let mut reaches: HashMap<Rank, Reach> = (0..self.job.processes.len()).map(alone).collect();
        for window in self.windows.values() {
            let members = window
                .members
                .as_ref()
                .filter(|members| members.len() < self.job.size as usize);
            for (&owner, part) in &window.parts {
                // Memory may be attached to a dynamic window at any time; with the crate `farside` to any window, and it is
                // new then.
                let attached = window.attached.get(&owner).is_some_and(|all| !all.is_empty());
                if part.size == 0 && part.flavor != WindowFlavor::Dynamic && !attached {
                    continue;
                }
                match (reaches.get_mut(&owner), members) {
                    (Some(Reach::Some(ranks)), Some(members)) => ranks.extend(members.iter().copied()),
                    (Some(reach), None) => *reach = Reach::Everybody,
                    _ => {}
                }
            }
        }
        reaches
    }
}

impl Job {
    /// A clock that is known to all living threads chosen by `which`.
    fn known_to_all(&self, which: impl Fn(&Thread) -> bool) -> VectorClock {
        let lives = |thread: &&Thread| !thread.ended && which(thread);
        let threads: Vec<&Thread> = self.threads.iter().filter(lives).collect();
        let oldest = threads
            .iter()
            .min_by_key(|thread| thread.clock.base().generation());
        let mut floor = oldest.map_or_else(VectorClock::default, |thread| thread.clock.shared_part());
        // Small groups seldom make bases: take the smallest time that any thread knows of each component.
        if threads.len() * self.threads.len() <= COMPARED {
            for component in 0..self.threads.len() as Component {
                let known = threads.iter().map(|thread| thread.clock.get(component)).min();
                floor.raise(component, known.unwrap_or(0));
            }
        }
        floor
    }
}
