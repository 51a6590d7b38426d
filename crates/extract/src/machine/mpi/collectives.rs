//! Collective calls of all processes, as the order that they are: nobody has what a process gives before that has come.
//!
//! Who only gives waits for nobody, as far as the standard promises (MPI-4.1 §6.1): a broadcast is a message from its
//! root to each, a reduction one from each to its root. Where each gets something from all, all wait for all.

use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::progress::Kind;
use crate::request::Elements;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

impl Machine<'_> {
    /// What a collective call does; false if it is none that is followed.
    pub(super) fn collective(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let Some(communicator) = values.last() else {
            return Ok(false);
        };
        match (call, values) {
            ("Barrier", [_]) => {
                self.world(communicator, place)?;
                self.barrier(place);
            }
            ("Allreduce", [from, to, count, kind, _, _]) => {
                self.world(communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.given(from, to, elements, place)?;
                self.barrier(place);
                self.got(to, elements, 1, call, place)?;
            }
            ("Allgather" | "Alltoall", [from, count, kind, to, other, same, _]) => {
                self.world(communicator, place)?;
                let parts = u64::from(self.ranks);
                let got = self.elements(other, same, place)?;
                if self.is_in_place(from) {
                    self.given(from, to, Elements::new(parts, got.bytes()), place)?;
                } else {
                    let given = self.elements(count, kind, place)?;
                    let parts = if call == "Alltoall" { parts } else { 1 };
                    self.given(from, to, Elements::new(parts, given.bytes()), place)?;
                }
                self.barrier(place);
                self.got(to, got, parts, call, place)?;
            }
            ("Bcast", [buffer, count, kind, root, _]) => {
                self.world(communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                let root = self.root(root, place)?;
                if root != self.rank {
                    let message = self.next_received(root, Kind::Collective, place)?;
                    self.receive_values(message, buffer, elements, place)?;
                } else {
                    for other in (0..self.ranks).filter(|other| *other != root) {
                        let message = self.next_sent(other, Kind::Collective, place)?;
                        self.send_values(message, buffer, elements, place)?;
                    }
                }
            }
            ("Reduce", [from, to, count, kind, _, root, _]) => {
                self.world(communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                let root = self.root(root, place)?;
                self.given(from, to, elements, place)?;
                if root != self.rank {
                    let message = self.next_sent(root, Kind::Collective, place)?;
                    self.signal(message, place)?;
                } else {
                    for other in (0..self.ranks).filter(|other| *other != root) {
                        let message = self.next_received(other, Kind::Collective, place)?;
                        self.arrive(message, place)?;
                    }
                    self.got(to, elements, 1, call, place)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn root(&mut self, root: &Value, place: PlaceId) -> Followed<u32> {
        let known = constant(root, 32).and_then(|root| u32::try_from(root).ok());
        match known.filter(|root| *root < self.ranks) {
            Some(root) => Ok(root),
            None => Err(self.lost(place, "a root that is not known")),
        }
    }

    /// Reads what a process gives.
    fn given(&mut self, from: &Value, to: &Value, elements: Elements, place: PlaceId) -> Followed<()> {
        let from = if self.is_in_place(from) { to } else { from };
        if elements.bytes() > 0 {
            self.load(from, &Type::Opaque(elements.bytes()), u32::MAX, place)?;
        }
        Ok(())
    }

    /// What a collective call gives is not known.
    fn got(
        &mut self,
        buffer: &Value,
        elements: Elements,
        parts: u64,
        call: &str,
        place: PlaceId,
    ) -> Followed<()> {
        let size = elements.bytes().saturating_mul(parts);
        if size <= 8 {
            let value = self.unknown(place, &format!("what MPI_{call} gives"));
            return self.store(buffer, &value, &Type::Integer(8 * size as u32), place);
        }
        self.fill(buffer, &Value::Known(1), size, place)
    }
}
