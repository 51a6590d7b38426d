//! Which processors a rank has: whether each rank has one of its own, and to which a rank is bound.
//!
//! Where all ranks may run on the same processors, and there are enough, they share them out evenly: a rank keeps room
//! for its threads. Where a launcher has bound ranks already, nothing is changed. `FARSIDE_PIN=none` binds nobody.

use farside_fabric::{Rank, Result};
use rustix::thread::CpuSet;

use crate::segment::system;

/// The place of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Each rank has a processor of its own.
    pub(crate) dedicated: bool,
    /// To which the rank should be bound.
    pub(crate) share: Option<Vec<usize>>,
}

impl Place {
    /// Of a rank that shares processors with others.
    pub(crate) const IN_A_CROWD: Self = Self {
        dedicated: false,
        share: None,
    };
}

/// Processors of a mask as [`Card`](crate::card::Card) has it.
fn numbers(mask: &[u8]) -> Vec<usize> {
    (0..mask.len() * 8)
        .filter(|number| mask[number / 8] >> (number % 8) & 1 == 1)
        .collect()
}

/// The place of `rank`, by what all ranks may run on. All ranks come to the same answer.
pub(crate) fn place(masks: &[Vec<u8>], rank: Rank) -> Place {
    let ranks = masks.len();
    let Some(first) = masks.first() else {
        return Place::IN_A_CROWD;
    };
    if masks.iter().all(|mask| mask == first) {
        let there = numbers(first);
        let dedicated = ranks <= there.len();
        let bound = |number: usize| number * there.len() / ranks;
        let share =
            (dedicated && ranks > 1).then(|| there[bound(rank as usize)..bound(rank as usize + 1)].to_vec());
        return Place { dedicated, share };
    }
    let mut all: Vec<usize> = masks.iter().flat_map(|mask| numbers(mask)).collect();
    all.sort_unstable();
    all.dedup();
    let fits = |mask: &Vec<u8>| masks.iter().filter(|other| *other == mask).count() <= numbers(mask).len();
    Place {
        dedicated: ranks <= all.len() && masks.iter().all(fits),
        share: None,
    }
}

/// What the calling thread may run on.
pub(crate) fn own_mask() -> Result<Vec<u8>> {
    let set = rustix::thread::sched_getaffinity(None).map_err(|error| system("sched_getaffinity", error))?;
    let mut mask = vec![0_u8; CpuSet::MAX_CPU / 8];
    for number in (0..CpuSet::MAX_CPU).filter(|number| set.is_set(*number)) {
        mask[number / 8] |= 1 << (number % 8);
    }
    while mask.last() == Some(&0) {
        mask.pop();
    }
    Ok(mask)
}

/// Binds the calling thread, and those that it starts from now on.
pub(crate) fn bind(share: &[usize]) -> Result<()> {
    let mut set = CpuSet::new();
    for number in share {
        set.set(*number);
    }
    rustix::thread::sched_setaffinity(None, &set).map_err(|error| system("sched_setaffinity", error))
}

/// Whether the user allows binding.
pub(crate) fn wanted() -> bool {
    std::env::var_os("FARSIDE_PIN").is_none_or(|value| value != "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(masks: &[&[u8]]) -> Vec<Place> {
        let masks: Vec<Vec<u8>> = masks.iter().map(|mask| mask.to_vec()).collect();
        (0..masks.len() as Rank).map(|rank| place(&masks, rank)).collect()
    }

    fn shares(masks: &[&[u8]]) -> Vec<Option<Vec<usize>>> {
        places(masks).into_iter().map(|place| place.share).collect()
    }

    #[test]
    fn ranks_share_out_what_all_may_use() {
        assert_eq!(shares(&[&[0b11], &[0b11]]), [Some(vec![0]), Some(vec![1])]);
        assert_eq!(
            shares(&[&[0b1_1110, 1], &[0b1_1110, 1]]),
            [Some(vec![1, 2]), Some(vec![3, 4, 8])]
        );
        assert!(places(&[&[0b11], &[0b11]]).iter().all(|place| place.dedicated));
    }

    #[test]
    fn one_rank_keeps_all_and_too_many_are_not_bound() {
        assert_eq!(shares(&[&[0xFF]]), [None]);
        let crowd = places(&[&[0b11], &[0b11], &[0b11]]);
        assert!(
            crowd
                .iter()
                .all(|place| !place.dedicated && place.share.is_none())
        );
    }

    #[test]
    fn what_a_launcher_has_bound_stays() {
        let bound = places(&[&[0b01], &[0b10]]);
        assert!(bound.iter().all(|place| place.dedicated && place.share.is_none()));
        // Three processors for three ranks, but two of them are bound to one.
        let crowd = places(&[&[0b001], &[0b001], &[0b110]]);
        assert!(
            crowd
                .iter()
                .all(|place| !place.dedicated && place.share.is_none())
        );
    }

    #[test]
    fn a_thread_is_bound_within_its_mask() {
        std::thread::spawn(|| {
            let before = numbers(&own_mask().expect("a mask"));
            bind(&before[..1]).expect("within the mask");
            assert_eq!(numbers(&own_mask().expect("a mask")), before[..1]);
        })
        .join()
        .expect("no panic");
    }
}
