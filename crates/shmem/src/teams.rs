//! Teams (OpenSHMEM 1.5 §9.4): which PEs they have, and how new ones come to be.
//!
//! The members of a parent agree on a block of words that is free at all of them, and so at all that will be in the new
//! team. Teams that are made at once by one split have no member in common, and share a number.
//!
//! Limits: 64 teams at a PE, with the two predefined ones; two threads of a PE do not make teams at the same time.

use crate::blocks;
use crate::call::Call;
use crate::contexts;
use crate::handle::Team;
use crate::meet::Group;
use crate::members::Members;
use crate::pe::Pe;
use farside_fabric::Rank;
use std::ffi::{c_int, c_long};
use std::sync::atomic::Ordering;

/// `SHMEM_TEAM_NUM_CONTEXTS`.
const NUM_CONTEXTS: c_long = 1;

/// `shmem_team_config_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TeamConfig {
    num_contexts: c_int,
}

/// `shmem_team_my_pe`: -1 for `SHMEM_TEAM_INVALID`.
///
/// # Safety
/// None is needed; handlers of calls are unsafe alike.
pub(crate) unsafe fn my_pe(call: Call, team: Team) -> c_int {
    let pe = Pe::of(call);
    match team {
        Team::INVALID => -1,
        team => pe.team(call, team).me() as c_int,
    }
}

/// `shmem_team_n_pes`: -1 for `SHMEM_TEAM_INVALID`.
///
/// # Safety
/// As for [`my_pe`].
pub(crate) unsafe fn n_pes(call: Call, team: Team) -> c_int {
    let pe = Pe::of(call);
    match team {
        Team::INVALID => -1,
        team => pe.team(call, team).size() as c_int,
    }
}

/// `shmem_team_translate_pe`: -1 if the PE is in one of the teams only, or a team is invalid.
///
/// # Safety
/// As for [`my_pe`].
pub(crate) unsafe fn translate_pe(call: Call, from: Team, number: c_int, to: Team) -> c_int {
    let pe = Pe::of(call);
    if from == Team::INVALID || to == Team::INVALID {
        return -1;
    }
    let (from, to) = (pe.team(call, from).ranks(), pe.team(call, to).ranks());
    let rank = usize::try_from(number).ok().and_then(|number| from.get(number));
    rank.and_then(|rank| to.iter().position(|other| other == rank))
        .map_or(-1, |number| number as c_int)
}

/// `shmem_team_get_config`: not 0 for `SHMEM_TEAM_INVALID`.
///
/// # Safety
/// `config` is valid for a write, if the mask names a field.
pub(crate) unsafe fn get_config(call: Call, team: Team, mask: c_long, config: *mut TeamConfig) -> c_int {
    let pe = Pe::of(call);
    if team == Team::INVALID {
        return 1;
    }
    let members = pe.team(call, team);
    if mask & NUM_CONTEXTS != 0 {
        // SAFETY: by the caller.
        unsafe { (*config).num_contexts = members.num_contexts() };
    }
    0
}

/// What a configuration asks for, of the fields that its mask names.
///
/// # Safety
/// `config` is null or valid for a read.
unsafe fn asked(config: *const TeamConfig, mask: c_long) -> c_int {
    match mask & NUM_CONTEXTS != 0 && !config.is_null() {
        // SAFETY: by the caller.
        true => unsafe { (*config).num_contexts },
        false => 0,
    }
}

/// `shmem_team_split_strided`: not 0 if there is no such team.
///
/// # Safety
/// `config` is null or valid, `new_team` valid for a write.
pub(crate) unsafe fn split_strided(
    call: Call,
    parent: Team,
    start: c_int,
    stride: c_int,
    size: c_int,
    config: *const TeamConfig,
    mask: c_long,
    new_team: *mut Team,
) -> c_int {
    Pe::of(call);
    // SAFETY: by the caller.
    unsafe { new_team.write(Team::INVALID) };
    let Some(group) = Group::of_team(call, parent) else {
        return 1;
    };
    let Some(ranks) = strided(group.ranks(), (start, stride, size)) else {
        return 1;
    };
    // SAFETY: by the caller.
    let contexts = unsafe { asked(config, mask) };
    match split(&group, ranks, contexts) {
        Some(team) => {
            // SAFETY: by the caller.
            unsafe { new_team.write(team) };
            0
        }
        None => 1,
    }
}

/// Members of a parent, from a number on, in steps; `None`: there are not so many, or one would be there twice.
fn strided(parent: &[Rank], (start, stride, size): (c_int, c_int, c_int)) -> Option<Vec<Rank>> {
    if size < 1 || (stride == 0 && size > 1) {
        return None;
    }
    (0..i64::from(size))
        .map(|step| usize::try_from(i64::from(start) + step * i64::from(stride)).ok())
        .map(|number| parent.get(number?).copied())
        .collect()
}

/// Makes a team of members of a group: all of the group call it. `None`: there is no room for another team;
/// `SHMEM_TEAM_INVALID` for who is not in it.
fn split(group: &Group, ranks: Vec<Rank>, num_contexts: c_int) -> Option<Team> {
    let pe = group.pe();
    let in_use = pe
        .teams()
        .all()
        .iter()
        .fold(0_u64, |bits, (_, team)| bits | 1 << team.block());
    let free = group.word(blocks::FREE);
    pe.word(free).store(!in_use, Ordering::Release);
    group.sync();
    let mut all = !in_use;
    for member in 0..group.size() {
        let (target, mut theirs) = (group.target(member), 0_u64);
        // SAFETY: the word lives until the get is complete.
        target.complete(unsafe { target.get((&raw mut theirs).cast(), free, 8) });
        all &= theirs;
    }
    // Nobody writes the word again before all have read it.
    group.sync();
    let block = all.trailing_zeros() as usize;
    if block >= blocks::BLOCKS {
        return None;
    }
    if !ranks.contains(&pe.rank()) {
        return Some(Team::INVALID);
    }
    let scope = group.call().check(pe.fabric().open_scope());
    let members = Members::new(ranks, pe.rank(), block, scope, num_contexts);
    Some(Team::new(pe.teams().insert(members)))
}

/// `shmem_team_split_2d`: rows of `xrange` PEs, and columns. Not 0 if a team could not be made.
///
/// # Safety
/// Configurations are null or valid, teams valid for writes.
pub(crate) unsafe fn split_2d(
    call: Call,
    parent: Team,
    xrange: c_int,
    xaxis_config: *const TeamConfig,
    xaxis_mask: c_long,
    xaxis_team: *mut Team,
    yaxis_config: *const TeamConfig,
    yaxis_mask: c_long,
    yaxis_team: *mut Team,
) -> c_int {
    Pe::of(call);
    // SAFETY: by the caller, here and below.
    unsafe {
        xaxis_team.write(Team::INVALID);
        yaxis_team.write(Team::INVALID);
    }
    let Some(group) = Group::of_team(call, parent) else {
        return 1;
    };
    let Some(width) = usize::try_from(xrange).ok().filter(|&width| width > 0) else {
        return 1;
    };
    let width = width.min(group.size());
    let (row, column) = (group.me() / width, group.me() % width);
    let across = group
        .ranks()
        .iter()
        .skip(row * width)
        .take(width)
        .copied()
        .collect();
    let down = group
        .ranks()
        .iter()
        .skip(column)
        .step_by(width)
        .copied()
        .collect();
    // SAFETY: by the caller.
    let (x_contexts, y_contexts) =
        unsafe { (asked(xaxis_config, xaxis_mask), asked(yaxis_config, yaxis_mask)) };
    let Some(x) = split(&group, across, x_contexts) else {
        return 1;
    };
    // SAFETY: by the caller.
    unsafe { xaxis_team.write(x) };
    let Some(y) = split(&group, down, y_contexts) else {
        return 1;
    };
    // SAFETY: by the caller.
    unsafe { yaxis_team.write(y) };
    0
}

/// `shmem_team_destroy`: completes and destroys the contexts of the team, too.
///
/// # Safety
/// As for [`my_pe`].
pub(crate) unsafe fn destroy(call: Call, team: Team) {
    let pe = Pe::of(call);
    match team {
        Team::INVALID => {}
        Team::WORLD | Team::SHARED => call.misuse("a predefined team cannot be destroyed"),
        team => {
            if let Some(group) = Group::of_team(call, team) {
                contexts::destroy_of_team(call, team);
                group.complete();
                // What the last round has sent.
                call.check(pe.fabric().flush(group.scope(), None));
                pe.teams().remove(team.handle());
                call.check(pe.fabric().close_scope(group.scope()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_through_a_parent() {
        let parent = [10, 11, 12, 13, 14];
        assert_eq!(strided(&parent, (0, 2, 3)), Some(vec![10, 12, 14]));
        assert_eq!(strided(&parent, (4, -1, 5)), Some(vec![14, 13, 12, 11, 10]));
        assert_eq!(strided(&parent, (3, 0, 1)), Some(vec![13]));
        for none in [(0, 2, 4), (-1, 1, 2), (0, 0, 2), (0, 1, 0), (5, 1, 1), (1, -1, 3)] {
            assert_eq!(strided(&parent, none), None, "{none:?}");
        }
    }
}
