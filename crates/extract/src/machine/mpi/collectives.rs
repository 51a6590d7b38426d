//! Collective calls of all processes, as the order that they are: nobody has what a process gives before that has come.
//!
//! Who only gives waits for nobody, as far as the standard promises (MPI-4.1 §6.1): a broadcast or a scatter is a
//! message from its root to each, a reduction or a gather one from each to its root; of a scan, each waits for those
//! before it. Where each gets something from all, all wait for all.

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
                if self.told_by_all(root, place)? {
                    self.got(to, elements, 1, call, place)?;
                }
            }
            ("Gather", [from, count, kind, to, other, same, root, _]) => {
                self.world(communicator, place)?;
                let root = self.root(root, place)?;
                if !self.is_in_place(from) {
                    let given = self.elements(count, kind, place)?;
                    self.given(from, to, given, place)?;
                }
                if self.told_by_all(root, place)? {
                    let got = self.elements(other, same, place)?;
                    self.got(to, got, u64::from(self.ranks), call, place)?;
                }
            }
            ("Scatter", [from, count, kind, to, other, same, root, _]) => {
                self.world(communicator, place)?;
                let root = self.root(root, place)?;
                if root == self.rank {
                    let given = self.elements(count, kind, place)?;
                    let parts = u64::from(self.ranks);
                    self.given(from, to, Elements::new(parts, given.bytes()), place)?;
                }
                self.tell_all(root, place)?;
                if !self.is_in_place(to) {
                    let got = self.elements(other, same, place)?;
                    self.got(to, got, 1, call, place)?;
                }
            }
            // A process has something of all before it (§6.11).
            ("Scan" | "Exscan", [from, to, count, kind, _, _]) => {
                self.world(communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.given(from, to, elements, place)?;
                for other in self.rank + 1..self.ranks {
                    let message = self.next_sent(other, Kind::Collective, place)?;
                    self.signal(message, place)?;
                }
                for other in 0..self.rank {
                    let message = self.next_received(other, Kind::Collective, place)?;
                    self.arrive(message, place)?;
                }
                // What the first one gets of MPI_Exscan is left as it was.
                if call == "Scan" || self.rank > 0 {
                    self.got(to, elements, 1, call, place)?;
                }
            }
            ("Reduce_scatter_block", [from, to, count, kind, _, _]) => {
                self.world(communicator, place)?;
                let got = self.elements(count, kind, place)?;
                let parts = u64::from(self.ranks);
                self.given(from, to, Elements::new(parts, got.bytes()), place)?;
                self.barrier(place);
                self.got(to, got, 1, call, place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All tell the root that they are here; whether this process is the root, which waits for them.
    fn told_by_all(&mut self, root: u32, place: PlaceId) -> Followed<bool> {
        if root != self.rank {
            let message = self.next_sent(root, Kind::Collective, place)?;
            self.signal(message, place)?;
            return Ok(false);
        }
        for other in (0..self.ranks).filter(|other| *other != root) {
            let message = self.next_received(other, Kind::Collective, place)?;
            self.arrive(message, place)?;
        }
        Ok(true)
    }

    /// The root tells all that it is here, and they wait for that.
    fn tell_all(&mut self, root: u32, place: PlaceId) -> Followed<()> {
        if root != self.rank {
            let message = self.next_received(root, Kind::Collective, place)?;
            return self.arrive(message, place);
        }
        for other in (0..self.ranks).filter(|other| *other != root) {
            let message = self.next_sent(other, Kind::Collective, place)?;
            self.signal(message, place)?;
        }
        Ok(())
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
        self.got_bytes(buffer, size, &format!("what MPI_{call} gives"), place)
    }

    /// Writes bytes of which nothing is known.
    pub(in crate::machine) fn got_bytes(
        &mut self,
        buffer: &Value,
        size: u64,
        what: &str,
        place: PlaceId,
    ) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        if size <= 8 {
            let value = self.unknown(place, what);
            return self.store(buffer, &value, &Type::Integer(8 * size as u32), place);
        }
        self.fill(buffer, &Value::Known(1), size, place)
    }
}
