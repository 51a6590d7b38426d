//! Groups, collective calls and messages.

mod support;

use farside::{Error, Message, Operation, Result, World};
use support::{everywhere, with};

#[test]
fn a_broadcast_reaches_all_from_every_root() {
    everywhere(|world| {
        for root in 0..world.size() {
            for length in [0, 1, 3000] {
                let mut values = vec![
                    if world.rank() == root {
                        7u64 + u64::from(root)
                    } else {
                        0
                    };
                    length
                ];
                world.broadcast(root, &mut values)?;
                assert_eq!(values, vec![7 + u64::from(root); length]);
            }
        }
        Ok(())
    });
}

/// The order of ranks is seen with a function that is associative but not commutative: to keep the leftmost digits.
#[test]
fn reductions_combine_in_the_order_of_ranks() {
    let join = |left: [u8; 8], right: [u8; 8]| {
        let mut all: Vec<u8> = left
            .into_iter()
            .chain(right)
            .filter(|&digit| digit != 0)
            .collect();
        all.resize(8, 0);
        all.try_into().expect("eight")
    };
    for ranks in 1..=8 {
        with(ranks, |world| {
            let mut expected = [0; 8];
            (0..world.size()).for_each(|rank| expected[rank as usize] = rank as u8 + 1);
            let mut own = [0; 8];
            own[0] = world.rank() as u8 + 1;
            let mut values = [own];
            world.allreduce_with(&mut values, join)?;
            assert_eq!(values, [expected]);
            for root in 0..world.size() {
                let mut values = [own];
                world.reduce_with(root, &mut values, join)?;
                assert_eq!(values, [if world.rank() == root { expected } else { own }]);
            }
            Ok(())
        });
    }
}

#[test]
fn reductions_of_numbers() {
    everywhere(|world| {
        let (rank, size) = (i64::from(world.rank()), i64::from(world.size()));
        let mut values: Vec<i64> = (0..500).map(|index| index + rank).collect();
        world.allreduce(Operation::Sum, &mut values)?;
        let expected = (0..500).map(|index| index * size + size * (size - 1) / 2);
        assert!(values.iter().copied().eq(expected));
        let mut least = [rank, -rank];
        world.allreduce(Operation::Min, &mut least)?;
        assert_eq!(least, [0, 1 - size]);
        let mut floats = [1.5f32];
        world.reduce(0, Operation::Product, &mut floats)?;
        assert!(world.rank() != 0 || floats == [1.5f32.powi(size as i32)]);
        assert!(matches!(
            world.allreduce(Operation::Xor, &mut floats),
            Err(Error::Unsupported { .. })
        ));
        Ok(())
    });
}

/// Elements that are aligned to more than a word.
#[test]
fn reductions_of_wide_elements() {
    with(3, |world| {
        let mut values = [u128::from(world.rank()) << 100; 2];
        world.allreduce_with(&mut values, |left, right| left + right)?;
        assert_eq!(values, [3 << 100; 2]);
        Ok(())
    });
}

#[test]
fn each_rank_gets_its_block_of_a_reduce_scatter() {
    everywhere(|world| {
        for length in [1, 400] {
            let size = world.size() as usize;
            let values: Vec<u32> = (0..size * length)
                .map(|index| index as u32 + world.rank())
                .collect();
            let mut block = vec![0; length];
            world.reduce_scatter(Operation::Sum, &values, &mut block)?;
            let of_ranks: u32 = (0..world.size()).sum();
            for (index, &value) in block.iter().enumerate() {
                let place = (world.rank() as usize * length + index) as u32;
                assert_eq!(value, place * world.size() + of_ranks);
            }
            let wrong = world.reduce_scatter(Operation::Sum, &values[1..], &mut block);
            assert!(matches!(wrong, Err(Error::Length { .. })), "{wrong:?}");
        }
        Ok(())
    });
}

/// Halving combines along the tree of doubling: the order of ranks, and the same bits.
#[test]
fn a_reduce_scatter_has_the_bits_of_an_allreduce() {
    for ranks in 1..=9u32 {
        farside::simulate(ranks, |world| {
            let (me, size) = (world.rank() as usize, world.size() as usize);
            for length in [0, 1, 3, 700] {
                let value = |index: usize| 0.1 + index as f64 / (3.0 + me as f64);
                let values: Vec<f64> = (0..size * length).map(value).collect();
                for operation in [
                    Operation::Sum,
                    Operation::Product,
                    Operation::Max,
                    Operation::Replace,
                    Operation::NoOp,
                ] {
                    let mut all = values.clone();
                    world.allreduce(operation, &mut all)?;
                    let mut block = vec![0.0; length];
                    world.reduce_scatter(operation, &values, &mut block)?;
                    assert_eq!(
                        block,
                        all[me * length..][..length],
                        "{operation:?}, {length}, {ranks} ranks"
                    );
                }
            }
            Ok(())
        })
        .expect("nobody dies");
    }
}

#[test]
fn an_allgather_is_in_the_order_of_ranks() {
    for ranks in 1..=7 {
        with(ranks, |world| {
            for length in [0, 1, 700] {
                let values = vec![world.rank() as u16; length];
                let mut all = vec![99; length * world.size() as usize];
                world.allgather(&values, &mut all)?;
                let expected = (0..world.size() as u16).flat_map(|rank| vec![rank; length]);
                assert!(all.iter().copied().eq(expected));
            }
            let wrong = world.allgather(&[1u8], &mut []);
            assert!(matches!(wrong, Err(Error::Length { .. })));
            Ok(())
        });
    }
}

#[test]
fn nobody_leaves_a_barrier_before_everybody_came() {
    with(4, |world| {
        for round in 0..5 {
            if world.rank() != 0 {
                world.send(0, round, &[round])?;
            }
            world.barrier()?;
            world.barrier()?;
            if world.rank() == 0 {
                for source in 1..4 {
                    // Sent before the barrier, so on its way at least; and none of a later round.
                    let message: Message<u32> = world.receive(Some(source), None)?;
                    assert_eq!(message.values, [round]);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_split_orders_by_key_and_then_by_rank() {
    with(4, |world| {
        let me = world.rank();
        // Odd ranks, the last one first; even ones; nobody else.
        let group = world
            .split(Some(me % 2), -(me as i32 / 2))?
            .expect("a colour was given");
        assert_eq!(group.size(), 2);
        assert_eq!(group.world_rank(0)?, 2 + me % 2);
        assert_eq!(group.rank_of(me), Some(group.rank()));
        let mut sum = [u64::from(me)];
        group.allreduce(Operation::Sum, &mut sum)?;
        assert_eq!(sum, [2 + 2 * u64::from(me % 2)]);
        group.barrier()?;
        let none = world.split((me == 3).then_some(u32::MAX), 0)?;
        assert_eq!(none.is_some(), me == 3);
        assert_eq!(group.rank_of((me + 1) % 4), None);
        Ok(())
    });
}

#[test]
fn a_subgroup_has_the_listed_ranks_in_their_order() {
    with(4, |world| {
        let group = world.subgroup(&[3, 1])?;
        assert_eq!(group.is_some(), world.rank() == 3 || world.rank() == 1);
        if let Some(group) = group {
            let mut all = [9, 9];
            group.allgather(&[world.rank()], &mut all)?;
            assert_eq!(all, [3, 1]);
            assert!(matches!(
                group.world_rank(2),
                Err(Error::RankOutOfRange { rank: 2, size: 2 })
            ));
        }
        assert!(world.subgroup(&[0, 4]).is_err());
        assert!(world.subgroup(&[0, 0]).is_err());
        Ok(())
    });
}

#[test]
fn messages_of_different_groups_do_not_mix() {
    with(2, |world| {
        let other = 1 - world.rank();
        let group = world.duplicate()?;
        world.send(other, 1, &[10u8])?;
        group.send(other, 1, &[20u8])?;
        assert_eq!(group.receive::<u8>(Some(other), Some(1))?.values, [20]);
        assert_eq!(world.receive::<u8>(None, None)?.values, [10]);
        Ok(())
    });
}

#[test]
fn messages_of_any_length_arrive_in_order() {
    everywhere(|world| {
        let next = (world.rank() + 1) % world.size();
        let previous = (world.rank() + world.size() - 1) % world.size();
        // Above and below the limit of a part, and none.
        for length in [0usize, 1, 127, 128, 129, 5000] {
            let values: Vec<u64> = (0..length as u64).collect();
            world.send(next, length as u32, &values)?;
        }
        for length in [0usize, 1, 127, 128, 129, 5000] {
            let message: Message<u64> = world.receive(Some(previous), None)?;
            assert_eq!((message.source, message.tag), (previous, length as u32));
            assert!(message.values.into_iter().eq(0..length as u64));
        }
        assert_eq!(world.try_receive::<u8>(None, None)?, None);
        Ok(())
    });
}

#[test]
fn a_receive_chooses_by_source_and_tag() {
    with(3, |world| {
        if world.rank() != 0 {
            world.send(0, 5, &[world.rank()])?;
            world.send(0, 6, &[world.rank() + 10])?;
            return Ok(());
        }
        assert_eq!(world.receive::<u32>(Some(2), Some(6))?.values, [12]);
        assert_eq!(world.receive::<u32>(Some(1), None)?.values, [1]);
        assert_eq!(world.receive::<u32>(None, Some(5))?.values, [2]);
        assert_eq!(world.receive::<u32>(None, None)?.values, [11]);
        Ok(())
    });
}

#[test]
fn wrong_ranks_and_lengths_are_errors() {
    with(2, |world| {
        assert_eq!(
            world.send(2, 0, &[0u8]),
            Err(Error::RankOutOfRange { rank: 2, size: 2 })
        );
        assert!(world.broadcast(9, &mut [0u8]).is_err());
        assert!(world.receive::<u8>(Some(2), None).is_err());
        world.send(1 - world.rank(), 0, &[1u8, 2, 3])?;
        let odd = world.receive::<u16>(None, None);
        assert!(matches!(odd, Err(Error::Length { found: 3, .. })), "{odd:?}");
        Ok(())
    });
}

/// A floating-point sum has the same bits in every run and at every rank, whatever the network does.
#[test]
fn sums_of_floating_point_are_the_same_in_every_run() {
    let bits = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let program = |world: &World| -> Result<()> {
        // Which ones are left over depends on the order in which they meet.
        let value = [1e16f64, 1.0, -1e16, 1.0, 1e16, -1.0, -1e16][world.rank() as usize];
        let mut values = [value, 0.1 * value];
        world.allreduce(Operation::Sum, &mut values)?;
        bits.lock().expect("no panic").insert(values.map(f64::to_bits));
        Ok(())
    };
    with(7, program);
    assert_eq!(bits.lock().expect("no panic").len(), 1);
}
