//! Windows in shared memory (MPI-4.1 §12.2.3): what processes load and store of others.
//!
//! A store takes effect late, as far as the standard says: others see it when the process synchronises the window, or
//! completes its stores by a flush. Stores of one process to one location are in order, and its loads of it see them: a
//! location has a queue of its own, ordered per target. A load is waited for at once. Where other processes reach the
//! memory of a window so, what its own process stores there is no other thing.
//!
//! Taken for granted, as for other memory: loads are not done before they stand in the program.

use super::constants::target_of;
use crate::declare::{loads, reached, stores};
use crate::expression::Expression;
use crate::machine::bytes::{Bytes, bits_of};
use crate::machine::{Followed, Machine};
use crate::program::{name, number, register, written};
use crate::progress::Later;
use crate::tables::{Object, ObjectKind, RegisterUse, Tables};
use crate::value::Value;
use farside_lint::ir::{Ordering, PlaceId, Type};
use farside_pgas::ast::{
    AtomicOperation, BinaryOperator, Completion, Direction, Expression as Written, StatementKind, Target,
};

/// Memory of a window at a process: the address of the same bytes at this one.
pub(in crate::machine) struct Reached {
    object: Object,
    process: u32,
    address: Value,
}

impl Reached {
    /// The same bytes at this process.
    pub(in crate::machine) fn address(&self) -> &Value {
        &self.address
    }
}

impl Machine<'_> {
    /// `MPI_Win_allocate_shared`, `MPI_Win_shared_query`, `MPI_Win_sync`; false if it is none of these.
    pub(super) fn shared_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("Win_allocate_shared", [size, unit, _, communicator, pointer, to]) => {
                let communicator = self.communicator(communicator, place)?;
                let size = self.count(size, place)?;
                let number = self.state.progress_mut().next_window(communicator);
                let kind = ObjectKind::Window(communicator, number);
                let object = self.tables.object(kind, size, "window");
                if !self.knowledge.make_memory(object, self.rank, size) {
                    return Err(self.lost(place, "a window whose memory differs from run to run"));
                }
                let address = Value::Known(Tables::address(object, 0));
                self.store(pointer, &address, &Type::Pointer, place)?;
                self.make_window((communicator, number), &address, unit, to, place)?;
            }
            ("Win_shared_query", [window, rank, size, unit, pointer]) => {
                self.query(window, rank, (size, unit, pointer), place)?;
            }
            ("Win_sync", [window]) => {
                let window = self.window_of(window, place)?;
                self.show_stores(window, None, place);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn query(
        &mut self,
        window: &Value,
        rank: &Value,
        (size, unit, pointer): (&Value, &Value, &Value),
        place: PlaceId,
    ) -> Followed<()> {
        let window = self.window_of(window, place)?;
        let (base, bytes_of_unit) = self.tables.window(window).parts();
        let object = match self.tables.at(base) {
            Some((object, 0)) if self.knowledge.made_by(object, self.rank).is_some() => object,
            _ => return Err(self.lost(place, "a query of a window that is not in shared memory")),
        };
        let mut made = Vec::new();
        for process in self.processes_of(window) {
            match self.knowledge.made_by(object, process) {
                Some(bytes) => made.push((process, bytes)),
                None => return Err(self.lost(place, "a window of which a process is not followed")),
            }
        }
        let found = match self.is_nobody(rank) {
            // Of the first process that has some (§12.2.3).
            true => made.into_iter().find(|(_, bytes)| *bytes > 0),
            false => {
                let wanted = target_of(&self.target_process(rank, window, place)?);
                made.into_iter().find(|(process, _)| Some(*process) == wanted)
            }
        };
        let Some((process, bytes)) = found else {
            return Err(self.lost(place, "a query of a process that is not known"));
        };
        let there = match process == self.rank {
            true => object,
            false => {
                self.knowledge.reach(object);
                let kind = ObjectKind::Reached(object, process);
                self.tables.object(kind, bytes, "window")
            }
        };
        self.store(size, &Value::Known(bytes), &Type::Integer(64), place)?;
        self.store(
            unit,
            &Value::Known(bytes_of_unit as u64),
            &Type::Integer(32),
            place,
        )?;
        let address = Value::Known(Tables::address(there, 0));
        self.store(pointer, &address, &Type::Pointer, place)
    }

    /// The memory that an access is to, if other processes load and store it, too. Of what the own process has stored
    /// nothing to, its loads are loads.
    pub(in crate::machine) fn reached(
        &mut self,
        address: &Value,
        size: u64,
        stores: bool,
        place: PlaceId,
    ) -> Followed<Option<Reached>> {
        let at = match address {
            Value::Known(address) => self.tables.at(*address),
            Value::Dynamic(expression) => self.tables.at(expression.linear().0 as u64),
            Value::Within(object, _) => Some((*object, 0)),
            _ => None,
        };
        let Some((object, _)) = at else {
            return Ok(None);
        };
        if let ObjectKind::Reached(of, process) = *self.tables.kind(object) {
            // An access beyond what the process has made is told.
            self.spot(address, size, place)?;
            let by = Tables::address(of, 0).wrapping_sub(Tables::address(object, 0)) as i64;
            let moved = match address {
                Value::Known(address) => Some(Value::Known(address.wrapping_add_signed(by))),
                Value::Dynamic(expression) => {
                    Expression::binary(BinaryOperator::Add, expression, &Expression::Number(by))
                        .map(|moved| Value::of(moved, 64))
                }
                _ => None,
            };
            return match moved {
                Some(address) => Ok(Some(Reached {
                    object: of,
                    process,
                    address,
                })),
                None => Err(self.lost(place, "an access to an address that is not known")),
            };
        }
        if !self.knowledge.is_reached(object) {
            return Ok(None);
        }
        let (_, _, span) = self.spot(address, size, place)?;
        let direct = stores || self.state.progress().is_stored(span);
        Ok(direct.then(|| Reached {
            object,
            process: self.rank,
            address: address.clone(),
        }))
    }

    /// The window that memory is of, and the bytes.
    fn reached_bytes(&mut self, of: &Reached, size: u64, place: PlaceId) -> Followed<(u32, Bytes)> {
        let Some(window) = self.window_with(of.object) else {
            return Err(self.lost(place, "memory of a window that is not there"));
        };
        let bytes = self.shared_bytes(&of.address, size, place)?;
        self.note_together(&bytes, place);
        self.seen(place);
        Ok((window, bytes))
    }

    /// A load of memory that others load and store.
    pub(in crate::machine) fn load_reached(
        &mut self,
        of: &Reached,
        ty: &Type,
        result: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        let (window, bytes) = self.reached_bytes(of, ty.size(), place)?;
        self.fetch(of, (window, &bytes), None, result, place)
    }

    /// An atomic operation of C on it (C11 §7.17.7), which does this with these operands; it gives what was there.
    pub(in crate::machine) fn change_reached(
        &mut self,
        of: &Reached,
        (operation, operands): (AtomicOperation, &[Value]),
        (ty, ordering): (&Type, Ordering),
        result: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        if ordering.releases() {
            self.fence_of_c(place);
        }
        let (window, bytes) = self.reached_bytes(of, ty.size(), place)?;
        self.follow(&bytes);
        if !self.is_exact(&bytes) {
            return Err(self.lost(place, "an atomic operation of C on what cannot be followed"));
        }
        let bits = bits_of(ty);
        let mut given = Vec::new();
        for operand in operands {
            given.push(match operation {
                AtomicOperation::FetchAdd => {
                    written(&self.number_of(operand, bits, "what is added", place)?)
                }
                _ => self.written_to(&bytes, operand, bits),
            });
        }
        self.fetch(of, (window, &bytes), Some((operation, given)), result, place)
    }

    /// Takes what is there, and waits for it; does something to it besides, if that is said.
    fn fetch(
        &mut self,
        of: &Reached,
        (window, bytes): (u32, &Bytes),
        change: Option<(AtomicOperation, Vec<Written>)>,
        result: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        let kind = ObjectKind::ReachedResult(window);
        let object = self.tables.object(kind, 8, "loaded");
        let there = Value::Known(Tables::address(object, 0));
        let loaded = self.shared_bytes(&there, 8, place)?;
        if self.knowledge.is_followed(bytes.span()) {
            self.follow(&loaded);
        }
        for at in 0..bytes.count() {
            let cell = bytes.cell(at);
            let (local, remote) = (self.target(&loaded), self.target(&cell));
            let (rank, queue) = (number(i64::from(of.process)), self.reached_queue(window, &cell));
            let handle = Some(element(&loads(window), number(0)));
            let kind = match &change {
                None => StatementKind::Transfer {
                    direction: Direction::Read,
                    local,
                    rank,
                    remote,
                    queue,
                    handle,
                    after_earlier: false,
                },
                Some((operation, operands)) => StatementKind::Atomic {
                    operation: *operation,
                    local: Some(local),
                    rank,
                    remote,
                    operands: operands.clone(),
                    queue,
                    handle,
                },
            };
            self.emit(kind, place);
            let wait = StatementKind::Wait {
                what: element(&loads(window), number(0)),
                completion: Completion::Full,
            };
            self.emit(wait, place);
        }
        let register_of = RegisterUse::Local(self.path(), result);
        if self.is_exact(bytes) {
            let kind = StatementKind::Assign {
                into: register(self.tables.register(register_of.clone())),
                value: Written::Value(self.target(&loaded)),
            };
            self.emit(kind, place);
        }
        Ok(self.read_from(bytes, register_of, place))
    }

    /// A store to memory that others load and store.
    pub(in crate::machine) fn store_reached(
        &mut self,
        of: &Reached,
        value: &Value,
        (ty, atomic): (&Type, Option<Ordering>),
        place: PlaceId,
    ) -> Followed<()> {
        if atomic.is_some_and(Ordering::releases) {
            self.fence_of_c(place);
        }
        let (window, bytes) = self.reached_bytes(of, ty.size(), place)?;
        let value = self.written_to(&bytes, value, bits_of(ty));
        let rank = || number(i64::from(of.process));
        for at in 0..bytes.count() {
            let cell = bytes.cell(at);
            let kind = StatementKind::Atomic {
                operation: AtomicOperation::Swap,
                local: None,
                rank: rank(),
                remote: self.target(&cell),
                operands: vec![value.clone()],
                queue: self.reached_queue(window, &cell),
                handle: Some(element(&stores(window), rank())),
            };
            self.emit(kind, place);
        }
        let progress = self.state.progress_mut();
        progress.store_in_shared(window, atomic == Some(Ordering::Both));
        if of.process == self.rank {
            progress.store_to(bytes.span());
        }
        Ok(())
    }

    /// A sequentially consistent load of C comes: stores of that kind before it are seen before it (C11 §7.17.3), and
    /// others need not be.
    pub(in crate::machine) fn order_in_total(&mut self, place: PlaceId) {
        for window in 0..self.tables.windows().len() as u32 {
            match self.state.progress().total_order(window) {
                None => {}
                Some(Later::None) => self.show_stores(window, None, place),
                Some(Later::Some) => self.inexact(
                    place,
                    "a load of C that is sequentially consistent comes after a store of that kind, and not after later \
                     stores, which is not followed",
                ),
            }
        }
    }

    /// Stores to memory of a window that others load are complete: those to a target, or all.
    pub(super) fn show_stores(&mut self, window: u32, target: Option<&Written>, place: PlaceId) {
        let Some((object, _)) = self.tables.at(self.tables.window(window).parts().0) else {
            return;
        };
        if !self.knowledge.is_reached(object) {
            return;
        }
        let what = match target {
            Some(rank) => element(&stores(window), rank.clone()),
            None => Target::Name(name(&stores(window))),
        };
        let completion = Completion::Full;
        self.emit(StatementKind::Wait { what, completion }, place);
        if target.is_none() {
            self.state.progress_mut().show_total_order(window);
        }
        if target.is_none_or(|rank| *rank == number(i64::from(self.rank))) {
            self.state.progress_mut().show_stores(object);
        }
    }

    /// A fence of C, which is what `MPI_Win_sync` is besides.
    pub(in crate::machine) fn fence_of_c(&mut self, place: PlaceId) {
        for window in 0..self.tables.windows().len() as u32 {
            self.show_stores(window, None, place);
        }
    }

    fn reached_queue(&mut self, window: u32, cell: &Bytes) -> Target {
        match self.target(cell) {
            Target::Element(_, index) => Target::Element(name(&reached(window)), index),
            _ => element(&reached(window), number(0)),
        }
    }
}

fn element(of: &str, index: Written) -> Target {
    Target::Element(name(of), Box::new(index))
}
