//! Transfers of lists, and reductions.
//!
//! A list is so many transfers of one queue, whose order the standard leaves open (GASPI 17.1 §8.2.7, §8.2.8); a
//! notification comes after all of them. A reduction gives each process something of all: nobody leaves it before all
//! have come (§11.2). What it gives is not known.

use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

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

    /// `gaspi_read_list_notify`: of one read, which is `gaspi_read_notify`. Of several, one notification comes after
    /// all, which are in no order among themselves: the calculus has no such queue.
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
        if !all.is_empty() || last[0] != *segment {
            let text = "the reads of a list with one notification are followed for one read into the segment that is \
                        notified";
            return Err(self.lost(place, text));
        }
        let mut call = last.to_vec();
        call.extend([id.clone(), queue.clone(), Value::Known(u64::MAX)]);
        self.within_time("read_notify", &call, place).map(|_| ())
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
