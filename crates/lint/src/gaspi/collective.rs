//! What the ranks of a group do together (GASPI 17.1 §11). Calls that return `GASPI_TIMEOUT` are of the same operation
//! as those that repeat them.

use super::{BLOCK, Call, Gaspi, TEST, code};
use crate::flow::Flow;
use crate::matching::{Kind, MeetingKey, combined};
use crate::memory::Content;
use crate::process::Entered;
use farside_calls::gaspi::Collective;
use farside_events::{AccessKind, AccumulateOp, Call as Event, Direction, EventKind, TypeMap};

impl Gaspi<'_, '_> {
    /// The rank comes to a call of a group, with what it brings; where all have met, or what the call returns before.
    pub(super) fn come_together(
        &mut self,
        call: &Call<'_>,
        group: u8,
        timeout: u64,
        content: Option<Content>,
        agreed: &[(&str, u64)],
    ) -> Result<MeetingKey, Flow> {
        let Some((members, comm)) = self.committed(group) else {
            return Err(code::NO_GROUP);
        };
        let entered = self.caller.entered();
        let key = match (&entered, self.state().begun_meeting(group)) {
            (Some(Entered::Meeting(key)), _) => *key,
            (_, Some((comm, sequence))) => (Kind::Collective, comm.0, sequence),
            (_, None) => {
                let sequence = self.state_mut().next_meeting(comm);
                let waits = timeout == BLOCK;
                let request = (!waits).then(|| self.caller.handles_mut().request_id());
                let event = Event::Collective {
                    comm,
                    sequence,
                    direction: Direction::All,
                    name: call.name().into(),
                    request,
                };
                let key = (Kind::Collective, comm.0, sequence);
                let rank = self.caller.rank();
                self.library.meetings.arrive(key, rank, Vec::new(), Vec::new());
                if let Some(content) = content {
                    self.library.brought.entry(key).or_default().insert(rank, content);
                }
                self.caller.enter(event);
                for (argument, value) in agreed {
                    self.caller.emit(EventKind::Agreed {
                        comm,
                        sequence,
                        argument: (*argument).into(),
                        value: *value,
                    });
                }
                match waits {
                    true => self.caller.set_entered(Entered::Meeting(key)),
                    false => {
                        self.caller.done();
                        self.state_mut().begin_meeting(group, (comm, sequence));
                    }
                }
                key
            }
        };
        if self.library.meetings.so_far(key) < members.len() {
            let gives_up = timeout == TEST || timeout != BLOCK && self.caller.is_stalled();
            return Err(if gives_up { code::TIMEOUT } else { Flow::Block });
        }
        match self.state().begun_meeting(group) {
            Some((comm, sequence)) => {
                self.state_mut().end_meeting(group);
                self.caller.emit(EventKind::CollectiveDone { comm, sequence });
            }
            None => drop(self.caller.done()),
        }
        Ok(key)
    }

    /// `gaspi_barrier(group, timeout)`, `gaspi_allreduce(send, receive, number, operation, type, group, timeout)`,
    /// `gaspi_allreduce_user(send, receive, number, size, function, state, group, timeout)`.
    pub(super) fn meet(&mut self, call: &Call<'_>, what: Collective) -> Flow {
        let (group, timeout, bytes) = match what {
            Collective::Barrier => (call.small(0), call.word(1), 0),
            Collective::Allreduce => {
                let bytes = u64::from(call.number(2)) * size_of_type(call.number(4));
                (call.small(5), call.word(6), bytes)
            }
            Collective::AllreduceUser => {
                let bytes = u64::from(call.number(2)).saturating_mul(call.word(3));
                (call.small(6), call.word(7), bytes)
            }
        };
        let begins = self.caller.entered().is_none() && self.state().begun_meeting(group).is_none();
        let mut content = None;
        if bytes > 0 && begins {
            let from = call.word(0);
            self.caller
                .library_access(call.name(), AccessKind::Load, from, bytes);
            content = Some(self.caller.memory(from).content(from, bytes));
        }
        let key = match self.come_together(call, group, timeout, content, &agreed(call, what)) {
            Ok(key) => key,
            Err(flow) => return flow,
        };
        if bytes > 0 {
            let to = call.word(1);
            self.caller
                .library_access(call.name(), AccessKind::Store, to, bytes);
            match what {
                Collective::AllreduceUser => self.caller.come_from_outside(to, bytes, call.word(3)),
                _ => {
                    let contents = self.library.brought.get(&key);
                    let contents: Vec<Content> = contents
                        .into_iter()
                        .flat_map(|all| all.values().cloned())
                        .collect();
                    let result = reduced(call.number(3), call.number(4), &contents);
                    self.caller.memory_mut(to).put_content(to, &result);
                }
            }
        }
        code::SUCCESS
    }
}

/// What all ranks give the same, and what this one gives.
fn agreed(call: &Call<'_>, what: Collective) -> Vec<(&'static str, u64)> {
    let value = |(name, place): &(&'static str, usize)| (*name, call.word(*place));
    what.agreed().iter().map(value).collect()
}

/// Bytes of a type (`GASPI_TYPE_INT`, `_UINT`, `_FLOAT`, `_DOUBLE`, `_LONG`, `_ULONG`).
fn size_of_type(number: u32) -> u64 {
    match number {
        0..=2 => 4,
        3..=5 => 8,
        _ => 0,
    }
}

/// What a reduction makes of what several ranks brought (`GASPI_OP_MIN`, `_MAX`, `_SUM`).
fn reduced(operation: u32, of_type: u32, contents: &[Content]) -> Content {
    let operator = match operation {
        0 => AccumulateOp::Min,
        1 => AccumulateOp::Max,
        _ => AccumulateOp::Sum,
    };
    let size = size_of_type(of_type);
    let name = match of_type {
        2 => "FLOAT",
        3 => "DOUBLE",
        1 | 5 => "UNSIGNED",
        _ => "INTEGER",
    };
    let map = TypeMap::basic(name, size as u32);
    let least = contents.iter().map(Content::len).min().unwrap_or(0);
    let whole = least - least % size.max(1);
    let brought = contents.iter().map(|content| content.part(0, whole));
    let result = brought.reduce(|left, right| combined(operator, &map, &left, &right));
    result.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduction_goes_element_by_element() {
        let of =
            |values: &[i64]| Content::known(values.iter().flat_map(|value| value.to_le_bytes()).collect());
        let brought = [of(&[1, -5]), of(&[2, 3])];
        assert_eq!(reduced(2, 4, &brought), of(&[3, -2]));
        assert_eq!(reduced(0, 4, &brought), of(&[1, -5]));
        assert_eq!(reduced(1, 5, &brought), of(&[2, -5]));
    }
}
