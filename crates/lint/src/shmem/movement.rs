//! Data of collective calls (OpenSHMEM 1.5 §9.9.6 to §9.9.11): what each process brings, and what it takes.

use super::elements::Elements;
use super::pe::Set;
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::matching::combined;
use crate::memory::Content;
use farside_calls::shmem::{Class, Collective, Function};
use farside_events::{AccessKind, Buffer, CommId, Direction, EventKind, Exchange, Rank, TypeMap};
use std::collections::BTreeMap;

/// What a collective call moves.
pub(super) struct Movement {
    what: Collective,
    elements: u64,
    /// Of a broadcast.
    root: Option<u32>,
    /// At the destination and at the source.
    strides: (u64, u64),
    /// Which argument the destination is; the source is the next.
    first: usize,
    /// The root of a broadcast writes its destination, too.
    at_root: bool,
}

impl Movement {
    /// So many elements on an active set, from a root, or with strides at destination and source.
    pub(super) fn new(what: Collective, elements: u64, root: Option<u32>, strides: (u64, u64)) -> Self {
        Self {
            what,
            elements,
            root,
            strides,
            first: 0,
            at_root: false,
        }
    }

    /// The same on a team, which is the first argument, and where a root writes its own destination.
    pub(super) fn on_a_team(self) -> Self {
        Self {
            first: 1,
            at_root: true,
            ..self
        }
    }

    fn is_all_to_all(&self) -> bool {
        matches!(self.what, Collective::Alltoall | Collective::Alltoalls)
    }

    /// How many elements a process brings.
    fn brings(&self, members: u64) -> u64 {
        match self.is_all_to_all() {
            true => self.elements.saturating_mul(members),
            false => self.elements,
        }
    }

    /// Whether the result of a reduction takes the place of the operand.
    fn is_in_place(&self, call: &Call<'_>) -> bool {
        matches!(self.what, Collective::Reduce) && call.word(self.first) == call.word(self.first + 1)
    }

    /// How many elements of its source are read: of a broadcast, only those of the root are.
    fn elements_read(&self, rank: u32, brings: u64) -> u64 {
        match self.root {
            Some(root) if root != rank => 0,
            _ => brings,
        }
    }

    /// How many elements of a process' destination are written; of a `collect` as if all brought as many as it.
    fn written_at(&self, rank: u32, members: u64) -> u64 {
        match self.what {
            _ if !self.at_root && self.root == Some(rank) => 0,
            Collective::Broadcast | Collective::Reduce => self.elements,
            _ => self.elements.saturating_mul(members),
        }
    }

    /// What a process takes of what all have brought, by rank.
    fn takes(
        &self,
        function: &'static Function,
        rank: u32,
        members: &[u32],
        brought: &BTreeMap<u32, Content>,
    ) -> Option<Content> {
        let nothing = Content::default();
        let of = |member: &u32| brought.get(member).unwrap_or(&nothing);
        let own = members.iter().position(|member| *member == rank)? as u64;
        let block = self.elements.saturating_mul(u64::from(function.element().size));
        let all = |part: &dyn Fn(&u32) -> Content| {
            let mut whole = Content::default();
            members.iter().for_each(|member| whole.append(&part(member)));
            whole
        };
        match self.what {
            Collective::Broadcast if self.root == Some(rank) && !self.at_root => None,
            Collective::Broadcast => Some(of(&self.root?).clone()),
            Collective::Collect | Collective::Fcollect => Some(all(&|member| of(member).clone())),
            Collective::Alltoall | Collective::Alltoalls => {
                Some(all(&|member| of(member).part(own * block, block)))
            }
            Collective::Reduce => {
                let contents: Vec<&Content> = members.iter().map(of).collect();
                Some(reduced(function, &contents))
            }
        }
    }
}

impl Shmem<'_, '_> {
    /// These processes make it.
    pub(super) fn carry_out(&mut self, call: &Call<'_>, movement: &Movement, set: &Set) -> Flow {
        let (function, rank) = (call.function, self.caller.rank());
        let (comm, members) = (set.comm(), set.members());
        let count = members.len() as u64;
        let source = Elements::new(call.word(movement.first + 1), movement.strides.1);
        let destination = Elements::new(call.word(movement.first), movement.strides.0);
        if self.caller.entered().is_none() {
            let direction = match movement.root {
                Some(root) => Direction::FromRoot(Rank(root)),
                None if movement.elements == 0 => Direction::Nothing,
                None => Direction::All,
            };
            let brings = movement.brings(count);
            let (written, read) = (
                movement.written_at(rank, count),
                movement.elements_read(rank, brings),
            );
            // The others wait for this process, whatever its arguments are.
            let fine = self.may_exchange(call, movement.what, (destination, source), (written, read));
            self.touch(call, AccessKind::Load, source, read);
            let content = self.gather(rank, source, brings, call.size());
            let sequence = self.enter_together(call, comm, direction, Vec::new(), Some(content));
            if fine {
                self.exchange(call, movement, (comm, sequence), count);
            }
        }
        let Some(key) = self.met(members.len()) else {
            return Flow::Block;
        };
        // Others may read it until now.
        let read = movement.elements_read(rank, movement.brings(count));
        self.touch(call, AccessKind::Load, source, read);
        if movement.is_in_place(call) {
            self.touch(
                call,
                AccessKind::Store,
                destination,
                movement.written_at(rank, count),
            );
        }
        self.caller.done();
        let brought = self.library.brought.entry(key).or_default();
        brought.taken += 1;
        let is_last = brought.taken >= members.len();
        let taken = movement.takes(function, rank, members, &brought.contents);
        if is_last {
            self.library.brought.remove(&key);
        }
        if let Some(content) = taken {
            self.scatter(rank, destination, call.size(), &content);
        }
        NOTHING
    }

    /// Tells what others may write here, and what all members must agree on.
    fn exchange(
        &mut self,
        call: &Call<'_>,
        movement: &Movement,
        (comm, sequence): (CommId, u64),
        members: u64,
    ) {
        let rank = self.caller.rank();
        let collects = matches!(movement.what, Collective::Collect);
        let root = movement.root.map(|root| ("the root", u64::from(root)));
        let elements = (!collects).then_some(("the number of elements", movement.elements));
        for (argument, value) in root.into_iter().chain(elements) {
            self.agree((comm, sequence), argument, value);
        }
        let written = movement.written_at(rank, members);
        // Where the result lies on the operand, nobody writes it before its owner has handed that in.
        let receives = (written > 0 || collects) && !movement.is_in_place(call);
        let destination = receives.then(|| Buffer {
            address: call.word(movement.first),
            datatype: self.type_of(call.function.element(), movement.strides.0),
            count: written,
        });
        let exchange = Exchange {
            comm,
            sequence,
            writer: movement.root.map(Rank),
            destination,
            contributes: movement.elements,
            collects,
            name: call.name().into(),
            place: self.caller.place_of_access(),
        };
        self.caller.emit(EventKind::Exchange(exchange));
    }

    /// The library reads or writes elements for the program.
    fn touch(&mut self, call: &Call<'_>, kind: AccessKind, elements: Elements, count: u64) {
        for (at, length) in elements.pieces(count, call.size()) {
            self.caller.library_access(call.name(), kind, at, length);
        }
    }
}

/// What a reduction makes of what several processes brought, in their order.
fn reduced(function: &Function, contents: &[&Content]) -> Content {
    let Some(operator) = function.operator() else {
        return Content::default();
    };
    let size = u64::from(function.element().size);
    // A `long double` is kept as a number of 8 bytes, with as many after it.
    let (map, significant) = match (function.type_name(), function.element().class) {
        ("complexf", _) => (TypeMap::basic("C_FLOAT_COMPLEX", 8), 8),
        ("complexd", _) => (TypeMap::basic("C_DOUBLE_COMPLEX", 16), 16),
        (_, Class::Float) if size == 4 => (TypeMap::basic("FLOAT", 4), 4),
        (_, Class::Float) => (TypeMap::basic("DOUBLE", 8), 8),
        (_, Class::Integer) if function.is_unsigned() => {
            (TypeMap::basic("UNSIGNED", function.element().size), size)
        }
        (_, Class::Integer) => (TypeMap::basic("INTEGER", function.element().size), size),
    };
    let least = contents.iter().map(|content| content.len()).min().unwrap_or(0);
    let mut result = Content::default();
    for number in 0..least / size.max(1) {
        let parts = contents
            .iter()
            .map(|content| content.part(number * size, significant));
        let value = parts.reduce(|left, right| combined(operator, &map, &left, &right));
        let value = value.unwrap_or_default();
        let rest = size.saturating_sub(value.len());
        result.append(&value);
        result.append(&Content::known(vec![0; rest as usize]));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_calls::shmem::of_name;

    fn numbers(values: &[i32]) -> Content {
        Content::known(values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    fn takes(name: &str, movement: &Movement, rank: u32) -> Option<Vec<u8>> {
        let brought = BTreeMap::from([(0, numbers(&[1, 2])), (2, numbers(&[30, -40]))]);
        let function = of_name(name).expect("the table has it");
        let taken = movement.takes(function, rank, &[0, 2], &brought);
        taken.map(|content| content.bytes().to_vec())
    }

    #[test]
    fn each_takes_what_the_standard_gives_it() {
        let of = |what, elements| Movement::new(what, elements, None, (1, 1));
        let bytes = |values: &[i32]| Some(numbers(values).bytes().to_vec());
        let sum = of(Collective::Reduce, 2);
        assert_eq!(takes("shmem_int_sum_to_all", &sum, 2), bytes(&[31, -38]));
        assert_eq!(takes("shmem_int_max_to_all", &sum, 0), bytes(&[30, 2]));
        assert_eq!(takes("shmem_uint_max_reduce", &sum, 0), bytes(&[30, -40]));
        let all = bytes(&[1, 2, 30, -40]);
        assert_eq!(takes("shmem_fcollect32", &of(Collective::Fcollect, 2), 0), all);
        let exchange = of(Collective::Alltoall, 1);
        assert_eq!(takes("shmem_alltoall32", &exchange, 0), bytes(&[1, 30]));
        assert_eq!(takes("shmem_alltoall32", &exchange, 2), bytes(&[2, -40]));
        let broadcast = || Movement::new(Collective::Broadcast, 2, Some(0), (1, 1));
        assert_eq!(takes("shmem_broadcast32", &broadcast(), 0), None);
        assert_eq!(takes("shmem_broadcast32", &broadcast(), 2), bytes(&[1, 2]));
        let on_a_team = broadcast().on_a_team();
        assert_eq!(takes("shmem_int_broadcast", &on_a_team, 0), bytes(&[1, 2]));
    }
}
