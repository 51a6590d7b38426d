//! Loads, stores and atomic accesses.

use crate::execute::Job;
use crate::ir::{Operand, Ordering, PlaceId, Type};
use crate::layout::SHARED;
use crate::site::At;
use crate::threads::{self, FENCES};
use crate::value::Value;
use farside_events::{AccessKind, AccessRun, AccessSource, EventKind};

/// What makes an access of an instruction.
pub(super) fn source(atomic: Option<Ordering>) -> AccessSource {
    match atomic {
        Some(_) => AccessSource::Atomic,
        None => AccessSource::Instruction,
    }
}

impl Job<'_> {
    /// A number that decides what memory an instruction concerns. If it was not computed, the program's own is another
    /// one: what comes of this one is no execution.
    pub(super) fn deciding(&mut self, at: At, operand: &Operand) -> u64 {
        let address = self.scalar(at, operand);
        if address.is_uncomputed() {
            self.beyond_computation(at);
        }
        if address.is_unseen() && self.processes.is_tracked(at.rank, address.bits, 1) {
            // The program's own address is another one.
            self.rest_on(address);
        }
        if self.decisions.deny(address) && self.processes.is_tracked(at.rank, address.bits, 1) {
            self.beyond_values();
        }
        address.bits
    }

    /// Notes a load or store by an instruction or a library function.
    #[allow(clippy::too_many_arguments)] // What an access is.
    pub(crate) fn access(
        &mut self,
        at: At,
        kind: AccessKind,
        address: u64,
        size: u64,
        source: AccessSource,
        place: PlaceId,
    ) {
        if !self.processes.is_tracked(at.rank, address, size) {
            return;
        }
        let stack = self.processes.thread(at).stack();
        let run = AccessRun {
            source,
            ..AccessRun::single(kind, address, size, u64::from(place), stack)
        };
        self.events.access(at, run);
    }

    /// An atomic access is about to happen.
    pub(super) fn before_atomic(&mut self, at: At, address: u64, ordering: Option<Ordering>) {
        if ordering.is_none() {
            return;
        }
        let relaxed = self.processes.thread_mut(at).relaxed_mut();
        let told = threads::released(&self.notes, address, ordering)
            .or_else(|| threads::released_by_fence(relaxed, address));
        if let Some(kind) = told {
            self.emit(at, kind);
        }
    }

    /// An atomic access happened.
    pub(super) fn after_atomic(&mut self, at: At, address: u64, ordering: Option<Ordering>) {
        if let Some(kind) = threads::acquired(&self.notes, address, ordering) {
            self.emit(at, kind);
        } else if ordering.is_some() {
            self.processes.thread_mut(at).relaxed_mut().loads(address);
        }
    }

    /// A thread passes a fence.
    pub(super) fn fence(&mut self, at: At, ordering: Ordering) {
        let relaxed = self.processes.thread_mut(at).relaxed_mut();
        for kind in threads::acquired_by_fence(relaxed, ordering) {
            self.emit(at, kind);
        }
        if ordering.releases() {
            self.emit(at, EventKind::Fence);
        }
        self.before_atomic(at, FENCES, Some(ordering));
        self.after_atomic(at, FENCES, Some(ordering));
    }

    pub(crate) fn load(&self, rank: u32, address: u64, ty: &Type) -> Value {
        self.processes.memory(rank, address).load_value(address, ty)
    }

    pub(crate) fn store(&mut self, rank: u32, address: u64, ty: &Type, value: &Value) {
        let size = ty.size();
        let shows = address >= SHARED || self.processes.is_tracked(rank, address, size);
        let memory = self.processes.memory_mut(rank, address);
        let before = shows.then(|| memory.content(address, size));
        memory.store_value(address, ty, value);
        if before.is_some_and(|before| before != memory.content(address, size)) {
            self.processes.note_change();
        }
    }
}
