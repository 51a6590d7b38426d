//! Teams (OpenSHMEM 1.5 §9.4) and what their members do together.
//!
//! Who is in a team, the library says. A team is no more when one of its members destroys it; its handle may then be
//! that of another.

use super::collective::{Entered, Movement, Set};
use super::{After, Call, session};
use crate::abi::symbol;
use crate::machine::Both;
use crate::recorder::unknown_call;
use farside_calls::shmem::Collective;
use farside_events::{Direction, Rank, StackId};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Teams, by handle.
static TEAMS: Mutex<BTreeMap<usize, Set>> = Mutex::new(BTreeMap::new());
/// Handles of teams that are no more, and the calls that destroyed them.
static DESTROYED: Mutex<BTreeMap<usize, (&'static str, StackId)>> = Mutex::new(BTreeMap::new());

/// `shmem_team_sync(team)`, and the calls that make a team of some members of another: all members have come.
pub(super) fn meet(call: &Call) -> After {
    let team = of(call)?;
    let entered = Entered::of(call, team.comm(), Direction::All, call.stack());
    let made: &[usize] = match call.function().name() {
        "shmem_team_split_strided" => &[6],
        "shmem_team_split_2d" => &[4, 7],
        _ => &[],
    };
    Some(Box::new(move |call: &Call, result: Both| {
        let by = entered.identity();
        entered.leave();
        // Zero is success (§9.4.6).
        for place in made.iter().filter(|_| result.word as c_int == 0) {
            let at = call.word(*place) as *const usize;
            if at.is_null() {
                continue;
            }
            // SAFETY: the library has written a handle there.
            let handle = unsafe { at.read() };
            // A process that is no member has an invalid one.
            if let Some(members) = ask(handle) {
                let team = Set::split(by, *place as u64, members);
                teams().insert(handle, team);
                destroyed_teams().remove(&handle);
            }
        }
    }))
}

fn destroyed_teams() -> MutexGuard<'static, BTreeMap<usize, (&'static str, StackId)>> {
    DESTROYED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn teams() -> MutexGuard<'static, BTreeMap<usize, Set>> {
    TEAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `shmem_team_destroy(team)`.
pub(super) fn destroy(call: &Call) -> After {
    // The predefined ones stay, and what stands for none is none.
    if teams().remove(&call.word(0)).is_some() {
        destroyed_teams().insert(call.word(0), (call.function().name(), call.stack()));
    }
    None
}

/// The call that destroyed the team of this handle, if that was the last one of it.
pub(super) fn destroyed(handle: usize) -> Option<(&'static str, StackId)> {
    destroyed_teams().get(&handle).copied()
}

/// `(team, dest, source, nelems)`, with strides before the number (alltoalls), or a root after it (broadcast).
pub(super) fn move_data(call: &Call, what: Collective) -> After {
    let team = of(call)?;
    let strided = matches!(what, Collective::Alltoalls);
    let root = match what {
        Collective::Broadcast => Some(*team.members().get(usize::try_from(call.int(4)).ok()?)?),
        _ => None,
    };
    let elements = call.word(if strided { 5 } else { 3 });
    let strides = strided.then(|| (call.word(3), call.word(4)));
    let movement = Movement::new(what, elements, root, strides).on_a_team();
    movement.by(call, &team)
}

/// How many members the team has that is the first argument.
pub(super) fn size_of(call: &Call) -> Option<usize> {
    members_of(call).map(|members| members.len())
}

/// The members of the team that is the first argument.
pub(super) fn members_of(call: &Call) -> Option<Vec<Rank>> {
    of(call).map(|team| team.members().to_vec())
}

/// The team that is the first argument.
fn of(call: &Call) -> Option<Set> {
    let handle = call.word(0);
    if let Some(team) = teams().get(&handle) {
        return Some(team.clone());
    }
    let Some(members) = ask(handle) else {
        unknown_call(call.function().name());
        return None;
    };
    let team = Set::of(members);
    teams().insert(handle, team.clone());
    Some(team)
}

/// What the library says.
fn ask(team: usize) -> Option<Vec<Rank>> {
    let (count, translate) = (
        symbol::next(c"shmem_team_n_pes")?,
        symbol::next(c"shmem_team_translate_pe")?,
    );
    let world = world()?;
    // SAFETY: functions of the library with these signatures (§9.4.2, §9.4.4); a handle is a machine word.
    let (count, translate) = unsafe {
        (
            std::mem::transmute::<usize, extern "C-unwind" fn(usize) -> c_int>(count),
            std::mem::transmute::<usize, extern "C-unwind" fn(usize, c_int, usize) -> c_int>(translate),
        )
    };
    let members = (0..count(team)).map(|number| u32::try_from(translate(team, number, world)).ok().map(Rank));
    let members: Option<Vec<Rank>> = members.collect();
    members.filter(|members| !members.is_empty())
}

/// The team of all processes: a variable of Sandia's library, a number of its own in others.
fn world() -> Option<usize> {
    if let Some(variable) = symbol::next(c"SHMEM_TEAM_WORLD") {
        // SAFETY: a variable of the library that holds a handle.
        return Some(unsafe { (variable as *const usize).read() });
    }
    let name = session::name();
    match &*name {
        "Farside" => Some(1),
        name if name.starts_with("OSHMPI") => Some(0x9_0000),
        _ => None,
    }
}
