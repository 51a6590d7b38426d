//! Transfers of lists, and reductions.
//!
//! A list is so many transfers of one queue, whose order the standard leaves open (GASPI 17.1 §8.2.7, §8.2.8); a
//! notification comes after all of them. A reduction gives each process something of all: nobody leaves it before all
//! have come (§11.2). What it gives is not known.

use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::program::{name, number};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{Direction, Expression as Written, Name, StatementKind, Target};

/// More transfers of one list are not followed.
const MOST_TRANSFERS: u64 = 48;
/// Bytes of the elements of reductions, by the number of their type: int, unsigned, float, double, long, unsigned long.
const ELEMENTS: [u64; 6] = [4, 4, 4, 8, 8, 8];

impl Machine<'_> {
    /// A call with a list, or a reduction; false if it is neither.
    pub(super) fn list_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("write_list" | "read_list", [list @ .., queue, _]) if list.len() == 7 => {
                let transfer = call.trim_end_matches("_list");
                self.transfer_list(transfer, list, queue, place)?;
            }
            ("write_list_notify", [list @ .., segment, id, value, queue, _]) if list.len() == 7 => {
                self.transfer_list("write", list, queue, place)?;
                self.notify(segment, &list[3], (id, value), queue, place)?;
            }
            ("read_list_notify", [list @ .., segment, id, queue, _]) if list.len() == 7 => {
                self.read_list(list, (segment, id), queue, place)?;
            }
            ("allreduce", [send, receive, number, _, kind, group, _]) => {
                let element = constant(kind, 32).and_then(|kind| ELEMENTS.get(usize::try_from(kind).ok()?));
                let Some(element) = element else {
                    return Err(self.lost(place, "a reduction of a type that is not known"));
                };
                let bytes = self.count(number, place)?.saturating_mul(*element);
                self.load(send, &Type::Opaque(bytes), u32::MAX, place)?;
                self.group_meets(group, place)?;
                self.got_bytes(receive, bytes, "what gaspi_allreduce gives", place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `gaspi_read_list_notify`: one notification after all reads, the last of which brings it here. They are in the
    /// queue that orders the notification, and so in their order; of the list, they are in none.
    fn read_list(
        &mut self,
        list: &[Value],
        (segment, id): (&Value, &Value),
        queue: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let mut all = self.sides_of_list(list, place)?;
        let Some(last) = all.pop() else {
            return Err(self.lost(place, "a list of nothing that notifies"));
        };
        if last[0] != *segment {
            return Err(self.lost(
                place,
                "the reads of a list with one notification are followed where the last one is into the segment that is \
                 notified",
            ));
        }
        if !all.is_empty() {
            self.less(
                place,
                "the reads of a list with one notification are followed in their order, and may come in any \
                 (GASPI 17.1 §8.4)",
            );
        }
        for sides in all {
            self.read_before_notification(&sides, id, queue, place)?;
        }
        let mut call = last.to_vec();
        call.extend([id.clone(), queue.clone(), Value::Known(u64::MAX)]);
        self.within_time("read_notify", &call, place).map(|_| ())
    }

    /// A read that the notification of this number comes after.
    fn read_before_notification(
        &mut self,
        sides: &[Value],
        id: &Value,
        queue: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let sides = self.sides(sides, place)?;
        let [
            Written::Value(Target::Name(local)),
            own,
            rank,
            Written::Value(Target::Name(remote)),
            there,
            Written::Number(1, _),
        ] = &sides[..]
        else {
            return Err(self.lost(place, "a read of a list that is taken apart"));
        };
        let element = |of: &Name, at: &Written| Target::Element(of.clone(), Box::new(at.clone()));
        let of_table = |table: &str, at: i64| Target::Element(name(table), Box::new(number(at)));
        let notified = self.known(id, 16, "the notification of a read", place)?;
        let queue = self.known(queue, 8, "a queue", place)?;
        let read = StatementKind::Transfer {
            direction: Direction::Read,
            local: element(local, own),
            rank: rank.clone(),
            remote: element(remote, there),
            queue: of_table("gaspi_notified", notified),
            handle: Some(of_table("gaspi_reads", queue)),
            after_earlier: false,
        };
        self.emit(read, place);
        Ok(())
    }

    /// The transfers of a list: how many, segments and offsets, the process, its segments and offsets, bytes.
    fn transfer_list(&mut self, call: &str, list: &[Value], queue: &Value, place: PlaceId) -> Followed<()> {
        for sides in self.sides_of_list(list, place)? {
            self.segment_transfer(call, &sides, queue, place)?;
        }
        Ok(())
    }

    /// Both sides of each transfer of a list.
    fn sides_of_list(&mut self, list: &[Value], place: PlaceId) -> Followed<Vec<[Value; 6]>> {
        let [number, local, local_offset, rank, remote, remote_offset, size] = list else {
            return Err(self.lost(place, "a list with other arguments"));
        };
        let number = self.count(number, place)?;
        if number > MOST_TRANSFERS {
            let text = format!("a list of more than {MOST_TRANSFERS} transfers");
            return Err(self.lost(place, &text));
        }
        let mut all = Vec::new();
        // Each number in a register of its own.
        let mut result = u32::MAX;
        for at in 0..number {
            let mut element = |array: &Value, bytes: u64| {
                let from = self.moved(array, at * bytes, place)?;
                result -= 1;
                self.load(&from, &Type::Integer(8 * bytes as u32), result, place)
            };
            all.push([
                element(local, 1)?,
                element(local_offset, 8)?,
                rank.clone(),
                element(remote, 1)?,
                element(remote_offset, 8)?,
                element(size, 8)?,
            ]);
        }
        Ok(all)
    }
}
