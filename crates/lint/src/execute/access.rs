//! Loads, stores and atomic accesses.

use crate::ir::{Operand, Ordering, PlaceId, Type};
use crate::job::Job;
use crate::layout::OF_LIBRARY;
use crate::site::At;
use crate::value::Value;
use farside_events::{AccessKind, AccessRun, AccessSource};
use std::rc::Rc;

/// What makes an access of an instruction.
pub(super) fn source(atomic: Option<Ordering>) -> AccessSource {
    match atomic {
        Some(_) => AccessSource::Atomic,
        None => AccessSource::Instruction,
    }
}

impl Job<'_> {
    /// A number that decides what memory an instruction concerns. If it was not computed, the program's own is another one: what
    /// comes of this one is no execution.
    pub(super) fn deciding(&mut self, at: At, operand: &Operand) -> u64 {
        let address = self.scalar(at, operand);
        if address.is_uncomputed() {
            self.beyond_execution();
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
        if size == 0 || !self.memory(at.rank, address).is_tracked(address, size) {
            return;
        }
        let stack = self.processes.thread(at).stack();
        let run = AccessRun {
            source,
            ..AccessRun::single(kind, address, size, u64::from(place), stack)
        };
        self.events.access(at, run);
    }

    /// An access by a library function on behalf of the program.
    pub(crate) fn library_access(
        &mut self,
        at: &crate::site::Site,
        name: &str,
        kind: AccessKind,
        address: u64,
        size: u64,
    ) {
        self.access(
            at.at(),
            kind,
            address,
            size,
            AccessSource::Library(name.into()),
            at.place,
        );
    }

    pub(crate) fn load(&self, rank: u32, address: u64, ty: &Type) -> Value {
        let memory = self.memory(rank, address);
        match ty {
            Type::Structure(fields, _) => {
                let load =
                    |(offset, field): &(u64, Type)| self.load(rank, address.wrapping_add(*offset), field);
                Value::Aggregate(Rc::new(fields.iter().map(load).collect()))
            }
            Type::Integer(bits) => {
                let mut value = memory.load(address, ty.size());
                value.bits = crate::value::mask(value.bits, *bits);
                Value::Scalar(value)
            }
            ty => Value::Scalar(memory.load(address, ty.size().min(8))),
        }
    }

    pub(crate) fn store(&mut self, rank: u32, address: u64, ty: &Type, value: &Value) {
        match ty {
            Type::Structure(fields, _) => {
                for (index, (offset, field)) in fields.iter().enumerate() {
                    self.store(
                        rank,
                        address.wrapping_add(*offset),
                        field,
                        &value.field(&[index as u32]),
                    );
                }
            }
            ty => self
                .memory_mut(rank, address)
                .store(address, ty.size().min(8), value.scalar()),
        }
    }

    /// Gives all global variables what they hold at first.
    pub(crate) fn initialize_globals(&mut self, rank: u32) {
        for index in 0..self.module.globals.len() {
            let base = self.processes.of(rank).globals[index];
            self.initialize_global(rank, index, base);
        }
    }

    /// Writes what a global variable holds at first to `base`: its own place, or that of a thread's copy.
    pub(crate) fn initialize_global(&mut self, rank: u32, index: usize, base: u64) {
        let module = self.module;
        let global = &module.globals[index];
        if global.external && global.name.starts_with("_ZTV") {
            // The first two words of a table are an offset and the type, not functions.
            for entry in 2..global.size / 8 {
                self.store(rank, base + 8 * entry, &Type::Pointer, &Value::known(OF_LIBRARY));
            }
        }
        for (offset, ty, operand) in &module.globals[index].initial {
            let value = self.constant(rank, operand);
            self.store(rank, base + offset, ty, &value);
        }
    }
}
