//! Collective operations (MPI-4.1 chapter 6).

use super::meeting::{Kind, Meeting, MeetingKey};
use crate::execute::Flow;
use crate::handles::{Comm, Request};
use crate::job::Job;
use crate::thread::{Entered, Site};
use crate::value::Scalar;
use farside_events::{AccessKind, AccumulateOp, Call, CommId, Direction, Rank, TypeMap};
use std::rc::Rc;

/// The forms that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Scan,
    Exscan,
    Gather,
    Gatherv,
    Allgather,
    Scatter,
    Alltoall,
    ReduceScatterBlock,
}

/// The form of a call, and whether it is non-blocking.
pub(crate) fn form(name: &str) -> Option<(Form, bool)> {
    let rest = name.strip_prefix("MPI_")?;
    let (rest, immediate) = match rest.strip_prefix('I') {
        Some(rest) => (rest.to_owned(), true),
        None => (rest.to_lowercase(), false),
    };
    let form = match rest.as_str() {
        "barrier" => Form::Barrier,
        "bcast" => Form::Bcast,
        "reduce" => Form::Reduce,
        "allreduce" => Form::Allreduce,
        "scan" => Form::Scan,
        "exscan" => Form::Exscan,
        "gather" => Form::Gather,
        "gatherv" => Form::Gatherv,
        "allgather" => Form::Allgather,
        "scatter" => Form::Scatter,
        "alltoall" => Form::Alltoall,
        "reduce_scatter_block" => Form::ReduceScatterBlock,
        _ => return None,
    };
    Some((form, immediate))
}

/// What is to be done with what the others brought.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    name: String,
    form: Form,
    map: TypeMap,
    operator: AccumulateOp,
    root: Option<u32>,
    members: Vec<u32>,
    /// Where the result goes, and how many elements it has.
    into: u64,
    count: u64,
    /// Bytes that a member contributes to or gets from a whole.
    share: u64,
    places: Vec<u64>,
}

impl Job<'_> {
    /// Meets the others of a communicator; what they brought once all are there, and the number of the call.
    #[allow(clippy::too_many_arguments)] // What a collective call is.
    pub(crate) fn meet(
        &mut self,
        site: &Site,
        comm: &Comm,
        expected: usize,
        direction: Direction,
        name: &str,
        words: Vec<u64>,
        data: Vec<u8>,
    ) -> Option<(u64, Rc<Meeting>)> {
        let key = match self.entered(site) {
            Some(Entered::Meeting(key)) => key,
            _ => {
                let key = self.arrive(site, comm, direction, name, words, data, None);
                self.set_entered(site, Entered::Meeting(key));
                key
            }
        };
        self.meetings
            .complete(key, expected)
            .map(|meeting| (key.2, meeting))
    }

    #[allow(clippy::too_many_arguments)] // As above.
    fn arrive(
        &mut self,
        site: &Site,
        comm: &Comm,
        direction: Direction,
        name: &str,
        words: Vec<u64>,
        data: Vec<u8>,
        request: Option<farside_events::RequestId>,
    ) -> MeetingKey {
        let sequence = self.processes[site.rank as usize].handles.sequence(comm.id);
        self.enter(
            site,
            Call::Collective {
                comm: comm.id,
                sequence,
                direction,
                name: name.into(),
                request,
            },
        );
        let key = (Kind::Collective, comm.id.0, sequence);
        self.meetings.arrive(key, site.rank, words, data);
        key
    }

    pub(crate) fn collective_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let Some((form, immediate)) = form(name) else {
            return self.unknown_call(site, name);
        };
        // Send buffer, its count and type; receive buffer and its count and type; operator; root; communicator.
        let (send, receive, operator, root, comm, request) = match form {
            Form::Barrier => (None, None, None, None, 0, 1),
            Form::Bcast => (Some((0, 1, 2)), Some((0, 1, 2)), None, Some(3), 4, 5),
            Form::Reduce => (Some((0, 2, 3)), Some((1, 2, 3)), Some(4), Some(5), 6, 7),
            Form::Allreduce | Form::Scan | Form::Exscan => {
                (Some((0, 2, 3)), Some((1, 2, 3)), Some(4), None, 5, 6)
            }
            Form::ReduceScatterBlock => (Some((0, 2, 3)), Some((1, 2, 3)), Some(4), None, 5, 6),
            Form::Gather | Form::Scatter => (Some((0, 1, 2)), Some((3, 4, 5)), None, Some(6), 7, 8),
            Form::Gatherv => (Some((0, 1, 2)), Some((3, 4, 6)), None, Some(7), 8, 9),
            Form::Allgather | Form::Alltoall => (Some((0, 1, 2)), Some((3, 4, 5)), None, None, 6, 7),
        };
        let Some(comm) = self.comm(site, a[comm].bits) else {
            return self.unknown_call(site, name);
        };
        let members = comm.members.len() as u64;
        if let Some(Entered::Meeting(key)) = self.entered(site)
            && self.meetings.so_far(key) < members as usize
        {
            return Flow::Block;
        }
        let root = root.and_then(|index| self.peer(&comm, a[index].signed32()));
        let is_root = root.is_none_or(|root| root == site.rank);
        let number = |index: usize| u64::from(a[index].bits as u32);
        let in_place = self.abi.in_place;
        let wide = |whole: bool| if whole { members } else { 1 };
        let reads_all = matches!(
            (form, is_root),
            (Form::Scatter, true) | (Form::Alltoall | Form::ReduceScatterBlock, _)
        );
        let (mut data, mut share) = (Vec::new(), 0);
        let mut loads = Vec::new();
        if let Some((buffer, count, kind)) = send {
            let (buffer, count, kind) = match (a[buffer].bits == in_place, receive) {
                (true, Some((r, n, t))) => (a[r].bits, number(n), a[t].bits),
                _ => (a[buffer].bits, number(count), a[kind].bits),
            };
            let matters = match form {
                Form::Bcast | Form::Scatter => is_root,
                _ => true,
            };
            let kind = self.datatype(site, kind);
            share = count * kind.map.size();
            if matters {
                data = self.pack(site.rank, &kind.map, buffer, count * wide(reads_all));
                loads.push((kind.map, buffer, count * wide(reads_all)));
            }
        }
        let mut transfer = None;
        if let Some((buffer, count, kind)) = receive {
            let matters = match form {
                Form::Reduce | Form::Gather | Form::Gatherv => is_root,
                Form::Bcast => !is_root,
                _ => a[buffer].bits != in_place,
            };
            let whole = matches!(form, Form::Gather | Form::Allgather | Form::Alltoall);
            let map = self.datatype(site, a[kind].bits).map;
            let count = if form == Form::Gatherv { 1 } else { number(count) };
            let places = match form {
                Form::Gatherv if is_root => (0..members)
                    .map(|i| self.int_at(site, a[5].bits + 4 * i) as u64)
                    .collect(),
                _ => Vec::new(),
            };
            let made = Transfer {
                name: name.to_owned(),
                form,
                operator: operator.map_or(AccumulateOp::Replace, |index| self.abi.operator(a[index].bits)),
                root,
                members: comm.members.clone(),
                into: a[buffer].bits,
                share: if form == Form::Scatter {
                    count * map.size()
                } else {
                    share
                },
                count: count * wide(whole),
                map,
                places,
            };
            transfer = matters.then_some(made);
        }
        let direction = match (form, root) {
            _ if share == 0 && form != Form::Barrier => Direction::Nothing,
            (Form::Bcast | Form::Scatter, Some(root)) => Direction::FromRoot(Rank(root)),
            (Form::Reduce | Form::Gather | Form::Gatherv, Some(root)) => Direction::ToRoot(Rank(root)),
            (Form::Scan | Form::Exscan, _) => Direction::Prefix,
            _ => Direction::All,
        };
        let first = self.entered(site).is_none();
        if first {
            for (map, buffer, count) in loads {
                self.library_buffer(site, name, AccessKind::Load, &map, buffer, count);
            }
        }
        if immediate {
            let id = self.processes[site.rank as usize].handles.request_id();
            let key = self.arrive(site, &comm, direction, name, Vec::new(), data, Some(id));
            let request_made = Request::Collective {
                comm: comm.id,
                sequence: key.2,
                key,
                then: transfer,
            };
            let handle = self.processes[site.rank as usize]
                .handles
                .add_request(request_made);
            self.put_handle(site, a[request].bits, handle);
            return self.done(site);
        }
        if self
            .meet(site, &comm, members as usize, direction, name, Vec::new(), data)
            .is_none()
        {
            return Flow::Block;
        }
        if let Some(Entered::Meeting(key)) = self.entered(site) {
            self.clear_entered(site);
            let flow = self.done(site);
            self.finish_collective(site, comm.id, key, transfer);
            return flow;
        }
        self.done(site)
    }

    /// Gives a process its result.
    pub(crate) fn finish_collective(
        &mut self,
        site: &Site,
        _comm: CommId,
        key: MeetingKey,
        transfer: Option<Transfer>,
    ) {
        let (Some(transfer), Some(meeting)) = (transfer, self.meetings.complete(key, 0)) else {
            return;
        };
        let data = |member: &u32| meeting.data.get(member).map_or(&[][..], Vec::as_slice);
        let own = transfer
            .members
            .iter()
            .position(|member| *member == site.rank)
            .unwrap_or(0);
        let slice = |bytes: &[u8], index: usize| {
            let start = (index * transfer.share as usize).min(bytes.len());
            bytes[start..(start + transfer.share as usize).min(bytes.len())].to_vec()
        };
        let reduce = |members: &[u32]| {
            let mut parts = members.iter().map(|member| data(member).to_vec());
            let first = parts.next().unwrap_or_default();
            parts.fold(first, |left, right| {
                combine(transfer.operator, &transfer.map, &left, &right)
            })
        };
        let result = match transfer.form {
            Form::Barrier => return,
            Form::Bcast => transfer
                .root
                .as_ref()
                .map_or(Vec::new(), |root| data(root).to_vec()),
            Form::Reduce | Form::Allreduce => reduce(&transfer.members),
            Form::Scan => reduce(&transfer.members[..=own]),
            Form::Exscan if own == 0 => return,
            Form::Exscan => reduce(&transfer.members[..own]),
            Form::ReduceScatterBlock => slice(&reduce(&transfer.members), own),
            Form::Gather | Form::Allgather => transfer
                .members
                .iter()
                .flat_map(|member| data(member).to_vec())
                .collect(),
            Form::Scatter => transfer
                .root
                .as_ref()
                .map_or(Vec::new(), |root| slice(data(root), own)),
            Form::Alltoall => transfer
                .members
                .iter()
                .flat_map(|member| slice(data(member), own))
                .collect(),
            Form::Gatherv => {
                for (member, place) in transfer.members.iter().zip(&transfer.places) {
                    let bytes = data(member).to_vec();
                    let at = transfer
                        .into
                        .wrapping_add_signed(*place as i64 * transfer.map.extent);
                    let count = bytes.len() as u64 / transfer.map.size().max(1);
                    self.library_buffer(site, &transfer.name, AccessKind::Store, &transfer.map, at, count);
                    self.unpack(site.rank, &transfer.map, at, count, &bytes);
                }
                return;
            }
        };
        self.library_buffer(
            site,
            &transfer.name,
            AccessKind::Store,
            &transfer.map,
            transfer.into,
            transfer.count,
        );
        self.unpack(site.rank, &transfer.map, transfer.into, transfer.count, &result);
    }
}

/// What an operator makes of two buffers, element by element of the first basic type.
pub(crate) fn combine(operator: AccumulateOp, map: &TypeMap, left: &[u8], right: &[u8]) -> Vec<u8> {
    let Some(basic) = map.basics.first() else {
        return right.to_vec();
    };
    match operator {
        AccumulateOp::Replace => return right.to_vec(),
        AccumulateOp::NoOp => return left.to_vec(),
        _ => {}
    }
    let size = (basic.size as usize).clamp(1, 8);
    let floating = ["FLOAT", "DOUBLE", "REAL", "DBLPREC"]
        .iter()
        .any(|word| basic.name.contains(word));
    let unsigned = basic.name.contains("UNSIGNED") || basic.name.contains("UINT");
    let mut result = Vec::with_capacity(left.len());
    for (x, y) in left.chunks(size).zip(right.chunks(size)) {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        let (x, y) = (word(x), word(y));
        let value = match (floating, size) {
            (true, 4) => u64::from(
                (float(
                    operator,
                    f64::from(f32::from_bits(x as u32)),
                    f64::from(f32::from_bits(y as u32)),
                ) as f32)
                    .to_bits(),
            ),
            (true, _) => float(operator, f64::from_bits(x), f64::from_bits(y)).to_bits(),
            (false, _) => integer(operator, x, y, 8 * size as u32, unsigned),
        };
        result.extend(&value.to_le_bytes()[..size]);
    }
    result
}

fn float(operator: AccumulateOp, x: f64, y: f64) -> f64 {
    match operator {
        AccumulateOp::Sum => x + y,
        AccumulateOp::Prod => x * y,
        AccumulateOp::Max => x.max(y),
        AccumulateOp::Min => x.min(y),
        _ => y,
    }
}

fn integer(operator: AccumulateOp, x: u64, y: u64, bits: u32, unsigned: bool) -> u64 {
    let key = |value| {
        if unsigned {
            value as i64 as i128 & i128::from(u64::MAX)
        } else {
            i128::from(crate::value::signed(value, bits))
        }
    };
    match operator {
        AccumulateOp::Sum => x.wrapping_add(y),
        AccumulateOp::Prod => x.wrapping_mul(y),
        AccumulateOp::Max => {
            if key(x) >= key(y) {
                x
            } else {
                y
            }
        }
        AccumulateOp::Min => {
            if key(x) <= key(y) {
                x
            } else {
                y
            }
        }
        AccumulateOp::Land => u64::from(x != 0 && y != 0),
        AccumulateOp::Band => x & y,
        AccumulateOp::Lor => u64::from(x != 0 || y != 0),
        AccumulateOp::Bor => x | y,
        AccumulateOp::Lxor => u64::from((x != 0) != (y != 0)),
        AccumulateOp::Bxor => x ^ y,
        _ => y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_work_element_by_element() {
        let bytes = |values: &[i32]| {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let int = TypeMap::basic("MPI_INT", 4);
        let (x, y) = (bytes(&[1, -5]), bytes(&[2, 3]));
        assert_eq!(combine(AccumulateOp::Sum, &int, &x, &y), bytes(&[3, -2]));
        assert_eq!(combine(AccumulateOp::Max, &int, &x, &y), bytes(&[2, 3]));
        assert_eq!(combine(AccumulateOp::NoOp, &int, &x, &y), x);
        let double = TypeMap::basic("MPI_DOUBLE", 8);
        let sum = combine(
            AccumulateOp::Sum,
            &double,
            &1.5f64.to_le_bytes(),
            &2.0f64.to_le_bytes(),
        );
        assert_eq!(sum, 3.5f64.to_le_bytes());
    }

    #[test]
    fn names_tell_the_form() {
        assert_eq!(form("MPI_Bcast"), Some((Form::Bcast, false)));
        assert_eq!(form("MPI_Iallreduce"), Some((Form::Allreduce, true)));
        assert_eq!(form("MPI_Win_fence"), None);
    }
}
