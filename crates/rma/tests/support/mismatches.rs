//! Calls that do not match: all ranks get one error, which names both.

use farside::{Error, Fence, Group, Operation, Result, Window, World};
use std::time::Duration;

/// A collective call, by the beginning of what the error calls it, on a group and a window of it that exists.
pub(crate) struct Call {
    name: &'static str,
    make: fn(&Group, Window<u32>) -> Result<()>,
}

/// Two calls that do not match: ranks of even numbers make the first, others the second.
pub(crate) struct Case {
    first: Call,
    second: Call,
}

const fn call(name: &'static str, make: fn(&Group, Window<u32>) -> Result<()>) -> Call {
    Call { name, make }
}

/// One of every collective function.
pub(crate) const CALLS: &[Call] = &[
    call("barrier,", |group, _| group.barrier()),
    call("broadcast of 2 u64 with root 0", |group, _| {
        group.broadcast(0, &mut [1u64, 2])
    }),
    call("reduce(Sum) of 2 u64 with root 1", |group, _| {
        group.reduce(1, Operation::Sum, &mut [1u64, 2])
    }),
    call("allreduce(Sum) of 2 u64", |group, _| {
        group.allreduce(Operation::Sum, &mut [1u64, 2])
    }),
    call("reduce_scatter(Sum) of 2 u64", |group, _| {
        let values = vec![1u64; 2 * group.size() as usize];
        group.reduce_scatter(Operation::Sum, &values, &mut [0, 0])
    }),
    call("allgather of 2 u64", |group, _| {
        let mut all = vec![0; 2 * group.size() as usize];
        group.allgather(&[1u64, 2], &mut all)
    }),
    call("split,", |group, _| group.split(Some(0), 0).map(drop)),
    call("subgroup of 1 ranks", |group, _| group.subgroup(&[0]).map(drop)),
    call("duplicate,", |group, _| group.duplicate().map(drop)),
    call("Window::allocate,", |group, _| {
        Window::<u8>::allocate(group, 8).map(drop)
    }),
    call("Window::create,", |group, _| {
        Window::create(group, vec![1u8]).map(drop)
    }),
    call("Window::dynamic,", |group, _| {
        Window::<u8>::dynamic(group).map(drop)
    }),
    call("free on window 0", |_, window| window.free()),
    call("into_passive on window 0", |_, window| {
        window.into_passive().map(drop)
    }),
    call("fence (its beginning) on window 0", |_, mut window| {
        window.fence(|_| Ok(()))
    }),
    call("fences (its beginning) on window 0", |_, mut window| {
        window.fences(|_| Ok(()))
    }),
    call("set_fence with `fence-count` on window 0", |_, mut window| {
        window.set_fence(Fence::Count)
    }),
    call(
        "set_neighbours with `fence-neighbour` on window 0",
        |_, mut window| window.set_neighbours(&[]),
    ),
];

/// One of every other function that moves data, and of those that do not block.
pub(crate) const MOVEMENTS: &[Call] = &[
    call("gather of 2 u64 with root 0", |group, _| {
        group.gather(0, &[1u64, 2], &mut vec![0; at_first(group, 2)])
    }),
    call("scatter of 2 u64 with root 0", |group, _| {
        group.scatter(0, &vec![1u64; at_first(group, 2)], &mut [0, 0])
    }),
    call("gatherv of 2 u64 with root 0", |group, _| {
        let (lengths, room) = (vec![2; at_first(group, 1)], at_first(group, 2));
        group.gatherv(0, &[1u64, 2], &lengths, &mut vec![0; room])
    }),
    call("scatterv of 2 u64 with root 0", |group, _| {
        let (lengths, all) = (vec![2; at_first(group, 1)], vec![1u64; at_first(group, 2)]);
        group.scatterv(0, &all, &lengths, &mut [0, 0])
    }),
    call("allgatherv of 2 u64", |group, _| {
        let (lengths, room) = (vec![2; of_all(group, 1)], of_all(group, 2));
        group.allgatherv(&[1u64, 2], &lengths, &mut vec![0; room])
    }),
    call("alltoall of 2 u64", |group, _| {
        let (values, mut all) = (vec![1u64; of_all(group, 2)], vec![0; of_all(group, 2)]);
        group.alltoall(&values, &mut all)
    }),
    call("alltoallv of ", |group, _| exchange(group, 2)),
    call("scan(Sum) of 2 u64", |group, _| {
        group.scan(Operation::Sum, &mut [1u64, 2])
    }),
    call("exscan(Sum) of 2 u64", |group, _| {
        group.exscan(Operation::Sum, &mut [1u64, 2])
    }),
    call("ibarrier,", |group, _| group.ibarrier()?.wait()),
    call("ibroadcast of 2 u64 with root 0", |group, _| {
        group.ibroadcast(0, vec![1u64, 2])?.wait().map(drop)
    }),
    call("igather of 2 u64 with root 0", |group, _| {
        group.igather(0, vec![1u64, 2])?.wait().map(drop)
    }),
    call("iscatter of 2 u64 with root 0", |group, _| {
        group
            .iscatter(0, vec![1u64; at_first(group, 2)], 2)?
            .wait()
            .map(drop)
    }),
    call("iallgather of 2 u64", |group, _| {
        group.iallgather(vec![1u64, 2])?.wait().map(drop)
    }),
    call("ialltoall of 2 u64", |group, _| {
        group.ialltoall(vec![1u64; of_all(group, 2)])?.wait().map(drop)
    }),
    call("ireduce(Sum) of 2 u64 with root 0", |group, _| {
        group.ireduce(0, Operation::Sum, vec![1u64, 2])?.wait().map(drop)
    }),
    call("iallreduce(Sum) of 2 u64", |group, _| {
        group.iallreduce(Operation::Sum, vec![1u64, 2])?.wait().map(drop)
    }),
    call("iscan(Sum) of 2 u64", |group, _| {
        group.iscan(Operation::Sum, vec![1u64, 2])?.wait().map(drop)
    }),
    call("barrier,", |group, _| group.barrier()),
];

/// So much for each rank.
fn of_all(group: &Group, length: usize) -> usize {
    length * group.size() as usize
}

/// So much for each rank, at rank 0 only.
fn at_first(group: &Group, length: usize) -> usize {
    if group.rank() == 0 {
        of_all(group, length)
    } else {
        0
    }
}

/// With blocks of one length.
fn exchange(group: &Group, length: usize) -> Result<()> {
    let (values, mut all) = (vec![1u64; of_all(group, length)], vec![0; of_all(group, length)]);
    let lengths = vec![length; of_all(group, 1)];
    group.alltoallv(&values, &lengths, &mut all, &lengths)
}

/// Each of them and the next.
pub(crate) fn neighbours() -> Vec<Case> {
    let next = MOVEMENTS.iter().zip(&MOVEMENTS[1..]);
    next.map(|(first, second)| Case {
        first: call(first.name, first.make),
        second: call(second.name, second.make),
    })
    .collect()
}

/// Every two of them.
pub(crate) fn pairs() -> Vec<Case> {
    let mut pairs = Vec::new();
    for (index, first) in CALLS.iter().enumerate() {
        for second in &CALLS[index + 1..] {
            pairs.push(Case {
                first: call(first.name, first.make),
                second: call(second.name, second.make),
            });
        }
    }
    pairs
}

fn add(left: u32, right: u32) -> u32 {
    left + right
}

fn greater(left: u32, right: u32) -> u32 {
    left.max(right)
}

/// The same function with another argument, short and long.
pub(crate) const ARGUMENTS: &[Case] = &[
    Case {
        first: call("broadcast of 1 u32 with root 0", |group, _| {
            group.broadcast(0, &mut [1u32])
        }),
        second: call("broadcast of 1 u32 with root 1", |group, _| {
            group.broadcast(1, &mut [1u32])
        }),
    },
    Case {
        first: call("broadcast of 1 u32 with root 1", |group, _| {
            group.broadcast(1, &mut [1u32])
        }),
        second: call("broadcast of 2 u32 with root 1", |group, _| {
            group.broadcast(1, &mut [1u32, 2])
        }),
    },
    Case {
        first: call("broadcast of 1 f64", |group, _| group.broadcast(0, &mut [1f64])),
        second: call("broadcast of 1 u64", |group, _| group.broadcast(0, &mut [1u64])),
    },
    Case {
        first: call("reduce(Sum) of 1 u32 with root 0", |group, _| {
            group.reduce(0, Operation::Sum, &mut [1u32])
        }),
        second: call("reduce(Max) of 1 u32 with root 0", |group, _| {
            group.reduce(0, Operation::Max, &mut [1u32])
        }),
    },
    Case {
        first: call("allreduce(Sum) of 1 u32", |group, _| {
            group.allreduce(Operation::Sum, &mut [1u32])
        }),
        second: call("allreduce(Product) of 1 u32", |group, _| {
            group.allreduce(Operation::Product, &mut [1u32])
        }),
    },
    Case {
        first: call("allreduce(Sum) of 1 u32", |group, _| {
            group.allreduce(Operation::Sum, &mut [1u32])
        }),
        second: call("allreduce(Sum) of 1 i32", |group, _| {
            group.allreduce(Operation::Sum, &mut [1i32])
        }),
    },
    Case {
        // One by puts where memory is mapped, the other by messages.
        first: call("allreduce(Sum) of 1 u32", |group, _| {
            group.allreduce(Operation::Sum, &mut [1u32])
        }),
        second: call("allreduce(Sum) of 5000 u32", |group, _| {
            group.allreduce(Operation::Sum, &mut [1u32; 5000])
        }),
    },
    Case {
        first: call("allreduce with `", |group, _| {
            group.allreduce_with(&mut [1u32], add)
        }),
        second: call("allreduce with `", |group, _| {
            group.allreduce_with(&mut [1u32], greater)
        }),
    },
    Case {
        first: call("allreduce(Sum) of 9000 u32", |group, _| {
            group.allreduce(Operation::Sum, &mut [1u32; 9000])
        }),
        second: call("allreduce(Max) of 9000 u32", |group, _| {
            group.allreduce(Operation::Max, &mut [1u32; 9000])
        }),
    },
    Case {
        first: call("allgather of 1 u32", |group, _| {
            group.allgather(&[1u32], &mut vec![0; group.size() as usize])
        }),
        second: call("allgather of 3 u32", |group, _| {
            group.allgather(&[1u32; 3], &mut vec![0; 3 * group.size() as usize])
        }),
    },
    Case {
        first: call("gather of 1 u32 with root 0", |group, _| {
            group.gather(0, &[1u32], &mut vec![0; at_first(group, 1)])
        }),
        second: call("gather of 3 u32 with root 0", |group, _| {
            group.gather(0, &[1u32; 3], &mut [])
        }),
    },
    Case {
        first: call("scan(Min) of 1 u32", |group, _| {
            group.scan(Operation::Min, &mut [1u32])
        }),
        second: call("scan(Max) of 1 u32", |group, _| {
            group.scan(Operation::Max, &mut [1u32])
        }),
    },
    Case {
        first: call("allgatherv of 1 u32 (list", |group, _| {
            let mut lengths = vec![1; of_all(group, 1)];
            lengths[1] = 0;
            group.allgatherv(&[1u32], &lengths, &mut vec![0; of_all(group, 1) - 1])
        }),
        second: call("allgatherv of 1 u32 (list", |group, _| {
            group.allgatherv(
                &[1u32],
                &vec![1; of_all(group, 1)],
                &mut vec![0; of_all(group, 1)],
            )
        }),
    },
    // Lengths that each rank has by itself: who gets another one than it expects says so.
    Case {
        first: call(
            "which expects 1 elements of rank 1 of the group, not 2",
            |group, _| {
                let (lengths, room) = (vec![1; at_first(group, 1)], at_first(group, 1));
                group.gatherv(0, &[1u32], &lengths, &mut vec![0; room])
            },
        ),
        second: call("gatherv of 2 u32 with root 0, ", |group, _| {
            group.gatherv(0, &[1u32, 2], &[], &mut [])
        }),
    },
    Case {
        first: call("scatterv of 1 u32 with root 0, ", |group, _| {
            let (lengths, all) = (vec![1; at_first(group, 1)], vec![1u32; at_first(group, 1)]);
            group.scatterv(0, &all, &lengths, &mut [0])
        }),
        second: call(
            "which expects 2 elements of rank 0 of the group, not 1",
            |group, _| group.scatterv(0, &[], &[], &mut [0u32, 0]),
        ),
    },
    Case {
        // Longer than what is sent without asking, and empty.
        first: call("alltoallv of ", |group, _| exchange(group, 70_000)),
        second: call("alltoallv of 0 u64", |group, _| exchange(group, 0)),
    },
    Case {
        first: call("iallreduce(Sum) of 9000 u32", |group, _| {
            group
                .iallreduce(Operation::Sum, vec![1u32; 9000])?
                .wait()
                .map(drop)
        }),
        second: call("iallreduce(Sum) of 9001 u32", |group, _| {
            group
                .iallreduce(Operation::Sum, vec![1u32; 9001])?
                .wait()
                .map(drop)
        }),
    },
    Case {
        first: call("subgroup of 1 ranks", |group, _| group.subgroup(&[0]).map(drop)),
        second: call("subgroup of 1 ranks", |group, _| group.subgroup(&[1]).map(drop)),
    },
    Case {
        first: call("set_fence with `fence-count`", |_, mut window| {
            window.set_fence(Fence::Count)
        }),
        second: call("set_fence with `fence-fold`", |_, mut window| {
            window.set_fence(Fence::Fold)
        }),
    },
];

/// Runs the cases, each on a group of its own: the world goes on.
pub(crate) fn run(world: &World, cases: &[Case]) -> Result<()> {
    world.set_time_limit(Some(Duration::from_secs(3600)));
    for case in cases {
        let group = world.duplicate()?;
        let window = Window::<u32>::allocate(&group, 4)?;
        let own = if world.rank().is_multiple_of(2) {
            &case.first
        } else {
            &case.second
        };
        // A rank for which the call waits for nobody is told by the next one.
        let told = (own.make)(&group, window).and_then(|()| group.barrier());
        is_mismatch(told.clone(), case.first.name, case.second.name);
        is_the_same_everywhere(world, told)?;
        let again = group.barrier();
        assert!(matches!(again, Err(Error::Mismatch { .. })), "{again:?}");
    }
    Ok(())
}

/// One calls a barrier of the first group and then of the second, the others the other way round.
pub(crate) fn two_groups(world: &World) -> Result<()> {
    let (one, other) = (world.duplicate()?, world.duplicate()?);
    let (first, second) = if world.rank() == 0 {
        (&one, &other)
    } else {
        (&other, &one)
    };
    let told = first
        .barrier()
        .and_then(|()| second.allreduce(Operation::Sum, &mut [1u8]));
    let told = told.and_then(|()| first.barrier());
    let Err(Error::Mismatch { first, second }) = &told else {
        panic!("{told:?}");
    };
    assert!(first.rank == 0 && first.call.starts_with("barrier, "), "{first}");
    assert!(
        second.rank > 0 && second.call.starts_with("barrier, "),
        "{second}"
    );
    assert_ne!(first.call, second.call, "they name their groups");
    is_the_same_everywhere(world, told)
}

/// Whether both calls are named, each with its place.
pub(crate) fn is_mismatch(told: Result<()>, one: &str, other: &str) {
    let Err(Error::Mismatch { first, second }) = &told else {
        panic!("{one} and {other}: {told:?}");
    };
    let calls = [&first.call, &second.call];
    let named = |name: &str| calls.iter().any(|call| call.contains(name));
    assert!(named(one) && named(other), "{one} and {other}: {first}; {second}");
    assert!(first.rank < second.rank, "{first}; {second}");
    for place in [&first.place, &second.place] {
        let (file, line) = place.rsplit_once(':').expect("FILE:LINE");
        assert!(file.ends_with(".rs") && line.parse::<u32>().is_ok(), "{place}");
    }
}

fn is_the_same_everywhere(world: &World, told: Result<()>) -> Result<()> {
    let mut text = [0u8; 600];
    let own = told.expect_err("a mismatch").to_string();
    text[..own.len()].copy_from_slice(own.as_bytes());
    let mut all = vec![0; text.len() * world.size() as usize];
    world.allgather(&text, &mut all)?;
    for other in all.chunks(text.len()) {
        assert_eq!(other, text, "rank {} was told {own}", world.rank());
    }
    Ok(())
}
