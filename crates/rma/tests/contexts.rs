//! Contexts: several threads of a rank in one epoch, each with completions of its own; and rayon.

use farside::{Active, Contexts, Error, Lock, Operation, Result, Window};

/// Rounds of a thread.
const ROUNDS: u64 = if cfg!(miri) { 3 } else { 200 };

/// What a thread does at a target: it counts, writes to an element of its own and reads it back after its own flush.
fn work(contexts: &Contexts<'_, u64>, target: u32, mine: u64) -> Result<()> {
    contexts.context(|context| {
        for round in 1..=ROUNDS {
            context.accumulate(Operation::Sum, &[1], target, 0)?;
            let before = context.fetch(Operation::Sum, 1, target, 1)?;
            assert!(before < 1 << 32);
            context.put_value(round, target, 2 + mine as usize)?;
            context.flush(target)?;
            contexts.context(|inner| {
                // Of another context: what was flushed is at the target, whoever looks.
                let there = inner.compare_and_swap(round, round + 1, target, 2 + mine as usize)?;
                assert_eq!(there, round);
                Ok(())
            })?;
        }
        Ok(())
    })
}

/// Over a virtual network all ranks have one thread: contexts of it work, in every design of the fence; those of
/// another thread are refused, and nothing is lost.
#[test]
#[cfg(feature = "sim")]
fn over_a_virtual_network_contexts_are_of_the_one_thread() -> Result<()> {
    use farside::Fence;
    for fence in [
        Fence::Flush,
        Fence::ImmOpt,
        Fence::ImmRi,
        Fence::Fold,
        Fence::Deferred,
    ] {
        farside::simulate(3, |world| {
            let targets: Vec<u32> = (0..world.size()).collect();
            let mut window = Window::<u64>::allocate(world, 5)?;
            match window.set_fence(fence) {
                Err(Error::Unsupported { .. }) => return window.free(),
                other => other?,
            }
            if world.rank() == 1 {
                // The others are in the epoch, and this one's memory is its own.
                world.compute(std::time::Duration::from_millis(10));
                assert_eq!(window.local()?, [0; 5]);
            }
            window.fence(|epoch| {
                let contexts = epoch.contexts(&targets)?;
                targets
                    .iter()
                    .try_for_each(|&target| work(&contexts, target, u64::from(world.rank())))
            })?;
            let ranks = u64::from(world.size());
            assert_eq!(
                window.local()?,
                [[ranks * ROUNDS; 2].as_slice(), &[ROUNDS + 1; 3]].concat()
            );
            window.free()
        })?;
    }
    let refused = farside::simulate(1, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        let refused = window.fence(|epoch| {
            let contexts = epoch.contexts(&[0])?;
            std::thread::scope(|scope| {
                let other = scope.spawn(|| contexts.context(|context| context.put_value(1, 0, 0)));
                Ok(other.join().expect("no panic").expect_err("it is another thread"))
            })
        })?;
        Ok(refused.to_string())
    });
    // Under Miri each rank has a thread.
    if !cfg!(miri) {
        assert!(
            refused
                .as_ref()
                .is_ok_and(|text| text[0].contains("a rank is one thread")),
            "{refused:?}"
        );
    }
    Ok(())
}

#[test]
#[cfg(feature = "sim")]
fn a_context_reaches_whom_it_was_made_for() -> Result<()> {
    #[derive(Debug, PartialEq)]
    struct Own;
    impl From<Error> for Own {
        fn from(error: Error) -> Self {
            panic!("{error}")
        }
    }
    farside::simulate(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?;
        window.fence(|epoch| {
            let contexts = epoch.contexts(&[1])?;
            contexts.context(|context| {
                assert!(matches!(context.put(&[1], 0, 0), Err(Error::Unsupported { .. })));
                assert!(matches!(context.put(&[1], 1, 2), Err(Error::OutOfBounds { .. })));
                assert!(matches!(context.flush(0), Err(Error::Unsupported { .. })));
                Ok(())
            })
        })?;
        let mut window: Window<u64, Active, Own> = window.with_error();
        let failed = window.fence(|epoch| {
            let contexts = epoch.contexts(&[0, 1])?;
            contexts.context(|context| {
                context.put_value(7, 1 - world.rank(), 1)?;
                Err::<(), _>(Own)
            })
        });
        assert_eq!(failed, Err(Own));
        assert_eq!(window.local()?, [0, 7]);
        window.free()
    })?;
    Ok(())
}

/// A panic in a context completes its operations, and breaks the window, though its thread is joined.
#[test]
#[cfg_attr(
    miri,
    ignore = "a simulated rank that unwinds completes nothing, so values stay for ever: a leak"
)]
#[cfg(feature = "sim")]
fn a_panic_in_a_context_breaks_the_window() -> Result<()> {
    let result = farside::simulate(1, |world| {
        let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock(0, Lock::Exclusive, |epoch| {
            let contexts = epoch.contexts(&[0])?;
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                contexts.context::<_, ()>(|context| {
                    context.put_value(1, 0, 0)?;
                    panic!("in a context");
                })
            }));
            assert!(caught.is_err());
            assert_eq!(contexts.context(|_| Ok(())), Err(Error::Broken("window")));
            Ok(())
        })?;
        assert_eq!(window.salvage(), [1]);
        window.lock(0, Lock::Exclusive, |_| Ok(()))
    });
    assert_eq!(result, Err(Error::Broken("window")));
    Ok(())
}

/// Ranks that are threads, and have threads.
#[cfg(feature = "shm")]
mod threads {
    use super::*;
    use farside::World;
    use rayon::prelude::*;

    /// Threads of each rank.
    const THREADS: u64 = 3;

    /// All threads at all targets.
    fn all(world: &World, contexts: &Contexts<'_, u64>, targets: &[u32]) -> Result<()> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|thread| {
                    let mine = u64::from(world.rank()) * THREADS + thread;
                    scope.spawn(move || {
                        targets
                            .iter()
                            .try_for_each(|&target| work(contexts, target, mine))
                    })
                })
                .collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().expect("no panic"))
        })
    }

    /// What is in the window of each target when all have been there.
    fn expected(ranks: u64) -> Vec<u64> {
        let mut elements = vec![ranks * THREADS * ROUNDS; 2];
        elements.resize(2 + (ranks * THREADS) as usize, ROUNDS + 1);
        elements
    }

    fn in_passive_epochs(world: &World) -> Result<()> {
        let (ranks, targets) = (u64::from(world.size()), (0..world.size()).collect::<Vec<_>>());
        let mut window = Window::<u64>::allocate(world, 2 + (ranks * THREADS) as usize)?.into_passive()?;
        window.lock_all(|epoch| all(world, &epoch.contexts(&targets)?, &targets))?;
        let window = window.into_active()?;
        assert_eq!(window.local()?, expected(ranks));
        let window = window.into_passive()?;
        for &target in &targets {
            window.lock(target, Lock::Exclusive, |epoch| {
                all(world, &epoch.contexts(&[target])?, &[target])
            })?;
        }
        world.barrier()?;
        let window = window.into_active()?;
        assert_eq!(window.local()?[..2], [2 * ranks * THREADS * ROUNDS; 2]);
        window.free()
    }

    fn in_fences(world: &World) -> Result<()> {
        let (ranks, targets) = (u64::from(world.size()), (0..world.size()).collect::<Vec<_>>());
        let mut window = Window::<u64>::allocate(world, 2 + (ranks * THREADS) as usize)?;
        for epoch in 1..=3 {
            window.fence(|epoch| all(world, &epoch.contexts(&targets)?, &targets))?;
            assert_eq!(window.local()?[..2], [epoch * ranks * THREADS * ROUNDS; 2]);
        }
        window.free()
    }

    #[test]
    fn threads_of_ranks_that_are_threads() -> Result<()> {
        farside::threads(3, |world| {
            in_passive_epochs(world)?;
            in_fences(world)
        })?;
        Ok(())
    }

    /// Rayon splits the own memory between epochs, and under a lock of it; its tasks put by contexts.
    #[test]
    fn rayon_works_on_own_memory_and_puts_from_its_tasks() -> Result<()> {
        const LENGTH: usize = 10_000;
        let sums = farside::threads(2, |world| {
            let next = (world.rank() + 1) % world.size();
            let mut window = Window::<u64>::allocate(world, LENGTH)?;
            let first = u64::from(world.rank()) * LENGTH as u64;
            let own = window.local_mut()?;
            own.par_iter_mut()
                .enumerate()
                .for_each(|(index, element)| *element = first + index as u64);
            let squares: Vec<u64> = own.par_iter().map(|element| element * element).collect();
            window.fence(|epoch| {
                let contexts = epoch.contexts(&[next])?;
                squares
                    .par_chunks(1000)
                    .enumerate()
                    .try_for_each(|(chunk, squares)| {
                        contexts.context(|context| context.put(squares, next, chunk * 1000))
                    })
            })?;
            let mut window = window.into_passive()?;
            let sum = window.lock_local(|elements| {
                elements.par_iter_mut().for_each(|element| *element += 1);
                Ok(elements.par_iter().sum::<u64>())
            })?;
            window.free()?;
            Ok(sum)
        })?;
        let squares = |range: std::ops::Range<u64>| range.map(|value| value * value + 1).sum::<u64>();
        assert_eq!(sums, [squares(10_000..20_000), squares(0..10_000)]);
        Ok(())
    }
}
