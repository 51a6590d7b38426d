//! Groups (GASPI 17.1 §6): communicators here, in which collective calls are messages; and messages themselves, as the
//! standard has them (§9): a send returns after a receive took what it sends.

use crate::communicator::Communicator;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine, Stop};
use crate::message::Kind;
use crate::request::Elements;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

/// The group of all processes, `GASPI_GROUP_ALL`.
const ALL: i64 = 0;
/// The types of a group's handle, and of numbers of processes.
const HANDLE: Type = Type::Integer(8);
const NUMBER: Type = Type::Integer(32);
const RANK: Type = Type::Integer(16);
/// What passive messages are told from others by: a tag that nobody else has.
const PASSIVE: i64 = 0;

impl Machine<'_> {
    /// A call that makes or asks a group, or sends a message; false if it is none of these.
    pub(super) fn group_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("group_create", [to]) => {
                let group = self.state.progress_mut().open_group();
                self.store(to, &Value::Known(u64::from(group)), &HANDLE, place)?;
            }
            ("group_add", [group, rank]) => {
                let group = self.known(group, 8, "a group", place)?;
                let rank = self.known(rank, 16, "a process", place)?;
                if !self.state.progress_mut().add_to_group(group as u32, rank as u32) {
                    return Err(self.lost(place, "a group to which a process cannot be added"));
                }
            }
            // All members come to it (§6.2.2).
            ("group_commit", [group, _]) => {
                self.group_meets(group, place)?;
            }
            ("group_delete", [_]) => {}
            ("group_size", [group, to]) => {
                let members = self.members_of(group, place)?;
                self.store(to, &Value::Known(members.len() as u64), &NUMBER, place)?;
            }
            ("group_ranks", [group, to]) => {
                for (at, member) in (0..).zip(self.members_of(group, place)?) {
                    let to = self.moved(to, 2 * at, place)?;
                    self.store(&to, &Value::Known(u64::from(member)), &RANK, place)?;
                }
            }
            ("passive_send", [segment, offset, rank, size, _]) => {
                self.send_passively((segment, offset, size), rank, place)?;
            }
            ("passive_receive", [segment, offset, sender, size, _]) => {
                self.receive_passively((segment, offset, size), sender, place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The processes of a group.
    fn members_of(&mut self, group: &Value, place: PlaceId) -> Followed<Vec<u32>> {
        let members = match constant(group, 8) {
            Some(ALL) => Some((0..self.ranks).collect()),
            Some(group) => u32::try_from(group)
                .ok()
                .and_then(|group| self.state.progress().group(group)),
            None => None,
        };
        match members.filter(|members| members.contains(&self.rank)) {
            Some(members) => Ok(members),
            None => Err(self.lost(place, "a group that is not known, or not one of the process")),
        }
    }

    /// All processes of a group wait for all.
    pub(super) fn group_meets(&mut self, group: &Value, place: PlaceId) -> Followed<()> {
        let members = self.members_of(group, place)?;
        if members.iter().copied().eq(0..self.ranks) {
            self.all_meet(place);
            return Ok(());
        }
        let communicator = self.tables.number_of(Communicator::set(members));
        self.meet_in(communicator, place)
    }

    fn passive_kind(&mut self) -> Kind {
        let world = self.tables.number_of(Communicator::world(self.ranks));
        Kind::Tag(world, PASSIVE)
    }

    fn send_passively(
        &mut self,
        (segment, offset, size): (&Value, &Value, &Value),
        rank: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let kind = self.passive_kind();
        let to = self.known(rank, 16, "a process", place)?;
        let elements = elements(self.count(size, place)?);
        let from = self.in_segment(segment, offset, place)?;
        let message = self.next_sent(to as u32, kind, place)?;
        self.send_values(message, &from, elements, place)?;
        self.knowledge.send_synchronously(message);
        self.arrive(message.taken(), place)
    }

    /// Messages of several processes come in any order, those of one in theirs.
    fn receive_passively(
        &mut self,
        (segment, offset, size): (&Value, &Value, &Value),
        sender: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let kind = self.passive_kind();
        let elements = elements(self.count(size, place)?);
        let into = self.in_segment(segment, offset, place)?;
        let all = self.knowledge.senders_to(self.rank);
        let mut sources: Vec<u32> = all.filter(|(_, of)| *of == kind).map(|(from, _)| from).collect();
        sources.sort_unstable();
        if sources.is_empty() {
            return Err(Stop::End);
        }
        self.any(sources.len(), place, &mut |machine, way| {
            let message = machine.next_received(sources[way], kind, place)?;
            machine.begin_to_receive(message, place)?;
            machine.receive_values(message, &into, elements, place)?;
            machine.store(sender, &Value::Known(u64::from(sources[way])), &RANK, place)
        })
    }
}

/// So many bytes, as the largest elements that they may be.
fn elements(bytes: u64) -> Elements {
    let size = [8, 4, 2]
        .into_iter()
        .find(|size| bytes.is_multiple_of(*size))
        .unwrap_or(1);
    Elements::new(bytes / size, size)
}
