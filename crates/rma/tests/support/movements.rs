//! Collective calls that move data, with values that tell whose they are, beside what one process computes: one by one,
//! and in sequences of any calls, blocking and not, on two groups. Each checks its results itself.

use farside::{CollectiveRequest, Group, Operation, Plain, Result, World};

/// What rank `rank` gives to rank `to`, in the call of this number: any, but different ones.
fn value(call: u32, rank: u32, to: u32, index: usize) -> u64 {
    let mixed = u64::from(call) << 40 | u64::from(rank) << 28 | u64::from(to) << 16 | index as u64;
    mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8
}

/// The same as an element of any width.
pub(crate) trait Wide: Plain + PartialEq + std::fmt::Debug {
    fn of(value: u64) -> Self;
}

macro_rules! wide {
    ($($type:ty),*) => { $(impl Wide for $type {
        fn of(value: u64) -> Self {
            value as $type
        }
    })* };
}

wide!(u8, u16, u32, u64, u128, f32, f64);

impl Wide for [u8; 3] {
    fn of(value: u64) -> Self {
        [value as u8, (value >> 8) as u8, (value >> 16) as u8]
    }
}

fn block<T: Wide>(call: u32, rank: u32, to: u32, length: usize) -> Vec<T> {
    (0..length)
        .map(|index| T::of(value(call, rank, to, index)))
        .collect()
}

/// A length of its own for each rank or pair, 0 among them.
fn own_length(length: usize, rank: u32, to: u32) -> usize {
    match (rank * 3 + to * 5) % 4 {
        0 => 0,
        part => length * part as usize / 3,
    }
}

/// Every function that moves blocks, of elements of one type, with every root.
pub(crate) fn every_movement<T: Wide>(group: &Group, length: usize) -> Result<()> {
    let (me, size) = (group.rank(), group.size());
    let zero = || T::of(0);
    let all_of = |of: &dyn Fn(u32) -> Vec<T>| (0..size).flat_map(of).collect::<Vec<T>>();
    for root in 0..size {
        let own = block::<T>(1, me, root, length);
        let gathered = all_of(&|rank| block(1, rank, root, length));
        let mut all = vec![zero(); if me == root { gathered.len() } else { 0 }];
        group.gather(root, &own, &mut all)?;
        assert!(me != root || all == gathered, "gather to {root}");
        let begun = group.igather(root, own.clone())?.wait()?;
        assert_eq!(begun, all, "igather to {root}");

        let given = all_of(&|rank| block(2, root, rank, length));
        let mut got = vec![zero(); length];
        group.scatter(root, if me == root { &given } else { &[] }, &mut got)?;
        assert_eq!(got, block::<T>(2, root, me, length), "scatter from {root}");
        let given_by_root = if me == root { given } else { Vec::new() };
        assert_eq!(
            group.iscatter(root, given_by_root, length)?.wait()?,
            got,
            "iscatter"
        );

        let lengths: Vec<usize> = (0..size).map(|rank| own_length(length, rank, root)).collect();
        let of = |call, rank: u32, from| block::<T>(call, from, rank, lengths[rank as usize]);
        let gathered = all_of(&|rank| of(3, rank, rank));
        let mut all = vec![zero(); gathered.len()];
        match me == root {
            true => group.gatherv(root, &of(3, me, me), &lengths, &mut all)?,
            false => group.gatherv(root, &of(3, me, me), &[], &mut [])?,
        }
        assert!(me != root || all == gathered, "gatherv to {root}");
        let given = all_of(&|rank| of(4, rank, root));
        let mut got = vec![zero(); lengths[me as usize]];
        match me == root {
            true => group.scatterv(root, &given, &lengths, &mut got)?,
            false => group.scatterv(root, &[], &[], &mut got)?,
        }
        assert_eq!(got, of(4, me, root), "scatterv from {root}");
        let mut all = vec![zero(); gathered.len()];
        group.allgatherv(&of(3, me, me), &lengths, &mut all)?;
        assert_eq!(all, gathered, "allgatherv");

        let mut values = block::<T>(5, if me == root { root } else { me }, 0, length);
        let begun = group.ibroadcast(root, values.clone())?;
        group.broadcast(root, &mut values)?;
        assert_eq!(values, block::<T>(5, root, 0, length), "broadcast from {root}");
        assert_eq!(begun.wait()?, values, "ibroadcast from {root}");
    }
    let own = block::<T>(6, me, 0, length);
    let mut all = vec![zero(); length * size as usize];
    group.allgather(&own, &mut all)?;
    assert_eq!(all, all_of(&|rank| block(6, rank, 0, length)), "allgather");
    assert_eq!(group.iallgather(own)?.wait()?, all, "iallgather");

    let values = all_of(&|to| block(7, me, to, length));
    group.alltoall(&values, &mut all)?;
    assert_eq!(all, all_of(&|from| block(7, from, me, length)), "alltoall");
    assert_eq!(group.ialltoall(values)?.wait()?, all, "ialltoall");
    let lengths = |of: &dyn Fn(u32) -> usize| (0..size).map(of).collect::<Vec<usize>>();
    let given = lengths(&|to| own_length(length, me, to));
    let taken = lengths(&|from| own_length(length, from, me));
    let values = all_of(&|to| block(8, me, to, own_length(length, me, to)));
    let mut all = vec![zero(); taken.iter().sum()];
    group.alltoallv(&values, &given, &mut all, &taken)?;
    assert_eq!(
        all,
        all_of(&|from| block(8, from, me, own_length(length, from, me)))
    );
    Ok(())
}

/// Functions that a random sequence has.
pub(crate) const FUNCTIONS: u32 = 14;

/// One call of a random sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) function: u32,
    pub(crate) root: u32,
    pub(crate) length: usize,
    /// Of those that do not block: how many calls later it is waited for; 0: it blocks.
    pub(crate) later: usize,
    /// In the group of every rank but one, or in the world.
    pub(crate) in_group: bool,
}

/// What a call gave: now, or what it will give.
enum Given {
    Now(Vec<u64>),
    Later(CollectiveRequest<Vec<u64>>),
}

/// Makes a call, or begins it, and gives what it gave beside what one process computes of what all ranks give.
fn make(group: &Group, number: u32, step: Step) -> Result<(Given, Vec<u64>)> {
    let (me, size) = (group.rank(), group.size());
    let (length, root) = (step.length, step.root % group.size());
    let of = |rank: u32, to: u32| block::<u64>(number, rank, to, length);
    let own = of(me, 0);
    let sum = |ranks: std::ops::Range<u32>| -> Vec<u64> {
        let mut sums = vec![0u64; length];
        for rank in ranks {
            let values = of(rank, 0);
            sums.iter_mut()
                .zip(values)
                .for_each(|(sum, value)| *sum = sum.wrapping_add(value));
        }
        sums
    };
    let gathered = || (0..size).flat_map(|rank| of(rank, 0)).collect::<Vec<u64>>();
    let at_root = |expected: Vec<u64>, elsewhere: Vec<u64>| if me == root { expected } else { elsewhere };
    let blocks = |from: u32| (0..size).flat_map(move |to| of(from, to)).collect::<Vec<u64>>();
    let mut values = own.clone();
    let mut all = vec![0; length * size as usize];
    let blocking = step.later == 0;
    use Given::{Later, Now};
    Ok(match (step.function, blocking) {
        (0, true) => (
            group.broadcast(root, &mut values).map(|()| Now(values))?,
            of(root, 0),
        ),
        (0, false) => (Later(group.ibroadcast(root, own)?), of(root, 0)),
        (1, true) => {
            group.gather(root, &own, &mut all)?;
            (Now(at_root(all, Vec::new())), at_root(gathered(), Vec::new()))
        }
        (1, false) => (Later(group.igather(root, own)?), at_root(gathered(), Vec::new())),
        (2, true) => {
            group.scatter(root, &at_root(blocks(root), Vec::new()), &mut values)?;
            (Now(values), of(root, me))
        }
        (2, false) => {
            let given = at_root(blocks(root), Vec::new());
            (Later(group.iscatter(root, given, length)?), of(root, me))
        }
        (3, true) => (group.allgather(&own, &mut all).map(|()| Now(all))?, gathered()),
        (3, false) => (Later(group.iallgather(own)?), gathered()),
        (4, true) => {
            group.alltoall(&blocks(me), &mut all)?;
            (Now(all), (0..size).flat_map(|from| of(from, me)).collect())
        }
        (4, false) => {
            let expected = (0..size).flat_map(|from| of(from, me)).collect();
            (Later(group.ialltoall(blocks(me))?), expected)
        }
        (5, true) => {
            group.reduce(root, Operation::Sum, &mut values)?;
            (Now(values), at_root(sum(0..size), own))
        }
        (5, false) => {
            let expected = at_root(sum(0..size), own.clone());
            (Later(group.ireduce(root, Operation::Sum, own)?), expected)
        }
        (6, true) => {
            group.allreduce(Operation::Sum, &mut values)?;
            (Now(values), sum(0..size))
        }
        (6, false) => (Later(group.iallreduce(Operation::Sum, own)?), sum(0..size)),
        (7, true) => {
            group.scan(Operation::Sum, &mut values)?;
            (Now(values), sum(0..me + 1))
        }
        (7, false) => (Later(group.iscan(Operation::Sum, own)?), sum(0..me + 1)),
        (8, _) => {
            group.exscan(Operation::Sum, &mut values)?;
            (Now(values), if me == 0 { own } else { sum(0..me) })
        }
        (9, _) => {
            let lengths: Vec<usize> = (0..size).map(|rank| own_length(length, rank, root)).collect();
            let expected: Vec<u64> = (0..size)
                .flat_map(|rank| block(number, rank, 0, lengths[rank as usize]))
                .collect();
            let mut all = vec![0; expected.len()];
            group.gatherv(root, &own[..lengths[me as usize]], &lengths, &mut all)?;
            (Now(at_root(all, Vec::new())), at_root(expected, Vec::new()))
        }
        (10, _) => {
            let lengths: Vec<usize> = (0..size).map(|rank| own_length(length, root, rank)).collect();
            let of = |rank: u32| block::<u64>(number, root, rank, lengths[rank as usize]);
            let given: Vec<u64> = (0..size).flat_map(of).collect();
            let mut got = vec![0; lengths[me as usize]];
            group.scatterv(root, &given, &lengths, &mut got)?;
            (Now(got), of(me))
        }
        (11, _) => {
            let lengths: Vec<usize> = (0..size).map(|rank| own_length(length, rank, 1)).collect();
            let of = |rank: u32| block::<u64>(number, rank, 0, lengths[rank as usize]);
            let expected: Vec<u64> = (0..size).flat_map(of).collect();
            let mut all = vec![0; expected.len()];
            group.allgatherv(&of(me), &lengths, &mut all)?;
            (Now(all), expected)
        }
        (12, _) => {
            let of = |from: u32, to: u32| block::<u64>(number, from, to, own_length(length, from, to));
            let given: Vec<usize> = (0..size).map(|to| own_length(length, me, to)).collect();
            let taken: Vec<usize> = (0..size).map(|from| own_length(length, from, me)).collect();
            let values: Vec<u64> = (0..size).flat_map(|to| of(me, to)).collect();
            let expected: Vec<u64> = (0..size).flat_map(|from| of(from, me)).collect();
            let mut all = vec![0; expected.len()];
            group.alltoallv(&values, &given, &mut all, &taken)?;
            (Now(all), expected)
        }
        _ => {
            let mut got = vec![0; length];
            let given: Vec<u64> = blocks(me);
            group.reduce_scatter(Operation::Max, &given, &mut got)?;
            let most = |index: usize| (0..size).map(|from| of(from, me)[index]).max();
            (Now(got), (0..length).filter_map(most).collect())
        }
    })
}

/// Makes these calls, and compares what each gives.
pub(crate) fn run(world: &World, steps: &[Step]) -> Result<()> {
    let others: Vec<u32> = (1..world.size())
        .rev()
        .chain([0])
        .skip(usize::from(world.size() > 2))
        .collect();
    let group = world.subgroup(&others)?;
    let mut open = Vec::new();
    for (number, &step) in (0..).zip(steps) {
        let made = match (step.in_group, &group) {
            (true, Some(group)) => Some(make(group, number, step)?),
            (true, None) => None,
            (false, _) => Some(make(world, number, step)?),
        };
        match made {
            Some((Given::Now(got), expected)) => assert_eq!(got, expected, "call {number}: {step:?}"),
            Some((Given::Later(request), expected)) => open.push((step.later, request, expected)),
            None => {}
        }
        let mut rest = Vec::new();
        for (later, request, expected) in open {
            match later {
                0 => assert_eq!(request.wait()?, expected, "before call {number}"),
                later => rest.push((later - 1, request, expected)),
            }
        }
        open = rest;
    }
    // Each waits in another order for what is left.
    if world.rank() % 2 == 1 {
        open.reverse();
    }
    for (_, request, expected) in open {
        assert_eq!(request.wait()?, expected, "at the end");
    }
    Ok(())
}
