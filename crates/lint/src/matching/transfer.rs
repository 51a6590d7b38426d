//! What a process takes of what the others brought to a collective call.

use super::{Meeting, combine};
use farside_calls::collective::{Gets, Parcel};
use farside_calls::datatype::Elements;
use farside_events::Rank;

/// What process `rank` gets, and where.
pub(crate) fn results(gets: &Gets, meeting: &Meeting, rank: u32) -> Vec<(Elements, Vec<u8>)> {
    match gets {
        Gets::Parcels(takes) => {
            let results = takes.iter().map(|take| {
                let data = parcel(take.parcel, meeting, take.from, rank).to_vec();
                let mut into = take.into.clone();
                into.count = into
                    .count
                    .min((data.len() as u64 / into.datatype.size().max(1)).cast_signed());
                (into, data)
            });
            results.collect()
        }
        Gets::Reduction(reduction) => {
            let map = reduction.into.datatype.map();
            let brought = |member: &Rank| parcel(Parcel::Number(0), meeting, *member, rank).to_vec();
            let mut result = reduction
                .contributors
                .iter()
                .map(brought)
                .reduce(|left, right| combine(reduction.operator, map, &left, &right))
                .unwrap_or_default();
            result.drain(..(reduction.skipped as usize).min(result.len()));
            vec![(reduction.into.clone(), result)]
        }
    }
}

/// The bytes of a parcel of `from`, for process `to`.
fn parcel(parcel: Parcel, meeting: &Meeting, from: Rank, to: u32) -> &[u8] {
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
        ([whole], Some(_)) => whole,
        (parcels, Some(number)) => parcels.get(number).map_or(&[], Vec::as_slice),
        (_, None) => &[],
    }
}
