//! What a process takes of what the others brought to a collective call.

use super::{Meeting, combined};
use crate::memory::Content;
use farside_calls::collective::{Gets, Parcel};
use farside_calls::datatype::Elements;
use farside_events::Rank;

/// What process `rank` gets, and where.
pub(crate) fn results(gets: &Gets, meeting: &Meeting, rank: u32) -> Vec<(Elements, Content)> {
    match gets {
        Gets::Parcels(takes) => {
            let results = takes.iter().map(|take| {
                let data = parcel(take.parcel, meeting, take.from, rank)
                    .cloned()
                    .unwrap_or_default();
                let mut into = take.into.clone();
                into.count = into
                    .count
                    .min((data.len() / into.datatype.size().max(1)).cast_signed());
                (into, data)
            });
            results.collect()
        }
        Gets::Reduction(reduction) => {
            let map = reduction.into.datatype.map();
            let brought = |member: &Rank| {
                parcel(Parcel::Number(0), meeting, *member, rank)
                    .cloned()
                    .unwrap_or_default()
            };
            let result = reduction
                .contributors
                .iter()
                .map(brought)
                .reduce(|left, right| combined(reduction.operator, map, &left, &right))
                .unwrap_or_default();
            let taken = result.part(reduction.skipped, u64::MAX);
            vec![(reduction.into.clone(), taken)]
        }
    }
}

/// A parcel of `from`, for process `to`, if there is one.
fn parcel(parcel: Parcel, meeting: &Meeting, from: Rank, to: u32) -> Option<&Content> {
    let number = match parcel {
        Parcel::Number(number) => Some(number),
        Parcel::Addressed(nth) => {
            let addressees = meeting.words(from.0).iter().enumerate();
            let own = addressees.filter(|(_, addressee)| **addressee == u64::from(to));
            own.map(|(position, _)| position).nth(nth)
        }
    };
    // One parcel is for everybody.
    match (meeting.parcels(from.0), number) {
        ([whole], Some(_)) => Some(whole),
        (parcels, Some(number)) => parcels.get(number),
        (_, None) => None,
    }
}
