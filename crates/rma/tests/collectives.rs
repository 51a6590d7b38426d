//! Collective calls that move data, blocking and not, beside what one process computes: one by one, and in random
//! sequences, on every transport that is one process. Over processes: the example `collectives`.

#[path = "support/movements.rs"]
mod movements;
mod support;

use farside::{CollectiveRequest, Error, Operation, Result};
use movements::{FUNCTIONS, Step, every_movement};
use proptest::prelude::*;
use support::with;

#[test]
fn blocks_of_every_width_go_where_they_belong() {
    for ranks in 1..=8 {
        with(ranks, |world| {
            every_movement::<u8>(world, 3)?;
            every_movement::<u16>(world, 1)?;
            every_movement::<[u8; 3]>(world, 5)?;
            every_movement::<u128>(world, 2)?;
            every_movement::<u64>(world, 0)?;
            // More than goes into a message, and than travels together.
            every_movement::<f64>(world, 300)
        });
    }
}

/// Ranks in another order than in the world, of which some are missing.
#[test]
fn blocks_within_a_group() {
    for ranks in [3, 5, 8] {
        with(ranks, |world| {
            let listed: Vec<u32> = (0..ranks).rev().filter(|rank| rank % 4 != 1).collect();
            match world.subgroup(&listed)? {
                Some(group) => every_movement::<u32>(&group, 40),
                None => Ok(()),
            }
        });
    }
}

/// Longer than what is sent without asking.
#[test]
fn long_blocks_are_announced() {
    for ranks in [2, 3, 5] {
        farside::threads(ranks, |world| every_movement::<u64>(world, 40_000)).expect("threads");
    }
    farside::simulate(4, |world| every_movement::<u64>(world, 40_000)).expect("simulated");
}

/// To keep the leftmost digits is associative, and not commutative: it shows the order of ranks.
fn join(left: [u8; 9], right: [u8; 9]) -> [u8; 9] {
    let digits = left.into_iter().chain(right).filter(|&digit| digit != 0);
    let mut all: Vec<u8> = digits.collect();
    all.resize(9, 0);
    all.try_into().expect("nine")
}

#[test]
fn prefixes_are_of_the_ranks_before_in_their_order() {
    for ranks in 1..=9u32 {
        with(ranks, |world| {
            let me = world.rank();
            let upto = |end: u32| {
                let mut digits = [0u8; 9];
                (0..end).for_each(|rank| digits[rank as usize] = rank as u8 + 1);
                digits
            };
            // By puts where memory is mapped, and by messages.
            for length in [1, 500] {
                let mut own = [0; 9];
                own[0] = me as u8 + 1;
                let mut values = vec![own; length];
                world.scan_with(&mut values, join)?;
                assert_eq!(values, vec![upto(me + 1); length]);
                let mut values = vec![own; length];
                world.exscan_with(&mut values, join)?;
                assert_eq!(values, vec![if me == 0 { own } else { upto(me) }; length]);
            }
            let mut sums = [u64::from(me) + 1, 1];
            world.scan(Operation::Sum, &mut sums)?;
            let expected = [u64::from((me + 1) * (me + 2) / 2), u64::from(me + 1)];
            assert_eq!(sums, expected);
            let begun = world.iscan(Operation::Sum, vec![u64::from(me) + 1, 1])?;
            assert_eq!(begun.wait()?, expected);
            let mut before = [me + 1];
            world.exscan(Operation::Max, &mut before)?;
            assert_eq!(before, [me.max(1)]);
            let refused = world.scan(Operation::Xor, &mut [1f32]);
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            Ok(())
        });
    }
}

/// By puts and by messages: the same bits.
#[test]
fn a_scan_of_floating_point_has_the_same_bits_everywhere() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    with(7, |world| {
        let value = [1e16f64, 1.0, -1e16, 1.0, 1e16, -1.0, 0.3][world.rank() as usize];
        let mut few = [value];
        world.scan(Operation::Sum, &mut few)?;
        let mut many = vec![value; 600];
        world.scan(Operation::Sum, &mut many)?;
        assert_eq!(many[599].to_bits(), few[0].to_bits());
        if world.rank() == 6 {
            seen.lock().expect("no panic").insert(few[0].to_bits());
        }
        Ok(())
    });
    assert_eq!(seen.lock().expect("no panic").len(), 1);
}

/// Each asks for the length that the call needs.
#[test]
fn wrong_lengths_are_errors_of_their_rank() {
    with(2, |world| {
        let size = |result: Result<()>| assert!(matches!(result, Err(Error::Length { .. })), "{result:?}");
        let me = world.rank();
        size(world.gather(me, &[1u8], &mut [0; 3]));
        size(world.scatter(me, &[1u8; 3], &mut [0; 1]));
        size(world.gatherv(me, &[1u8], &[1], &mut [0; 1]));
        size(world.gatherv(me, &[1u8], &[1, 1], &mut [0; 3]));
        size(world.gatherv(me, &[1u8, 2], &[1, 1], &mut [0; 2]));
        size(world.scatterv(me, &[1u8; 2], &[1, 1], &mut [0; 2]));
        size(world.allgatherv(&[1u8], &[1, usize::MAX], &mut [0; 2]));
        size(world.alltoall(&[1u8; 3], &mut [0; 3]));
        size(world.alltoall(&[1u8; 2], &mut [0; 4]));
        size(world.alltoallv(&[1u8; 2], &[1, 1], &mut [0; 2], &[2, 0]));
        assert!(matches!(
            world.igather(2, vec![1u8]),
            Err(Error::RankOutOfRange { .. })
        ));
        world.barrier()
    });
}

/// Nobody waits for requests in the order in which they were begun; others are dropped or forgotten.
#[test]
fn requests_are_complete_in_any_order() {
    for ranks in 1..=6 {
        with(ranks, |world| {
            let (me, size) = (world.rank(), world.size());
            let sum = world.iallreduce(Operation::Sum, vec![u64::from(me); 300])?;
            let barrier = world.ibarrier()?;
            drop(world.iallgather(vec![me; 10])?);
            std::mem::forget(world.igather(0, vec![me; 400])?);
            let least = world.ireduce(size - 1, Operation::Min, vec![me + 7])?;
            let mut requests: Vec<CollectiveRequest<Vec<u32>>> = (0..size)
                .map(|root| world.ibroadcast(root, vec![me; 5]))
                .collect::<Result<_>>()?;
            // Blocking ones go their way.
            let mut product = [2u32];
            world.allreduce(Operation::Product, &mut product)?;
            assert_eq!(product, [1 << size]);
            if me % 2 == 1 {
                requests.reverse();
            }
            for request in requests {
                let values = request.wait()?;
                assert_eq!(values, vec![values[0]; 5]);
                assert!(values[0] < size);
            }
            while !barrier.test()? {
                world.compute(std::time::Duration::from_micros(1));
            }
            barrier.wait()?;
            let least = least.wait()?;
            assert_eq!(least, [if me == size - 1 { 7 } else { me + 7 }]);
            assert_eq!(sum.wait()?, vec![u64::from(size) * u64::from(size - 1) / 2; 300]);
            Ok(())
        });
    }
}

/// Rank 1 waits for a message that rank 0 sends after its request; rank 0's needs rank 1 to pass something on.
#[test]
fn requests_go_on_while_their_rank_waits_for_something_else() {
    with(3, |world| {
        let request = world.ibarrier()?;
        let long = world.iallreduce(Operation::Sum, vec![1u64; 50_000])?;
        match world.rank() {
            0 => {
                request.wait()?;
                assert_eq!(long.wait()?[7], 3);
                (1..3).try_for_each(|rank| world.send(rank, 1, &[5u8]))?;
            }
            1 => {
                world.receive::<u8>(Some(0), Some(1))?;
                assert!(request.test()? && long.test()?, "rank 0 has completed them");
            }
            _ => {
                world.receive::<u8>(Some(0), Some(1))?;
                drop((request, long));
            }
        }
        Ok(())
    });
}

/// A world that ends gives up what nobody waited for; what is waited for after it may fail, and does not hang.
#[test]
fn requests_that_nobody_waits_for_end_with_the_world() {
    with(3, |world| {
        std::mem::forget(world.ibarrier()?);
        // Only rank 0 is in this one.
        if world.rank() == 0 {
            let group = world.split(Some(0), 0)?;
            drop(group.map(|group| group.ibroadcast(0, vec![1u8])).transpose()?);
            return Ok(());
        }
        world.split(None, 0).map(drop)
    });
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let length = prop_oneof![4 => 0usize..40, 1 => 100usize..700];
    let step = (0..FUNCTIONS, any::<u32>(), length, 0usize..4, any::<bool>());
    let step = step.prop_map(|(function, root, length, later, in_group)| Step {
        function,
        root,
        length,
        later,
        in_group,
    });
    prop::collection::vec(step, 1..25)
}

/// As many as `PROPTEST_CASES` says, else enough for every day.
fn cases() -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn random_sequences_give_what_one_process_computes(ranks in 1u32..=8, steps in steps()) {
        with(ranks, |world| movements::run(world, &steps));
    }
}
