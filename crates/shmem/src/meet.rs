//! Barriers and synchronisation (OpenSHMEM 1.5 §9.9.1 to 4), and the groups of PEs that collective calls are made by.
//!
//! A group meets by dissemination (Hensgen, Finkel and Manber, *Two algorithms for barrier synchronization*, 1988): in
//! round r each member adds 1 to a word of the member 2^r further on, waits for its own, and takes 1 from it. The words
//! are counters, and all 0 when the last member has left, so that a `pSync` array is what it was, and a block of a team
//! can be given to another one. A member that is a call ahead adds its 1 early, and nothing is lost.

use crate::blocks;
use crate::call::Call;
use crate::handle::Team;
use crate::pe::Pe;
use crate::rma::{Target, symmetric};
use farside_fabric::{AtomicKind, AtomicOperation, Rank, Scope};
use std::ffi::{c_int, c_long};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What arrives, and what is taken away. They outlive all operations that read them.
static ONE: u64 = 1;
static MINUS_ONE: u64 = u64::MAX;

const ADD: (AtomicOperation, AtomicKind) = (AtomicOperation::Sum, AtomicKind::U64);

/// The PEs that make a collective call.
pub(crate) struct Group {
    call: Call,
    pe: &'static Pe,
    ranks: Arc<[Rank]>,
    /// The own number among them.
    me: usize,
    /// The displacement of the block.
    words: usize,
    scope: Scope,
}

impl Group {
    /// The PEs of a team; `None` for `SHMEM_TEAM_INVALID`.
    pub(crate) fn of_team(call: Call, team: Team) -> Option<Self> {
        let pe = Pe::of(call);
        if team == Team::INVALID {
            return None;
        }
        let members = pe.team(call, team);
        Some(Self {
            call,
            pe,
            ranks: members.ranks(),
            me: members.me(),
            words: blocks::block(members.block()),
            scope: members.scope(),
        })
    }

    /// The PEs of an active set, with their `pSync`.
    pub(crate) fn of_active_set(
        call: Call,
        (start, log_stride, size): (c_int, c_int, c_int),
        sync: *mut c_long,
    ) -> Self {
        let pe = Pe::of(call);
        let set = || format!("the active set (PE_start {start}, logPE_stride {log_stride}, PE_size {size})");
        let stride = u32::try_from(log_stride)
            .ok()
            .and_then(|log| 1_u32.checked_shl(log));
        let (Ok(first), Some(stride), Ok(count)) = (Rank::try_from(start), stride, u32::try_from(size))
        else {
            call.misuse(format_args!("{} is none", set()));
        };
        let last = (count as u64)
            .checked_sub(1)
            .map(|steps| u64::from(first) + steps * u64::from(stride));
        if last.is_none_or(|last| last >= u64::from(pe.size())) {
            call.misuse(format_args!("{} is not within the {} PEs", set(), pe.size()));
        }
        let ranks: Arc<[Rank]> = (0..count).map(|number| first + number * stride).collect();
        let Some(me) = ranks.iter().position(|&rank| rank == pe.rank()) else {
            call.misuse(format_args!("the calling PE is not in {}", set()));
        };
        if !sync.is_aligned() {
            call.misuse("pSync is not aligned");
        }
        Self {
            call,
            pe,
            ranks,
            me,
            words: symmetric(call, pe, "pSync", sync, blocks::BLOCK_WORDS),
            scope: pe.team(call, Team::WORLD).scope(),
        }
    }

    /// The call that they make.
    pub(crate) fn call(&self) -> Call {
        self.call
    }

    /// The library.
    pub(crate) fn pe(&self) -> &'static Pe {
        self.pe
    }

    /// By the number in the group, the rank.
    pub(crate) fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// The own number.
    pub(crate) fn me(&self) -> usize {
        self.me
    }

    /// What completes the operations of the call.
    pub(crate) fn scope(&self) -> Scope {
        self.scope
    }

    /// How many they are.
    pub(crate) fn size(&self) -> usize {
        self.ranks.len()
    }

    /// A member.
    pub(crate) fn target(&self, member: usize) -> Target {
        Target::of_rank(self.call, self.pe, self.scope, self.ranks[member])
    }

    /// The displacement of a word of the block.
    pub(crate) fn word(&self, number: usize) -> usize {
        self.words + 8 * number
    }

    /// Returns when all members have called it.
    pub(crate) fn sync(&self) {
        self.pe.wake_all();
        let (own, size) = (self.target(self.me), self.size());
        let (mut round, mut distance) = (0, 1);
        while distance < size {
            let displacement = self.word(round);
            let word = self.pe.word(displacement);
            // SAFETY: the operands live for ever.
            unsafe {
                let next = self.target((self.me + distance) % size);
                next.update(ADD, displacement, (&raw const ONE).cast(), null_mut());
                self.pe.wait(self.call, &mut || word.load(Ordering::Acquire) != 0);
                own.update(ADD, displacement, (&raw const MINUS_ONE).cast(), null_mut());
            }
            (round, distance) = (round + 1, distance * 2);
        }
    }

    /// Completes what this call has put, and returns when all members have come so far.
    pub(crate) fn complete(&self) {
        self.call.check(self.pe.fabric().flush(self.scope, None));
        self.sync();
    }
}

/// The group of a team that must be there.
fn world(call: Call) -> Group {
    match Group::of_team(call, Team::WORLD) {
        Some(world) => world,
        None => call.misuse("the library has no team of all PEs"),
    }
}

/// All PEs complete their operations on the default context, and meet.
pub(crate) fn everybody(call: Call) {
    let pe = Pe::of(call);
    pe.quiet(call, pe.default_scope());
    world(call).sync();
}

/// `shmem_barrier_all`.
///
/// # Safety
/// None is needed; handlers of calls are unsafe alike.
pub(crate) unsafe fn barrier_all(call: Call) {
    everybody(call);
}

/// `shmem_sync_all`.
///
/// # Safety
/// As for [`barrier_all`].
pub(crate) unsafe fn sync_all(call: Call) {
    world(call).sync();
}

/// `shmem_team_sync`: not 0 for `SHMEM_TEAM_INVALID`.
///
/// # Safety
/// As for [`barrier_all`].
pub(crate) unsafe fn team_sync(call: Call, team: Team) -> c_int {
    match Group::of_team(call, team) {
        Some(group) => {
            group.sync();
            0
        }
        None => 1,
    }
}

/// `shmem_barrier`.
///
/// # Safety
/// As for [`barrier_all`].
pub(crate) unsafe fn barrier(call: Call, start: c_int, log_stride: c_int, size: c_int, sync: *mut c_long) {
    let group = Group::of_active_set(call, (start, log_stride, size), sync);
    group.pe.quiet(call, group.pe.default_scope());
    group.sync();
}

/// `shmem_sync` of an active set.
///
/// # Safety
/// As for [`barrier_all`].
pub(crate) unsafe fn sync(call: Call, start: c_int, log_stride: c_int, size: c_int, sync: *mut c_long) {
    Group::of_active_set(call, (start, log_stride, size), sync).sync();
}
