//! What a process does with what the others brought to a collective call.

use super::reduction::combine;
use super::side::Part;
use crate::job::Job;
use crate::mpi::meeting::{Meeting, MeetingKey};
use crate::site::Site;
use farside_events::{AccessKind, AccumulateOp};

/// What is to be done once all have arrived.
#[derive(Clone, Debug)]
pub(crate) enum Transfer {
    /// Data arrive as they are.
    Parcels(Vec<Take>),
    /// Data are combined.
    Reduction(Reduction),
}

/// One parcel of another process, and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Take {
    pub(super) from: u32,
    pub(super) parcel: Parcel,
    pub(super) into: Part,
}

/// Which of a process' parcels.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parcel {
    /// By its number.
    Number(usize),
    /// The n-th of those that it addressed to this process (edges of a graph may be there twice).
    Addressed(usize),
}

/// A combination of what some processes brought.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    pub(super) operator: AccumulateOp,
    pub(super) contributors: Vec<u32>,
    pub(super) into: Part,
    /// Bytes of the result that belong to others before.
    pub(super) skipped: u64,
}

impl Job<'_> {
    /// Gives a process its results.
    pub(crate) fn finish_collective(
        &mut self,
        site: &Site,
        name: &str,
        key: MeetingKey,
        then: Option<Transfer>,
    ) {
        let Some(meeting) = self.meetings.complete(key, 0) else {
            return;
        };
        match then {
            None => {}
            Some(Transfer::Parcels(takes)) => {
                for take in takes {
                    let data = take.parcel.of(&meeting, take.from, site.rank).to_vec();
                    let size = take.into.map.size().max(1);
                    let count = take.into.count.min(data.len() as u64 / size);
                    self.deliver(site, name, &Part { count, ..take.into }, &data);
                }
            }
            Some(Transfer::Reduction(reduction)) => {
                let brought = |member: &u32| Parcel::Number(0).of(&meeting, *member, site.rank).to_vec();
                let map = &reduction.into.map;
                let result = reduction
                    .contributors
                    .iter()
                    .map(brought)
                    .reduce(|left, right| combine(reduction.operator, map, &left, &right))
                    .unwrap_or_default();
                let start = (reduction.skipped as usize).min(result.len());
                self.deliver(site, name, &reduction.into, &result[start..]);
            }
        }
    }

    fn deliver(&mut self, site: &Site, name: &str, into: &Part, data: &[u8]) {
        let Part { map, address, count } = into;
        self.library_buffer(site, name, AccessKind::Store, map, *address, *count);
        self.unpack(site.rank, map, *address, *count, data);
    }
}

impl Parcel {
    /// The bytes of this parcel of `from`, for process `to`.
    fn of(self, meeting: &Meeting, from: u32, to: u32) -> &[u8] {
        let parcels = meeting.parcels.get(&from).map_or(&[][..], Vec::as_slice);
        let number = match self {
            Parcel::Number(number) => Some(number),
            Parcel::Addressed(nth) => meeting.words.get(&from).and_then(|addressees| {
                let own = addressees.iter().enumerate();
                own.filter(|(_, addressee)| **addressee == u64::from(to))
                    .nth(nth)
                    .map(|(position, _)| position)
            }),
        };
        // One parcel is for everybody.
        match (parcels, number) {
            ([whole], Some(_)) => whole,
            (parcels, Some(number)) => parcels.get(number).map_or(&[], Vec::as_slice),
            (_, None) => &[],
        }
    }
}
