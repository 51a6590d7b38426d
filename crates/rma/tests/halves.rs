//! Windows of two halves: what an epoch brought is there as a slice, and stays, while others are in the next epoch.
//! Under Miri as well (`scripts/miri`), which sees accesses to memory that is lent.

mod support;

use farside::{Error, Fence, Layout, Result, Window, World};
use std::cell::RefCell;
use std::time::Duration;
use support::{everywhere, programs, with};

/// Elements of a half: those of each rank, which puts there.
const BLOCK: usize = 3;

const STEPS: u64 = if cfg!(miri) { 3 } else { 9 };

/// What a rank puts to another one in a step.
fn value(step: u64, from: u32, to: u32, index: usize) -> u64 {
    step * 1000 + u64::from(from) * 100 + u64::from(to) * 10 + index as u64
}

/// All put to all, as it comes: at once, late, by layouts. What is lent is looked at before and after others had time
/// to go on, between epochs and in the next one.
fn all_to_all(world: &World, fence: Fence) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let mut window = Window::<u64>::allocate(world, 2 * BLOCK * size as usize + 1)?;
    programs::choose(&mut window, fence)?;
    let brought = |step: u64| -> Vec<u64> {
        let of = |from| (0..BLOCK).map(move |index| value(step, from, me, index));
        (0..size).flat_map(of).collect()
    };
    let layout = Layout::indexed(&[(2, 1), (0, 2)])?;
    window.halves(|halves| {
        assert_eq!(
            halves.received()?,
            vec![0; BLOCK * size as usize],
            "the second half"
        );
        for step in 1..=STEPS {
            let blocks: Vec<Vec<u64>> = (0..size)
                .map(|to| (0..BLOCK).map(|index| value(step, me, to, index)).collect())
                .collect();
            halves.epoch(|epoch| {
                if step > 1 {
                    assert_eq!(epoch.received()?, brought(step - 1), "{fence}, in the next epoch");
                }
                for (to, block) in (0..).zip(&blocks) {
                    let at = BLOCK * me as usize;
                    match (step + u64::from(to)) % 3 {
                        0 => epoch.put(block, to, at)?,
                        1 => epoch.put_layout(block, &layout, to, at, &layout)?,
                        _ => {
                            (0..BLOCK).try_for_each(|index| epoch.put_value(block[index], to, at + index))?
                        }
                    }
                }
                Ok(())
            })?;
            let lent = halves.received()?;
            assert_eq!(lent, brought(step), "{fence}, at first");
            world.compute(Duration::from_micros(u64::from((me + step as u32) % 3) * 50));
            assert_eq!(lent, brought(step), "{fence}, when others had time");
        }
        Ok(())
    })?;
    let (first, second) = (BLOCK * size as usize, 2 * BLOCK * size as usize);
    let last = window.local()?;
    let (odd, even) = if STEPS % 2 == 1 {
        (STEPS, STEPS - 1)
    } else {
        (STEPS - 1, STEPS)
    };
    assert_eq!(last[..first], brought(odd));
    assert_eq!(last[first..second], brought(even));
    assert_eq!(last[second..], [0], "of neither half");
    window.free()
}

#[test]
fn what_an_epoch_brought_stays_while_others_are_in_the_next_one() {
    everywhere(|world| {
        for fence in Fence::ALL {
            if world.fence_refusal(fence).is_none() {
                all_to_all(world, fence)?;
            }
        }
        Ok(())
    });
}

/// What was received goes on from where it lies, and the rank may change it.
#[test]
fn what_was_received_can_be_changed_and_put() {
    everywhere(|world| {
        let right = (world.rank() + 1) % world.size();
        let mut window = Window::<u64>::allocate(world, 2 * BLOCK)?;
        window.local_mut()?[BLOCK..].fill(u64::from(world.rank()));
        window.halves(|halves| {
            for _ in 0..world.size() {
                halves.received_mut()?.iter_mut().for_each(|value| *value += 100);
                halves.epoch(|epoch| epoch.put(epoch.received()?, right, 0))?;
            }
            let around = u64::from(world.rank()) + 100 * u64::from(world.size());
            assert_eq!(halves.received()?, [around; BLOCK]);
            Ok(())
        })?;
        window.free()
    });
}

/// A put past the end of the half of its turn would go to the one that is lent, or past the window.
#[test]
fn a_put_past_its_half_is_refused() {
    with(2, |world| {
        let other = 1 - world.rank();
        // Rank 1 has one element more than rank 0, and halves as long; rank 0 has none of its own to write to.
        let mut window = Window::<u64>::allocate(world, 2 * BLOCK + world.rank() as usize)?;
        let layout = Layout::vector(2, 1, BLOCK)?;
        window.halves(|halves| {
            for _ in 0..4 {
                let kept = halves.received()?.to_vec();
                halves.epoch(|epoch| {
                    let refused = [
                        epoch.put(&[7; BLOCK + 1], other, 0),
                        epoch.put(&[7], other, BLOCK),
                        epoch.put(&[7], world.rank(), BLOCK),
                        epoch.put(&[7], other, usize::MAX),
                        epoch.put_value(7, other, BLOCK),
                        epoch.put_layout(&[7; BLOCK + 1], &layout, other, 0, &layout),
                    ];
                    for refused in refused {
                        assert!(
                            matches!(refused, Err(Error::OutOfBounds { exposed: BLOCK, .. })),
                            "{refused:?}"
                        );
                    }
                    assert!(matches!(epoch.put(&[7], 2, 0), Err(Error::RankOutOfRange { .. })));
                    assert_eq!(epoch.received()?, kept);
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        assert_eq!(window.local()?, vec![0; 2 * BLOCK + world.rank() as usize]);
        window.free()
    });
}

/// Another function, another place to put to: it is found before anything is lent.
#[test]
fn ranks_that_do_not_all_take_halves_fail() {
    for fence in Fence::ALL {
        let run = farside::simulate(2, |world| {
            if world.fence_refusal(fence).is_some() {
                return Ok(());
            }
            let mut window = Window::<u64>::allocate(world, 2 * BLOCK)?;
            programs::choose(&mut window, fence)?;
            let failed = if world.rank() == 0 {
                let mut lent = false;
                let failed = window.halves(|halves| {
                    lent = halves.received().is_ok();
                    Ok(())
                });
                assert!(!lent, "{fence}");
                failed
            } else {
                window.fences(|fences| fences.epoch(|epoch| epoch.put(&[7; BLOCK], 0, BLOCK)))
            };
            assert!(
                matches!(failed, Err(Error::Mismatch { .. })),
                "{fence}: {failed:?}"
            );
            assert!(matches!(window.local(), Err(Error::Broken(_))), "{fence}");
            Ok(())
        });
        // The world ends with the error as well.
        assert!(
            matches!(run, Ok(_) | Err(Error::Mismatch { .. })),
            "{fence}: {run:?}"
        );
    }
}

/// After an epoch that panicked, nobody knows who puts where.
#[test]
fn after_a_panic_nothing_is_lent() {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    farside::simulate(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2 * BLOCK)?;
        window.halves(|halves| {
            halves.epoch(|_| Ok(()))?;
            if world.rank() == 0 {
                let epoch =
                    AssertUnwindSafe(|| halves.epoch(|_| -> Result<()> { resume_unwind(Box::new(())) }));
                assert!(catch_unwind(epoch).is_err());
                assert!(matches!(halves.received(), Err(Error::Broken(_))));
                assert!(matches!(halves.received_mut(), Err(Error::Broken(_))));
                assert!(matches!(halves.epoch(|_| Ok(())), Err(Error::Broken(_))));
            }
            Ok(())
        })
    })
    .expect("all meet in the end");
}

/// An epoch that is refused before it begins is no turn: else this rank would be lent the half that others put to.
#[test]
fn an_epoch_that_is_refused_is_no_turn() {
    with(3, |world| {
        let right = (world.rank() + 1) % world.size();
        let left = u64::from((world.rank() + 2) % world.size());
        let mut window = Window::<u64>::allocate(world, 2)?;
        window.halves(|halves| {
            for step in 0..4 {
                halves.epoch(|epoch| epoch.put_value(step * 10 + u64::from(world.rank()), right, 0))?;
                let inner = RefCell::new(&mut *halves);
                world.allreduce_with(&mut [1u64], |first, second| {
                    let refused = inner.borrow_mut().epoch(|_| Ok(()));
                    assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
                    first + second
                })?;
                assert_eq!(halves.received()?, [step * 10 + left]);
            }
            Ok(())
        })?;
        window.free()
    });
}
