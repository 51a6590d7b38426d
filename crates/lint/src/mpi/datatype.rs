//! Datatypes (MPI-4.1 §5.1), and the bytes that a buffer names. What a constructor makes is
//! [`farside_calls::datatype`]'s.

use super::SUCCESS;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::memory::Content;
use crate::mpi::Mpi;
use farside_calls::abi::Combiner;
use farside_calls::datatype::{Contents, Datatype, Elements, Order, Shape, UNKNOWN};
use farside_calls::mpi::Procedure as P;
use farside_calls::signature::{Direction, Kind};
use farside_events::EventKind;
use std::sync::Arc;

/// Buffers and arguments of more pieces than this are followed in their first pieces only.
const MOST_PIECES: usize = 1 << 16;
/// Of data with more unknown values than these, all are taken as they are where they arrive.
const MOST_SYMBOLS: usize = 1024;

impl Mpi<'_, '_> {
    /// The datatype of a handle, announced to the detector at its first use.
    pub(crate) fn datatype(&mut self, handle: u64) -> Arc<Datatype> {
        if let Some(known) = self.caller.handles().datatype(handle) {
            return Arc::clone(known);
        }
        let shape = self.library.abi.pair_type(handle).unwrap_or_else(|| {
            let known = self.library.abi.basic_type(handle);
            let (name, size) = known.unwrap_or_else(|| (UNKNOWN.into(), 1));
            Shape::basic(&name, 0, size, i64::from(size))
        });
        let made = self.new_type(shape);
        let handles = self.caller.handles_mut();
        handles.add_basic_type(handle, Arc::clone(&made));
        made
    }

    fn new_type(&mut self, shape: Shape) -> Arc<Datatype> {
        let id = self.caller.handles_mut().type_id();
        let made = Arc::new(Datatype::new(id, shape));
        let kind = EventKind::Type {
            id: made.id(),
            map: made.map().clone(),
        };
        self.caller.emit(kind);
        made
    }

    /// What is made and asked of datatypes; `None` if the function is another one.
    pub(super) fn type_call(&mut self, a: &Invocation) -> Option<Flow> {
        if let Some(combiner) = a.procedure().combiner() {
            return Some(self.make_type(combiner, a));
        }
        match a.procedure() {
            P::Type_size => {
                let size = self.datatype(a[0].bits).size();
                self.put_number(a, a[1].bits, size.cast_signed());
            }
            P::Type_size_x => {
                let size = self.datatype(a[0].bits).size();
                self.caller.put_long(a[1].bits, size);
            }
            P::Type_get_extent | P::Type_get_extent_x => {
                let datatype = self.datatype(a[0].bits);
                let shape = datatype.shape();
                self.caller.put_long(a[1].bits, shape.lower_bound.cast_unsigned());
                self.caller.put_long(a[2].bits, shape.map.extent.cast_unsigned());
            }
            P::Type_get_true_extent | P::Type_get_true_extent_x => {
                let (first, end) = self.datatype(a[0].bits).true_bounds();
                self.caller.put_long(a[1].bits, first.cast_unsigned());
                self.caller
                    .put_long(a[2].bits, end.wrapping_sub(first).cast_unsigned());
            }
            P::Type_match_size => {
                // Open MPI and MPICH number the classes in other orders.
                let class = match (a[0].signed32(), self.library.abi.is_open_mpi()) {
                    (1, true) | (2, false) => "MPI_INTEGER",
                    (2, true) | (1, false) => "MPI_REAL",
                    _ => "MPI_COMPLEX",
                };
                self.give_number_type(class, a[1].bits as u32, a[2].bits);
            }
            P::Type_create_f90_integer => {
                let size = match a[0].signed32() {
                    ..=2 => 1,
                    3..=4 => 2,
                    5..=9 => 4,
                    10..=18 => 8,
                    19.. => 16,
                };
                self.give_number_type("MPI_INTEGER", size, a[1].bits);
            }
            P::Type_create_f90_real | P::Type_create_f90_complex => {
                // A precision or range that is not asked for is MPI_UNDEFINED, which is negative.
                let size = match (a[0].signed32(), a[1].signed32()) {
                    (..=6, ..=37) => 4,
                    (..=15, ..=307) => 8,
                    _ => 16,
                };
                match a.procedure() {
                    P::Type_create_f90_real => self.give_number_type("MPI_REAL", size, a[2].bits),
                    _ => self.give_number_type("MPI_COMPLEX", 2 * size, a[2].bits),
                }
            }
            P::Type_commit => {
                let handle = self.handle_at(a[0].bits);
                self.caller.handles_mut().commit(handle);
            }
            P::Type_set_name => {}
            _ => return None,
        }
        Some(SUCCESS)
    }

    /// A type of numbers of so many bytes, by its handle there. It is a predefined one, which is committed.
    fn give_number_type(&mut self, class: &str, size: u32, at: u64) {
        let name = format!("{class}{size}");
        let made = self.new_type(Shape::basic(&name, 0, size, i64::from(size)));
        let handle = self.caller.handles_mut().add_type(made);
        self.put_handle(at, handle);
    }

    /// A call that makes a datatype, which is its last argument.
    fn make_type(&mut self, combiner: Combiner, a: &Invocation) -> Flow {
        let contents = self.contents(combiner, a);
        let result = a.procedure().signature().parameters().len() - 1;
        let Some(shape) = contents.shape(Order::Kept) else {
            return self.caller.unknown_call(a.name());
        };
        let made = self.new_type(shape);
        let handles = self.caller.handles_mut();
        let handle = handles.add_type(made);
        // A duplicate is committed if its original is (MPI-4.1 §5.1.10).
        if combiner != Combiner::Dup || handles.is_uncommitted(a[0].bits) {
            handles.leave_uncommitted(handle);
        }
        self.put_handle(a[result].bits, handle);
        SUCCESS
    }

    /// The arguments of a constructor: its arrays are as long as its first number says (MPI-4.1 §5.1.13).
    fn contents(&mut self, combiner: Combiner, a: &Invocation) -> Contents {
        let (mut integers, mut addresses, mut types) = (Vec::new(), Vec::new(), Vec::new());
        let parameters = a.procedure().signature().parameters().iter().enumerate();
        for (place, parameter) in parameters.filter(|(_, parameter)| parameter.direction == Direction::In) {
            let length = match parameter.array {
                true => integers
                    .first()
                    .copied()
                    .unwrap_or(0i64)
                    .clamp(0, MOST_PIECES as i64) as u64,
                false => 1,
            };
            let at = a[place];
            for k in 0..length {
                match (parameter.kind, parameter.array) {
                    (Kind::Handle(_), false) => types.push(self.datatype(at.bits).shape().clone()),
                    (Kind::Handle(_), true) => {
                        let width = self.numbers().handle_size;
                        let handle = self.handle_at(at.bits.wrapping_add(width * k));
                        types.push(self.datatype(handle).shape().clone());
                    }
                    (Kind::Address, false) => addresses.push(at.bits.cast_signed()),
                    (Kind::Address, true) => {
                        let from = at.bits.wrapping_add(8 * k);
                        addresses.push(self.caller.memory(from).load(from, 8).bits.cast_signed());
                    }
                    (Kind::Count, false) => integers.push(a.number(at)),
                    (Kind::Count, true) => integers.push(self.number_at(a, at.bits, k as usize)),
                    (_, false) => integers.push(i64::from(at.signed32())),
                    (_, true) => integers.push(self.caller.int_at(at.bits.wrapping_add(4 * k)).into()),
                }
            }
        }
        Contents {
            combiner,
            integers,
            addresses,
            types,
        }
    }

    /// What a buffer holds, in its order. An unknown value stays the same one for whoever gets it.
    pub(crate) fn pack(&self, rank: u32, buffer: &Elements) -> Content {
        let mut content = Content::default();
        for (at, length) in pieces(buffer) {
            content.append(&self.caller.memory_of(rank, at).content(at, length));
        }
        content.with_symbols(MOST_SYMBOLS)
    }

    /// Writes it into a buffer, as far as it goes.
    pub(crate) fn unpack(&mut self, rank: u32, buffer: &Elements, content: &Content) {
        // Moving much data takes its time, as instructions do.
        self.caller.budget().spend_on_bytes(content.len());
        let mut start = 0;
        for (at, length) in pieces(buffer) {
            let memory = self.caller.memory_of_mut(rank, at);
            match start == 0 && length >= content.len() {
                true => memory.put_content(at, content),
                false => memory.put_content(at, &content.part(start, length)),
            }
            start += length;
            if start >= content.len() {
                break;
            }
        }
    }
}

/// The pieces of memory that some elements cover, the first of very many: where they begin, and how long they are.
pub(super) fn pieces(elements: &Elements) -> impl Iterator<Item = (u64, u64)> + '_ {
    elements.pieces().take(MOST_PIECES)
}
