//! What can be forgotten: accesses that nobody can race with any more.
//!
//! The memory of a process is reached by its own threads, and by those of the processes that share a window with it to
//! which it gives memory. What all of these know to be complete comes before everything that they do from now on.
//! Another process can reach the memory only through a window yet to be created, which is collective: whoever takes
//! part in it learns what the owner knows. So jobs whose processes work in groups, or by themselves on windows over
//! `MPI_COMM_SELF`, need not meet all together before anything is forgotten.
//!
//! Threads that have ended access nothing any more, and need not know anything.
//!
//! Limits: what destructors of thread-local values access comes after the end of their thread. A thread that uses a new
//! window without having learned of it from the thread that created it, a race on the handle, may miss what was
//! forgotten before.

use crate::job::Job;
use crate::order::Threads;
use crate::windows::Windows;
use farside_clocks::VectorClock;
use farside_events::Rank;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Who can reach the memory of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Reach {
    Everybody,
    Some(BTreeSet<Rank>),
}

/// What is known to all who can reach the memory of a process.
#[derive(Debug)]
pub(crate) struct Floors {
    owners: HashMap<Rank, Rc<VectorClock>>,
    everybody: VectorClock,
}

impl Floors {
    /// What is known now.
    pub(crate) fn now(threads: &Threads, job: &Job, windows: &Windows) -> Self {
        let reaches = reaches(threads, job, windows);
        let mut floors: HashMap<&Reach, Rc<VectorClock>> = HashMap::default();
        for reach in reaches.values() {
            if let Reach::Some(ranks) = reach {
                let floor = || Rc::new(threads.known_to_all(|rank| ranks.contains(&rank)));
                floors.entry(reach).or_insert_with(floor);
            }
        }
        let owners = reaches
            .iter()
            .filter_map(|(&owner, reach)| Some((owner, Rc::clone(floors.get(reach)?))));
        Self {
            owners: owners.collect(),
            everybody: threads.known_to_all(|_| true),
        }
    }

    /// What is known to all who can reach the memory of `owner`.
    pub(crate) fn of(&self, owner: Rank) -> &VectorClock {
        self.owners.get(&owner).map_or(&self.everybody, |floor| floor)
    }

    /// What is known to all threads.
    pub(crate) fn everybody(&self) -> &VectorClock {
        &self.everybody
    }
}

fn reaches(threads: &Threads, job: &Job, windows: &Windows) -> HashMap<Rank, Reach> {
    let alone = |rank| (Rank(rank), Reach::Some(BTreeSet::from([Rank(rank)])));
    let mut reaches: HashMap<Rank, Reach> = (0..threads.ranks()).map(alone).collect();
    for (owner, members) in windows.exposed() {
        let members = members.filter(|members| members.len() < job.size() as usize);
        match (reaches.get_mut(&owner), members) {
            (Some(Reach::Some(ranks)), Some(members)) => ranks.extend(members.iter().copied()),
            (Some(reach), None) => *reach = Reach::Everybody,
            _ => {}
        }
    }
    reaches
}
