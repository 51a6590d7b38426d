//! What ranks tell one another in a fence: numbers of puts, in a logarithmic number of messages.
//!
//! The messages of all functions are steps of collective calls of the group (`Group::next_call`): ranks call them in
//! the same order. Number of messages a rank sends, for n ranks: `reduce_scatter` and `route` ceil(log2 n); `allreduce`
//! log2 n for a power of two, and up to 2 more otherwise.

use crate::flags;
use crate::mailbox;
use crate::message::to_values;
use crate::window::core::WindowCore;
use crate::{Error, Group, Rank, Result};

/// Sums up vectors with an element for each rank; a rank gets its own element.
///
/// Of a power of two of ranks: recursive halving, with one partner a step ([`Group::recursive_halving`]). Otherwise
/// with two partners, over the circulant graph (Träff: *Optimal, non-pipelined reduce-scatter and allreduce
/// algorithms*, 2024).
pub(super) fn reduce_scatter(group: &Group, mut values: Vec<u32>) -> Result<u32> {
    let (me, size) = (group.rank(), group.size());
    if size.is_power_of_two() {
        return Ok(group.recursive_halving(values, 1, u32::wrapping_add)?[0]);
    }
    let call = group.next_call();
    // By distance: element d is that of the rank d further on.
    values.rotate_left(me as usize);
    for round in (0..flags::rounds(size)).rev() {
        let step = 1usize << round;
        let (to, from) = flags::partners(me, size, round);
        let sent = values.split_off(step.min(values.len()));
        group.send_step(to, call, &sent)?;
        let bytes = group.receive_step(from, call, size_of_val(&*sent))?;
        let received = to_values::<u32>(&bytes)?;
        add(&mut values[..received.len()], &received);
    }
    Ok(values[0])
}

/// Sums up vectors of any length; all ranks get the sums.
pub(super) fn allreduce(group: &Group, values: &mut [u32]) -> Result<()> {
    group.recursive_doubling(values, u32::wrapping_add)
}

/// Brings numbers to ranks, a few from each, and tells all ranks whether some rank says `flag`. Gives what came here.
///
/// The steps are those of a dissemination barrier, and it is one: after it, all ranks have come. A number for the rank
/// d further on travels in the steps of the bits of d, so a rank passes on at the most what was addressed through it.
pub(super) fn route(group: &Group, numbers: Vec<(Rank, u32)>, flag: bool) -> Result<(Vec<u32>, bool)> {
    let (me, size) = (group.rank(), group.size());
    let call = group.next_call();
    let distance = |target: Rank| (target + size - me) % size;
    let (mut here, mut travelling) = (Vec::new(), Vec::new());
    for (target, number) in numbers {
        match distance(target) {
            0 => here.push(number),
            far => travelling.push((far, number)),
        }
    }
    let mut flag = flag;
    for round in 0..flags::rounds(size) {
        let step = 1u32 << round;
        let (to, from) = flags::partners(me, size, round);
        let mut sent = vec![u32::from(flag)];
        travelling.retain(|&(far, number)| {
            let goes = far & step != 0;
            if goes {
                sent.extend([far - step, number]);
            }
            !goes
        });
        group.send_step(to, call, &sent)?;
        let received = receive_any_length(group, from, call)?;
        flag |= received.first().is_some_and(|&theirs| theirs != 0);
        for pair in received.get(1..).unwrap_or_default().chunks_exact(2) {
            match pair[0] {
                0 => here.push(pair[1]),
                far => travelling.push((far, pair[1])),
            }
        }
    }
    Ok((here, flag))
}

/// Waits for a number of empty messages of a call, from whomever.
pub(super) fn receive_signs(window: &WindowCore, call: u64, number: u32) -> Result<()> {
    let core = window.core();
    let mut missing = number;
    core.wait(|| {
        while missing > 0 {
            let wanted = |message: &farside_fabric::Message| mailbox::is_tagged(message, call);
            if core.mailbox.take(core.fabric(), &wanted)?.is_none() {
                return Ok(false);
            }
            missing -= 1;
        }
        Ok(true)
    })
}

fn receive_any_length(group: &Group, source: Rank, call: u64) -> Result<Vec<u32>> {
    to_values(&group.receive_whole(source, call)?)
}

fn add(left: &mut [u32], right: &[u32]) {
    for (left, &right) in left.iter_mut().zip(right) {
        *left = left.wrapping_add(right);
    }
}

/// A vector with the numbers of some ranks, and 0 for the others.
pub(super) fn dense(size: u32, numbers: &[(Rank, u32)], number: impl Fn(u32) -> u32) -> Result<Vec<u32>> {
    let mut all = vec![0; size as usize];
    for &(rank, value) in numbers {
        *all.get_mut(rank as usize)
            .ok_or(Error::RankOutOfRange { rank, size })? = number(value);
    }
    Ok(all)
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;

    /// Beside sums that are computed without any communication.
    #[test]
    fn numbers_arrive_whatever_the_number_of_ranks() {
        for size in 1..=17u32 {
            let value = |from: u32, to: u32| (from * 31 + to * 7) % 5;
            let all = crate::simulate(size, |world| {
                let me = world.rank();
                let row: Vec<u32> = (0..size).map(|to| value(me, to)).collect();
                let scattered = reduce_scatter(world, row.clone())?;
                let mut sums = row;
                allreduce(world, &mut sums)?;
                let sparse = (0..size)
                    .map(|to| (to, value(me, to)))
                    .filter(|&(_, number)| number != 0);
                let (here, flag) = route(world, sparse.collect(), me + 1 == size)?;
                let (_, none) = route(world, Vec::new(), false)?;
                assert!(flag && !none);
                Ok((scattered, sums, here))
            })
            .expect("no deadlock");
            for (me, (scattered, sums, mut here)) in (0..).zip(all) {
                let column = |to: u32| (0..size).map(|from| value(from, to)).sum::<u32>();
                assert_eq!(scattered, column(me), "{size} ranks");
                assert_eq!(sums, (0..size).map(column).collect::<Vec<u32>>(), "{size} ranks");
                let mut expected: Vec<u32> = (0..size)
                    .map(|from| value(from, me))
                    .filter(|&number| number != 0)
                    .collect();
                here.sort_unstable();
                expected.sort_unstable();
                assert_eq!(here, expected, "{size} ranks");
            }
        }
    }
}
