//! Collective calls, as the order that they are.
//!
//! Where each process gets something from all others, all wait for all, and no put is completed by it (OpenSHMEM 1.5
//! §9.9): `shmem_sync_all`, or messages among the members of a team or an active set. Of a broadcast, the root waits
//! for nobody, and the others for the root: messages, which take along what is followed.

use super::team::members;
use crate::communicator::Communicator;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::message::Kind;
use crate::request::Elements;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

/// What is combined, in the names of reductions.
const COMBINED: [&str; 7] = ["and", "or", "xor", "max", "min", "sum", "prod"];

/// More elements of one call that lie apart are not told apart.
pub(super) const MOST_ELEMENTS: u64 = 64;

/// Who gives what to whom.
enum Movement {
    /// So many elements are combined.
    Combine,
    /// The elements of one process go to all.
    Broadcast,
    /// All get the elements of all.
    Collect,
    /// Each gets a part from each.
    Exchange,
}

/// The buffers of a collective call, and how many elements of how many bytes one process gives.
struct Buffers<'v> {
    dest: &'v Value,
    source: &'v Value,
    elements: Elements,
}

impl Machine<'_> {
    /// A collective call; false if it is none that is followed.
    pub(super) fn collective_of_all(
        &mut self,
        kind: &str,
        values: &[Value],
        size: u64,
        place: PlaceId,
    ) -> Followed<bool> {
        let combines = |end: &str| {
            kind.strip_suffix(end)
                .is_some_and(|combined| COMBINED.contains(&combined))
        };
        let movement = match kind {
            "broadcast" => Movement::Broadcast,
            "collect" | "fcollect" => Movement::Collect,
            "alltoall" => Movement::Exchange,
            _ if combines("_reduce") || combines("_to_all") => Movement::Combine,
            "alltoalls" => return self.exchange_apart(values, size, place),
            "sync" | "barrier" => return self.barrier_of_some(kind, values, place),
            _ => return Ok(false),
        };
        // The forms of 1.5 begin with a team; those of 1.4 name an active set after the buffers.
        let (of_team, rest) = match values {
            [team, rest @ ..] if rest.len() <= 4 => (Some(team), rest),
            _ => (None, values),
        };
        let [dest, source, count, further @ ..] = rest else {
            return Ok(false);
        };
        let (root, set) = match (&movement, further) {
            (Movement::Broadcast, [root, set @ ..]) => (root, set),
            (_, set) => (&Value::Known(0), set),
        };
        let members = match (of_team, set) {
            (Some(team), _) => self.team(team, place)?,
            (None, [start, stride, of, ..]) => self.active_set((start, stride, of), place)?,
            _ => return Ok(false),
        };
        let buffers = Buffers {
            dest,
            source,
            elements: Elements::new(self.count(count, place)?, size),
        };
        if let Movement::Broadcast = movement {
            self.broadcast(members, (root, of_team.is_some()), &buffers, place)?;
            return Ok(true);
        }
        let bytes = buffers.elements.bytes();
        let all = self.tables.communicator_of(members).members().len() as u64;
        let (given, got) = match movement {
            Movement::Combine | Movement::Broadcast => (bytes, bytes),
            Movement::Collect => (bytes, bytes.saturating_mul(all)),
            Movement::Exchange => (bytes.saturating_mul(all), bytes.saturating_mul(all)),
        };
        if given > 0 {
            self.load(source, &Type::Opaque(given), u32::MAX, place)?;
        }
        self.meet_of(members, place)?;
        self.got_bytes(dest, got, &format!("what shmem_{kind} gives"), place)?;
        Ok(true)
    }

    /// `shmem_alltoalls`: elements that lie apart, so many for each member and from each.
    fn exchange_apart(&mut self, values: &[Value], size: u64, place: PlaceId) -> Followed<bool> {
        let (members, [dest, source, further, apart, count]) = match values {
            [team, dest, source, further, apart, count] => {
                (self.team(team, place)?, [dest, source, further, apart, count])
            }
            [dest, source, further, apart, count, start, stride, of, _] => {
                let members = self.active_set((start, stride, of), place)?;
                (members, [dest, source, further, apart, count])
            }
            _ => return Ok(false),
        };
        let all = self.tables.communicator_of(members).members().len() as u64;
        let elements = self.count(count, place)?.saturating_mul(all);
        let (further, apart) = (self.count(further, place)?, self.count(apart, place)?);
        if elements > MOST_ELEMENTS {
            let text = format!("more than {MOST_ELEMENTS} elements that lie apart");
            return Err(self.lost(place, &text));
        }
        for at in 0..elements {
            let from = self.moved(source, at * apart * size, place)?;
            self.load(&from, &Type::Opaque(size), u32::MAX, place)?;
        }
        self.meet_of(members, place)?;
        for at in 0..elements {
            let to = self.moved(dest, at * further * size, place)?;
            self.got_bytes(&to, size, "what shmem_alltoalls gives", place)?;
        }
        Ok(true)
    }

    /// The root sends a message to each other member. With a team it gives itself what it gives the others, with an
    /// active set nothing (OpenSHMEM 1.5 §9.9).
    fn broadcast(
        &mut self,
        members: u32,
        (root, gives_itself): (&Value, bool),
        buffers: &Buffers<'_>,
        place: PlaceId,
    ) -> Followed<()> {
        let Buffers {
            dest,
            source,
            elements,
        } = *buffers;
        let all = self.tables.communicator_of(members).members().to_vec();
        let root = constant(root, 32).and_then(|root| all.get(usize::try_from(root).ok()?).copied());
        let Some(root) = root else {
            return Err(self.lost(place, "a broadcast whose root is not known"));
        };
        let number = self.state.progress_mut().next_collective(members);
        let kind = Kind::Collective(members, number);
        if root != self.rank {
            let message = self.next_received(root, kind, place)?;
            return self.receive_values(message, dest, elements, place);
        }
        for member in all.into_iter().filter(|member| *member != root) {
            let message = self.next_sent(member, kind, place)?;
            self.send_values(message, source, elements, place)?;
        }
        if gives_itself && dest != source {
            self.copy(dest, source, elements.bytes(), place)?;
        }
        Ok(())
    }

    /// Barriers of a team or of an active set.
    fn barrier_of_some(&mut self, kind: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let members = match values {
            [team] => self.team(team, place)?,
            [start, stride, of, _] => self.active_set((start, stride, of), place)?,
            _ => return Ok(false),
        };
        if kind == "barrier" {
            self.state.progress_mut().order_puts(None);
            if self.is_world(members) {
                self.emit_call("shmem_barrier_all", Vec::new(), place);
                return Ok(true);
            }
            self.emit_call("shmem_quiet", Vec::new(), place);
        }
        self.meet_of(members, place)?;
        Ok(true)
    }

    /// The communicator of an active set, of which the logarithm of the distance between its members is given.
    fn active_set(
        &mut self,
        (start, distance, size): (&Value, &Value, &Value),
        place: PlaceId,
    ) -> Followed<u32> {
        let numbers = [start, distance, size].map(|value| constant(value, 32));
        let members = match numbers {
            [Some(start), Some(distance), Some(size)] => u32::try_from(distance)
                .ok()
                .and_then(|distance| 1_i64.checked_shl(distance))
                .and_then(|stride| members(start, stride, size, self.ranks)),
            _ => None,
        };
        match members.filter(|members| members.contains(&self.rank)) {
            Some(members) if members.iter().copied().eq(0..self.ranks) => Ok(self.world()),
            Some(members) => Ok(self.tables.number_of(Communicator::set(members))),
            None => Err(self.lost(
                place,
                "an active set that is not known, or not one of the process",
            )),
        }
    }
}
