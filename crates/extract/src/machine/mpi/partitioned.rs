//! Messages in partitions (MPI-4.1 §4.2): each partition that is sent is a message of its own, sent by the call that
//! says that it is ready.
//!
//! A partition of the receiver is there when all those of the sender that it has a part of are (§4.2.2): their numbers
//! need not be the same, and how many the sender has is learnt by an earlier attempt to follow it. The sender waits for
//! nobody, as `MPI_Send` does not. Sends and receives are matched in the order in which they are made (§4.2.1).

use super::messages::Envelope;
use super::requests::Kept;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine, Stop};
use crate::message::{Kind, Pair};
use crate::request::{Begins, Elements, Partitions, Persistent, Request, Side};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use std::collections::BTreeSet;
use std::ops::Range;

/// More partitions of a message are not told apart.
const MOST_PARTITIONS: u64 = 16;

impl Machine<'_> {
    /// A call on a message in partitions; false if it is none.
    pub(super) fn partitioned_call(
        &mut self,
        call: &str,
        values: &[Value],
        place: PlaceId,
    ) -> Followed<bool> {
        match (call, values) {
            (
                "Psend_init" | "Precv_init",
                [buffer, number, count, kind, rank, tag, communicator, _, request],
            ) => {
                let side = match call {
                    "Psend_init" => Side::Sender,
                    _ => Side::Receiver,
                };
                let communicator = self.communicator(communicator, place)?;
                let envelope = Envelope::new(rank, tag, communicator);
                let each = self.elements(count, kind, place)?;
                self.make_partitions(side, (buffer, number, each), envelope, request, place)?;
            }
            ("Pready", [partition, request]) => {
                let partition = self.partition(partition, place)?;
                self.make_ready(partition..partition + 1, request, place)?;
            }
            ("Pready_range", [low, high, request]) => {
                let (low, high) = (self.partition(low, place)?, self.partition(high, place)?);
                self.make_ready(low..high + 1, request, place)?;
            }
            ("Pready_list", [length, array, request]) => {
                for partition in self.integers(length, array, place)? {
                    let partition =
                        self.partition(&Value::Known(u64::from(partition.cast_unsigned())), place)?;
                    self.make_ready(partition..partition + 1, request, place)?;
                }
            }
            ("Parrived", [request, partition, flag]) => {
                let partition = self.partition(partition, place)?;
                self.has_arrived(request, partition, flag, place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn partition(&mut self, number: &Value, place: PlaceId) -> Followed<u32> {
        match constant(number, 32).and_then(|number| u32::try_from(number).ok()) {
            Some(number) if u64::from(number) < MOST_PARTITIONS => Ok(number),
            Some(_) => Err(self.lost(place, "a message of too many partitions")),
            None => Err(self.lost(place, "a partition of a message that is not known")),
        }
    }

    fn make_partitions(
        &mut self,
        side: Side,
        (buffer, number, each): (&Value, &Value, Elements),
        envelope: Envelope<'_>,
        request: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let number = self.count(number, place)?;
        let &Value::Known(buffer) = buffer else {
            return Err(self.lost(place, "a message at an address that is not known"));
        };
        if number == 0 || number > MOST_PARTITIONS {
            return Err(self.lost(place, "a message of no partitions, or of too many"));
        }
        let number = number as u32;
        let peer = self.peer(envelope, place)?;
        let Kind::Tag(communicator, tag) = self.kind_of(envelope, place)? else {
            return Err(self.lost(place, "a message in partitions whose tag is not known"));
        };
        let (pairs, progress) = (Kind::Pair(communicator, tag), self.state.progress_mut());
        let nth = match (side, peer) {
            (_, None) => 0,
            (Side::Sender, Some(peer)) => progress.send(self.rank, peer, pairs).number(),
            (Side::Receiver, Some(peer)) => progress.receive(self.rank, peer, pairs).number(),
        };
        let pair = Pair::new(communicator, tag, nth);
        let partitions = Partitions::new(side, (buffer, number, each), (peer, pair));
        if let (Side::Sender, Some(peer)) = (side, peer) {
            self.knowledge
                .send_to(self.rank, kind_of(&partitions, 0, number), peer);
        }
        let begins = Begins::Partitions(partitions);
        let number = self.state.progress_mut().make_persistent(Persistent::new(begins));
        self.store_request(request, Request::Persistent(number), place)
    }

    /// A message in partitions is started.
    pub(super) fn start_partitions(
        &mut self,
        partitions: Partitions,
        number: u32,
        place: PlaceId,
    ) -> Followed<()> {
        let bytes = partitions.each().bytes() * u64::from(partitions.number());
        self.own_buffer(&Value::Known(partitions.buffer()), bytes, place)?;
        let begun = match partitions.peer() {
            Some(_) => Request::Partitions(partitions, BTreeSet::new()),
            None => Request::Over,
        };
        self.keep_request(Kept::As(number), begun, place)
    }

    /// The partitions of a started message that a handle stands for, and which of the sender's are ready or have come;
    /// nothing if it is not started.
    fn started(
        &mut self,
        request: &Value,
        place: PlaceId,
    ) -> Followed<Option<(u32, Partitions, BTreeSet<u32>)>> {
        let Request::Persistent(number) = self.known_request(request, place)? else {
            return Err(self.lost(place, "a partition of what is no message in partitions"));
        };
        let persistent = self.state.progress_mut().persistent_mut(number);
        Ok(match persistent.and_then(Persistent::active_mut) {
            Some(Request::Partitions(partitions, done)) => Some((number, partitions.clone(), done.clone())),
            _ => None,
        })
    }

    /// Partitions of the sender are ready, or have come.
    fn be_done(&mut self, request: u32, which: impl IntoIterator<Item = u32>) {
        let persistent = self.state.progress_mut().persistent_mut(request);
        if let Some(Request::Partitions(_, done)) = persistent.and_then(Persistent::active_mut) {
            done.extend(which);
        }
    }

    /// `MPI_Pready`: they are sent.
    fn make_ready(&mut self, which: Range<u32>, request: &Value, place: PlaceId) -> Followed<()> {
        if self.is_inactive(request, place)? {
            return Err(self.lost(place, "a partition of a message that is not started"));
        }
        let Some((number, partitions, ready)) = self.started(request, place)? else {
            // To MPI_PROC_NULL, nothing is sent.
            return Ok(());
        };
        let (each, Some(peer)) = (partitions.each(), partitions.peer()) else {
            return Ok(());
        };
        for partition in which {
            if partitions.side() == Side::Receiver
                || partition >= partitions.number()
                || ready.contains(&partition)
            {
                return Err(self.lost(place, "a partition that cannot be made ready"));
            }
            let message =
                self.next_sent(peer, kind_of(&partitions, partition, partitions.number()), place)?;
            let buffer = Value::Known(partitions.buffer() + each.bytes() * u64::from(partition));
            self.own_buffer(&buffer, each.bytes(), place)?;
            self.send_values(message, &buffer, each, place)?;
            self.be_done(number, [partition]);
        }
        Ok(())
    }

    /// `MPI_Parrived`: whether a partition of the receiver has come, which may be so as soon as it can be. Of a message
    /// that is not started it has (§4.2.4).
    fn has_arrived(&mut self, request: &Value, partition: u32, flag: &Value, place: PlaceId) -> Followed<()> {
        let say = |machine: &mut Self, come: bool| {
            machine.store(flag, &Value::Known(u64::from(come)), &Type::Integer(32), place)
        };
        let Some((number, partitions, come)) = self.started(request, place)? else {
            return say(self, true);
        };
        if partitions.side() == Side::Sender || partition >= partitions.number() {
            return Err(self.lost(place, "a partition that cannot arrive"));
        }
        let Some((all, each)) = self.sent_to(&partitions, place)? else {
            return say(self, false);
        };
        let room = partitions.each().bytes();
        let start = u64::from(partition) * room;
        let overlaps = |sent: &u32| {
            let at = u64::from(*sent) * each.bytes();
            at < start + room && start < at + each.bytes()
        };
        let missing: Vec<u32> = (0..all)
            .filter(overlaps)
            .filter(|sent| !come.contains(sent))
            .collect();
        let ways = if missing.is_empty() { 1 } else { 2 };
        self.any(ways, place, &mut |machine, way| {
            if way == 0 {
                machine.take_partitions(&partitions, (all, each), &missing, place)?;
                machine.be_done(number, missing.iter().copied());
            }
            say(machine, way == 0)
        })
    }

    /// Waits until all partitions are sent, or have come.
    pub(super) fn wait_for_partitions(
        &mut self,
        partitions: &Partitions,
        done: &BTreeSet<u32>,
        place: PlaceId,
    ) -> Followed<()> {
        match partitions.side() {
            Side::Sender if done.len() as u32 == partitions.number() => Ok(()),
            // It waits for ever.
            Side::Sender => Err(Stop::End),
            Side::Receiver => {
                let Some((all, each)) = self.sent_to(partitions, place)? else {
                    return Err(Stop::End);
                };
                let missing: Vec<u32> = (0..all).filter(|sent| !done.contains(sent)).collect();
                self.take_partitions(partitions, (all, each), &missing, place)
            }
        }
    }

    /// Waits for partitions of the sender, and takes what is in them.
    fn take_partitions(
        &mut self,
        partitions: &Partitions,
        (all, each): (u32, Elements),
        which: &[u32],
        place: PlaceId,
    ) -> Followed<()> {
        let Some(peer) = partitions.peer() else {
            return Ok(());
        };
        for &partition in which {
            let message = self.next_received(peer, kind_of(partitions, partition, all), place)?;
            let buffer = Value::Known(partitions.buffer() + each.bytes() * u64::from(partition));
            self.own_buffer(&buffer, each.bytes(), place)?;
            self.receive_values(message, &buffer, each, place)?;
        }
        Ok(())
    }

    /// How many partitions the sender has, and what is in each; nothing if nobody is known to send them.
    fn sent_to(&mut self, partitions: &Partitions, place: PlaceId) -> Followed<Option<(u32, Elements)>> {
        let all = self.knowledge.senders_to(self.rank);
        let found =
            all.filter(|(from, _)| Some(*from) == partitions.peer())
                .find_map(|(_, kind)| match kind {
                    Kind::Partition {
                        of, partitions: all, ..
                    } if of == partitions.pair() => Some(u64::from(all)),
                    _ => None,
                });
        let Some(all) = found else { return Ok(None) };
        let size = partitions.each().size();
        let elements = partitions.each().bytes() / size.max(1) * u64::from(partitions.number());
        if !elements.is_multiple_of(all) {
            return Err(self.lost(place, "partitions that differ in their elements on both sides"));
        }
        Ok(Some((all as u32, Elements::new(elements / all, size))))
    }
}

/// A partition of the sender, of so many.
fn kind_of(partitions: &Partitions, partition: u32, all: u32) -> Kind {
    Kind::Partition {
        of: partitions.pair(),
        partition,
        partitions: all,
    }
}
