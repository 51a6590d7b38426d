//! How [`farside_calls`] reads the arguments of a call that is followed.
//!
//! What is asked for and not known is noted; the meaning goes on with a zero, and what it says is thrown away.

use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine, Stop};
use crate::value::Value;
use farside_calls::arguments::{Arguments, Window};
use farside_calls::communicator::{Communicator, Neighbors};
use farside_calls::datatype::Datatype;
use farside_calls::mpi::Procedure;
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, CommId, Rank, TypeId, WinId};
use farside_lint::ir::{PlaceId, Type};
use std::cell::RefCell;
use std::sync::Arc;

/// A call, and who follows it.
pub(super) struct Read<'c, 'm> {
    state: RefCell<(&'c mut Machine<'m>, Option<Stop>)>,
    procedure: Procedure,
    values: &'c [Value],
    place: PlaceId,
}

/// A communicator, seen by one of its processes.
#[derive(Clone, Debug)]
pub(super) struct Member {
    number: u32,
    members: Vec<u32>,
    own: usize,
    neighbors: Neighbors,
}

/// Collective calls are on no window.
pub(super) enum NoWindow {}

impl<'m> Machine<'m> {
    /// What a meaning makes of a call; an end of the way if it asked for what is not known.
    pub(super) fn read<T>(
        &mut self,
        (procedure, values): (Procedure, &[Value]),
        place: PlaceId,
        meaning: impl FnOnce(&mut Read<'_, 'm>) -> T,
    ) -> Followed<T> {
        let mut read = Read {
            state: RefCell::new((self, None)),
            procedure,
            values,
            place,
        };
        let meant = meaning(&mut read);
        match read.state.into_inner().1 {
            Some(stop) => Err(stop),
            None => Ok(meant),
        }
    }

    /// This process in a communicator of which it is.
    pub(super) fn member(&mut self, communicator: u32, place: PlaceId) -> Followed<Member> {
        let of = self.tables.communicator_of(communicator);
        let Some(own) = of.rank_of(self.rank) else {
            return Err(self.lost(place, "a call on a communicator of other processes"));
        };
        let own = own as usize;
        let neighbors = of.grid().map(|grid| {
            let process = |at: Option<usize>| of.members().get(at?).copied().map(Rank);
            let both: Vec<Option<Rank>> = grid.neighbors(own).map(process).collect();
            Neighbors {
                sources: both.clone(),
                destinations: both,
                is_grid: true,
            }
        });
        let graph = || {
            let (from, to) = self.knowledge.neighbours(communicator, self.rank)?;
            let ranks = |all: &[u32]| all.iter().map(|process| Some(Rank(*process))).collect();
            Some(Neighbors {
                sources: ranks(from),
                destinations: ranks(to),
                is_grid: false,
            })
        };
        let neighbors = neighbors.or_else(graph);
        Ok(Member {
            number: communicator,
            members: of.members().to_vec(),
            own,
            neighbors: neighbors.unwrap_or_default(),
        })
    }
}

impl Read<'_, '_> {
    /// What the machine says; nothing if it does not know.
    fn ask<T>(&self, question: impl FnOnce(&mut Machine<'_>) -> Followed<T>) -> Option<T> {
        let mut state = self.state.borrow_mut();
        let (machine, stop) = &mut *state;
        match question(machine) {
            Ok(answer) => Some(answer),
            Err(why) => {
                stop.get_or_insert(why);
                None
            }
        }
    }

    fn value(&self, role: Role) -> Option<&Value> {
        let place = self.procedure.signature().place(role)?;
        self.values.get(place)
    }

    fn number(&self, role: Role, bits: u32) -> i64 {
        let known = self.value(role).and_then(|value| constant(value, bits));
        known.unwrap_or_else(|| {
            self.ask(|machine| -> Followed<()> {
                Err(machine.lost(self.place, "an argument that is not known before a run"))
            });
            0
        })
    }

    fn element(&self, role: Role, ty: &Type, k: usize) -> Value {
        let array = self.value(role).cloned();
        let element = self.ask(|machine| {
            let array = array.unwrap_or(Value::Known(0));
            let at = machine.moved(&array, ty.size() * k as u64, self.place)?;
            machine.load(&at, ty, u32::MAX, self.place)
        });
        element.unwrap_or(Value::Known(0))
    }

    fn element_number(&self, role: Role, bits: u32, k: usize) -> i64 {
        let element = self.element(role, &Type::Integer(bits), k);
        constant(&element, bits).unwrap_or_else(|| {
            self.ask(|machine| machine.count(&element, self.place));
            0
        })
    }

    fn shape(&self, handle: &Value) -> Option<Arc<Datatype>> {
        let shape = self.ask(|machine| machine.shape_of(handle, self.place))?;
        Some(Arc::new(Datatype::new(TypeId(0), shape)))
    }
}

impl Arguments for Read<'_, '_> {
    type Window = NoWindow;
    type Communicator = Member;

    fn signature(&self) -> &'static Signature {
        self.procedure.signature()
    }

    fn int(&self, role: Role) -> i32 {
        self.number(role, 32) as i32
    }

    fn count(&self, role: Role) -> i64 {
        self.number(role, 32)
    }

    fn aint(&self, role: Role) -> i64 {
        self.number(role, 64)
    }

    fn displacement(&self, window: &NoWindow) -> i64 {
        match *window {}
    }

    fn address(&self, role: Role) -> u64 {
        match self.is_in_place(role) {
            true => 0,
            false => self.number(role, 64).cast_unsigned(),
        }
    }

    fn is_in_place(&self, role: Role) -> bool {
        let value = self.value(role);
        value.is_some_and(|value| self.state.borrow().0.is_in_place(value))
    }

    fn is_root_of_other_group(&self) -> bool {
        false
    }

    fn element_count(&self, role: Role, k: usize) -> i64 {
        self.element_number(role, 32, k)
    }

    fn element_aint(&self, role: Role, k: usize) -> i64 {
        self.element_number(role, 64, k)
    }

    fn communicator(&mut self) -> Option<Member> {
        let value = self.value(Role::Communicator)?.clone();
        self.ask(|machine| {
            let number = machine.communicator(&value, self.place)?;
            machine.member(number, self.place)
        })
    }

    fn window(&self) -> Option<NoWindow> {
        None
    }

    fn datatype(&mut self, role: Role) -> Option<Arc<Datatype>> {
        let handle = self.value(role)?.clone();
        self.shape(&handle)
    }

    fn element_datatype(&mut self, role: Role, k: usize) -> Option<Arc<Datatype>> {
        let ty = self.state.borrow().0.handle_type();
        let handle = self.element(role, &ty, k);
        self.shape(&handle)
    }

    /// What is combined is not followed.
    fn operator(&self) -> AccumulateOp {
        AccumulateOp::Sum
    }

    fn group(&self) -> Vec<Rank> {
        Vec::new()
    }
}

impl Member {
    /// The number of the communicator.
    pub(super) fn number(&self) -> u32 {
        self.number
    }
}

impl Communicator for Member {
    fn id(&self) -> CommId {
        CommId(u64::from(self.number))
    }

    fn members(&self) -> &[u32] {
        &self.members
    }

    fn remote(&self) -> Option<&[u32]> {
        None
    }

    fn own_rank(&self) -> usize {
        self.own
    }

    fn neighbors(&self) -> &Neighbors {
        &self.neighbors
    }
}

impl Window for NoWindow {
    fn id(&self) -> WinId {
        match *self {}
    }

    fn peer(&self, _: i32) -> Option<Rank> {
        match *self {}
    }

    fn processes(&self) -> u32 {
        match *self {}
    }
}
