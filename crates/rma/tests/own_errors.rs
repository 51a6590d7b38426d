//! Functions of epochs that fail with an error of the program's own: the epoch has ended all the same.
#![cfg(feature = "sim")]

use farside::{Active, Lock, Operation, Passive, Result, Window, World};

#[derive(Debug, PartialEq)]
enum Failure {
    Farside(farside::Error),
    Own(u32),
}

impl From<farside::Error> for Failure {
    fn from(error: farside::Error) -> Self {
        Self::Farside(error)
    }
}

fn own<R>(number: u32) -> Result<R, Failure> {
    Err(Failure::Own(number))
}

/// What the rank before this one put there in each epoch, which then failed, is there, and the next epoch opens.
#[test]
fn active_epochs_end_and_give_the_error_of_the_program() -> Result<()> {
    farside::simulate(2, |world: &World| {
        let mut window: Window<u32, Active, Failure> = Window::allocate(world, 4)?.with_error();
        let other = 1 - world.rank();
        let failed: Result<(), Failure> = window.fence(|epoch| {
            epoch.put_value(1, other, 0)?;
            own(1)
        });
        assert_eq!(failed, own(1));
        assert_eq!(window.local()?, [1, 0, 0, 0]);
        let failed: Result<(), Failure> = window.fences(|fences| {
            let failed = fences.epoch(|epoch| {
                epoch.local(|batch| Ok(batch.put_value(2, other, 1)?))?;
                own::<()>(2)
            });
            assert_eq!(failed, own(2));
            fences.epoch(|epoch| {
                epoch.put_value(3, other, 2)?;
                Ok(())
            })?;
            own(3)
        });
        assert_eq!(failed, own(3));
        let failed: Result<(), Failure> = window.post(&[other], |exposure| {
            let failed = exposure.start(&[other], |epoch| {
                epoch.put_value(4, other, 3)?;
                own::<()>(4)
            });
            assert_eq!(failed, own(4));
            own(5)
        });
        assert_eq!(failed, own(5));
        assert_eq!(window.local()?, [1, 2, 3, 4]);
        window.free()
    })?;
    Ok(())
}

/// Locks are given back: both ranks get the next one.
#[test]
fn locks_are_given_back_and_give_the_error_of_the_program() -> Result<()> {
    farside::simulate(2, |world| {
        let window = Window::<u32>::allocate(world, 1)?.with_error::<Failure>();
        let mut window: Window<u32, Passive, Failure> = window.into_passive()?;
        let add = |target, lock| {
            window.lock(target, lock, |epoch| {
                epoch.remote(|batch| {
                    batch.accumulate(Operation::Sum, &[1], target, 0)?;
                    own::<()>(1)
                })
            })
        };
        assert_eq!(add(0, Lock::Exclusive), own(1));
        assert_eq!(add(1, Lock::Shared), own(1));
        let failed = window.lock_all(|epoch| {
            epoch.fetch(Operation::Sum, 1, 0, 0)?.wait()?;
            own::<()>(2)
        });
        assert_eq!(failed, own(2));
        world.barrier()?;
        let failed = window.lock_local(|elements| own::<()>(elements[0]));
        assert_eq!(failed, own(if world.rank() == 0 { 4 } else { 2 }));
        let mut window = window.into_active()?;
        window.local_mut()?;
        window.free()
    })?;
    Ok(())
}

/// What the library itself finds comes as the program's error, too.
#[test]
fn an_error_of_the_library_becomes_one_of_the_program() -> Result<()> {
    farside::simulate(1, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?.with_error::<Failure>();
        let outside = window.fence(|epoch| {
            epoch.put_value(1, 0, 7)?;
            Ok(())
        });
        assert!(
            matches!(
                outside,
                Err(Failure::Farside(farside::Error::OutOfBounds {
                    displacement: 7,
                    ..
                }))
            ),
            "{outside:?}"
        );
        window.free()
    })?;
    Ok(())
}
