//! Collective calls of teams that move data (OpenSHMEM 1.5 §9.9.5 to 8).
//!
//! Each member puts what the others are to have where they are to have it, completes its puts, and all meet: every
//! destination is ready when the first member calls, so nobody waits before. One synchronisation a call; root's puts of
//! a broadcast go to each member in turn.

use crate::blocks;
use crate::call::Call;
use crate::handle::Team;
use crate::meet::Group;
use crate::rma::symmetric;
use farside_fabric::{AtomicKind, AtomicOperation};
use std::ffi::c_int;
use std::sync::atomic::Ordering;

/// Does a call in the group of a team, and gives what it returns: not 0 for `SHMEM_TEAM_INVALID`.
pub(crate) fn within(call: Call, team: Team, act: impl FnOnce(&Group)) -> c_int {
    match Group::of_team(call, team) {
        Some(group) => {
            act(&group);
            0
        }
        None => 1,
    }
}

/// Bytes of elements.
fn bytes<T>(count: usize) -> usize {
    count.saturating_mul(size_of::<T>())
}

/// Each member's block j goes to member j.
///
/// # Safety
/// The program keeps the rules of §9.9: `dest` and `source` are symmetric objects with room for all blocks, of which
/// `source` is not written before the call returns.
pub(crate) unsafe fn all_to_all<T>(group: &Group, dest: *mut T, source: *const T, nelems: usize) {
    let all = nelems.saturating_mul(group.size());
    let to = symmetric(group.call(), group.pe(), "dest", dest, all);
    symmetric(group.call(), group.pe(), "source", source, all);
    for step in 1..=group.size() {
        let member = (group.me() + step) % group.size();
        // SAFETY: within both, as was checked; complete before the call returns.
        unsafe {
            let source = source.add(member * nelems).cast();
            group
                .target(member)
                .put(to + bytes::<T>(group.me() * nelems), source, bytes::<T>(nelems));
        }
    }
    group.complete();
}

/// As [`all_to_all`], of elements that lie apart.
///
/// # Safety
/// As there.
pub(crate) unsafe fn all_to_all_strided<T>(
    group: &Group,
    dest: *mut T,
    source: *const T,
    (dst, sst): (isize, isize),
    nelems: usize,
) {
    let (Ok(to_step), Ok(from_step)) = (usize::try_from(dst), usize::try_from(sst)) else {
        group
            .call()
            .misuse(format_args!("dst is {dst} and sst {sst}: a stride is at least 1"));
    };
    if to_step == 0 || from_step == 0 {
        group
            .call()
            .misuse(format_args!("dst is {dst} and sst {sst}: a stride is at least 1"));
    }
    let all = nelems.saturating_mul(group.size());
    if all > 0 {
        let span = |step: usize| (all - 1).saturating_mul(step).saturating_add(1);
        let to = symmetric(group.call(), group.pe(), "dest", dest, span(to_step));
        symmetric(group.call(), group.pe(), "source", source, span(from_step));
        for (member, element) in
            (0..group.size()).flat_map(|member| (0..nelems).map(move |element| (member, element)))
        {
            // SAFETY: within both, as was checked; complete before the call returns.
            unsafe {
                let source = source.add((member * nelems + element) * from_step).cast();
                let displacement = to + bytes::<T>((group.me() * nelems + element) * to_step);
                group.target(member).put(displacement, source, size_of::<T>());
            }
        }
    }
    group.complete();
}

/// What root has goes to all; to root itself as well if `also_root`.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn broadcast_from<T>(
    group: &Group,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    root: c_int,
    also_root: bool,
) {
    let Some(root) = usize::try_from(root).ok().filter(|&root| root < group.size()) else {
        let size = group.size();
        group.call().misuse(format_args!(
            "PE_root {root} is out of range: there are {size} PEs, numbered from 0"
        ));
    };
    let to = symmetric(group.call(), group.pe(), "dest", dest, nelems);
    if group.me() == root {
        symmetric(group.call(), group.pe(), "source", source, nelems);
        for step in 1..=group.size() {
            let member = (root + step) % group.size();
            if member != root || also_root {
                // SAFETY: within both, as was checked; complete before the call returns.
                unsafe { group.target(member).put(to, source.cast(), bytes::<T>(nelems)) };
            }
        }
    }
    group.complete();
}

/// Blocks of all members, one after the other, at all; `before` elements come in front of the own.
///
/// # Safety
/// As for [`all_to_all`].
unsafe fn gather<T>(group: &Group, dest: *mut T, source: *const T, nelems: usize, before: usize) {
    let to = symmetric(
        group.call(),
        group.pe(),
        "dest",
        dest,
        before.saturating_add(nelems),
    );
    if nelems > 0 {
        symmetric(group.call(), group.pe(), "source", source, nelems);
        for step in 1..=group.size() {
            let target = group.target((group.me() + step) % group.size());
            // SAFETY: within both, as was checked; complete before the call returns.
            unsafe { target.put(to + bytes::<T>(before), source.cast(), bytes::<T>(nelems)) };
        }
    }
    group.complete();
}

/// Concatenates blocks of one length.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn concatenate_equal<T>(group: &Group, dest: *mut T, source: *const T, nelems: usize) {
    // SAFETY: by the caller.
    unsafe { gather(group, dest, source, nelems, nelems.saturating_mul(group.me())) }
}

/// Concatenates blocks whose length each member says: each tells the next one where its block begins.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn concatenate<T>(group: &Group, dest: *mut T, source: *const T, nelems: usize) {
    let displacement = group.word(blocks::OFFSET);
    let word = group.pe().word(displacement);
    let mut before = 0;
    if group.me() > 0 {
        group
            .pe()
            .wait(group.call(), &mut || word.load(Ordering::Acquire) != 0);
        // The next value comes in another call, after all have left this one.
        before = word.swap(0, Ordering::AcqRel) - 1;
    }
    if group.me() + 1 < group.size() {
        let end = before + nelems as u64 + 1;
        let next = group.target(group.me() + 1);
        // SAFETY: the operand lives until the call returns.
        unsafe {
            next.change(
                (AtomicOperation::Replace, AtomicKind::U64),
                displacement,
                &raw const end,
            )
        };
    }
    // SAFETY: by the caller.
    unsafe { gather(group, dest, source, nelems, before as usize) }
}

/// `shmem_alltoall`.
///
/// # Safety
/// As for [`all_to_all`], as all below.
pub(crate) unsafe fn alltoall<T>(
    call: Call,
    team: Team,
    dest: *mut T,
    source: *const T,
    nelems: usize,
) -> c_int {
    // SAFETY: by the caller.
    within(call, team, |group| unsafe {
        all_to_all(group, dest, source, nelems)
    })
}

/// `shmem_alltoalls`.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn alltoalls<T>(
    call: Call,
    team: Team,
    dest: *mut T,
    source: *const T,
    dst: isize,
    sst: isize,
    nelems: usize,
) -> c_int {
    // SAFETY: by the caller.
    within(call, team, |group| unsafe {
        all_to_all_strided(group, dest, source, (dst, sst), nelems)
    })
}

/// `shmem_broadcast`: to root's own destination, too.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn broadcast<T>(
    call: Call,
    team: Team,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    root: c_int,
) -> c_int {
    // SAFETY: by the caller.
    within(call, team, |group| unsafe {
        broadcast_from(group, dest, source, nelems, root, true)
    })
}

/// `shmem_collect`.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn collect<T>(
    call: Call,
    team: Team,
    dest: *mut T,
    source: *const T,
    nelems: usize,
) -> c_int {
    // SAFETY: by the caller.
    within(call, team, |group| unsafe {
        concatenate(group, dest, source, nelems)
    })
}

/// `shmem_fcollect`.
///
/// # Safety
/// As for [`all_to_all`].
pub(crate) unsafe fn fcollect<T>(
    call: Call,
    team: Team,
    dest: *mut T,
    source: *const T,
    nelems: usize,
) -> c_int {
    // SAFETY: by the caller.
    within(call, team, |group| unsafe {
        concatenate_equal(group, dest, source, nelems)
    })
}
