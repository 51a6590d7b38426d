//! Groups (GASPI 17.1 §6): which ranks meet.

use super::meeting::Meeting;
use super::{After, Call, SUCCESS};
use crate::abi::symbol;
use crate::mpi::mix;
use crate::recorder::define;
use farside_events::{CommId, EventKind, Rank};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `GASPI_GROUP_ALL`.
const ALL: u8 = 0;

/// A group of this rank.
#[derive(Clone, Debug, Default)]
struct Group {
    members: Vec<Rank>,
    /// What stands for it since it was committed, or since the first call that tried to.
    comm: Option<CommId>,
}

#[derive(Debug, Default)]
struct Groups {
    by_number: BTreeMap<u8, Group>,
    /// How often groups of these ranks were committed: they do it in one order.
    committed: BTreeMap<Vec<Rank>, u64>,
}

static GROUPS: Mutex<Groups> = Mutex::new(Groups {
    by_number: BTreeMap::new(),
    committed: BTreeMap::new(),
});

fn groups() -> MutexGuard<'static, Groups> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All ranks.
pub(super) fn world() -> CommId {
    CommId(mix([0]))
}

/// What stands for a group, if it is committed.
pub(super) fn comm(number: u8) -> Option<CommId> {
    match number {
        ALL => Some(world()),
        _ => groups().by_number.get(&number)?.comm,
    }
}

/// `gaspi_group_create(group)`.
pub(super) fn create() -> After {
    Some(Box::new(|call: &Call, code| {
        if code != SUCCESS {
            return;
        }
        // SAFETY: the library has written it.
        if let Some(number) = unsafe { call.result::<u8>(0) } {
            groups().by_number.insert(number, Group::default());
        }
    }))
}

/// `gaspi_group_add(group, rank)`.
pub(super) fn add() -> After {
    Some(Box::new(|call: &Call, code| {
        let rank = Rank(call.number(1));
        if code == SUCCESS
            && let Some(group) = groups().by_number.get_mut(&call.small(0))
            && !group.members.contains(&rank)
        {
            group.members.push(rank);
            group.members.sort_unstable();
        }
    }))
}

/// `gaspi_group_commit(group, timeout)`: its members meet.
pub(super) fn commit(call: &Call) -> After {
    let number = call.small(0);
    if number != ALL {
        prepare(number);
    }
    let meeting = Meeting::begin(call, (number, comm(number)), call.word(1), &[])?;
    Some(Box::new(move |_, code| meeting.end(code)))
}

/// Names a group that is to be committed; its number is another one at each member.
fn prepare(number: u8) {
    let mut groups = groups();
    let Groups { by_number, committed } = &mut *groups;
    let Some(group) = by_number.get_mut(&number) else {
        return;
    };
    if group.comm.is_some() || group.members.is_empty() {
        return;
    }
    let count = committed.entry(group.members.clone()).or_default();
    let numbers = group.members.iter().map(|member| u64::from(member.0));
    let comm = CommId(mix([13, *count].into_iter().chain(numbers)));
    *count += 1;
    group.comm = Some(comm);
    define(EventKind::Comm {
        id: comm,
        members: group.members.clone(),
    });
}

/// `gaspi_group_delete(group)`.
pub(super) fn delete() -> After {
    Some(Box::new(|call: &Call, code| {
        if code == SUCCESS {
            groups().by_number.remove(&call.small(0));
        }
    }))
}

/// A barrier of the library that the program does not know of: after it, all have told what they made.
pub(super) fn meet(number: u8) {
    if let Some(barrier) = symbol::next(c"gaspi_barrier") {
        // SAFETY: a function of the library with this signature (§11.2.1).
        unsafe {
            let barrier: unsafe extern "C-unwind" fn(u8, u64) -> i32 = std::mem::transmute(barrier);
            barrier(number, super::BLOCK);
        }
    }
}
