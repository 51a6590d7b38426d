//! Operations whose buffer is the own memory of the window.

mod support;

use farside::{Error, Layout, Lock, Result, Window, World};
use support::{everywhere, with};

/// Blocks of a ring: own elements, and room for those of the next rank.
const BLOCK: usize = 6;

/// What a rank has at first.
fn values(rank: u32) -> Vec<u32> {
    (0..2 * BLOCK as u32)
        .map(|index| {
            if index < BLOCK as u32 {
                100 * rank + index
            } else {
                9999
            }
        })
        .collect()
}

/// Every second own element goes into the room at the neighbour, in reverse order: put, then got.
fn around(world: &World, get: bool) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let mut window = Window::create(world, values(me))?;
    let every_second = Layout::vector(3, 1, 2)?;
    let backwards = Layout::indexed(&[(4, 1), (2, 1), (0, 1)])?.shifted(BLOCK);
    let origin = window.fence(|epoch| match get {
        false => epoch
            .put_own(&every_second, next, 0, &backwards)
            .map(|()| previous),
        true => epoch.get_own(&backwards, next, 0, &every_second).map(|()| next),
    })?;
    let mut expected = values(me);
    for index in 0..3 {
        expected[BLOCK + 4 - 2 * index] = values(origin)[2 * index];
    }
    assert_eq!(window.local()?, expected, "get: {get}");
    window.free()
}

#[test]
fn halos_go_from_window_to_window() {
    everywhere(|world| {
        around(world, false)?;
        around(world, true)
    });
}

/// With locks, the own memory is one of those that need one.
#[test]
fn own_memory_needs_a_lock_in_passive_mode() {
    with(2, |world| {
        let (me, other) = (world.rank(), 1 - world.rank());
        let mut window = Window::create(world, vec![me + 1, 0, 0])?.into_passive()?;
        let first = Layout::contiguous(1);
        window.lock(other, Lock::Shared, |epoch| {
            let refused = epoch.put_own(&first, other, 1, &first);
            assert!(matches!(refused, Err(Error::NotInEpoch { target, .. }) if target == me));
            Ok(())
        })?;
        window.lock(me, Lock::Shared, |_| {
            window.lock(other, Lock::Shared, |epoch| {
                epoch.put_own(&first, other, 1, &first)
            })
        })?;
        window.lock_all(|epoch| epoch.put_own(&first, other, 2, &first))?;
        let mut window = window.into_active()?;
        assert_eq!(window.local()?, [me + 1, other + 1, other + 1]);
        let third = Layout::contiguous(1).shifted(2);
        window.post(&[other], |exposure| {
            exposure.start(&[other], |epoch| epoch.put_own(&first, other, 1, &first))
        })?;
        window.start(&[], |epoch| {
            let refused = epoch.get_own(&third, other, 0, &first);
            assert!(matches!(refused, Err(Error::NotInEpoch { .. })));
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn what_does_not_fit_or_meets_itself_is_refused() {
    everywhere(|world| {
        let me = world.rank();
        let mut window = Window::create(world, vec![1u8, 2, 3, 4])?;
        let (two, three) = (Layout::contiguous(2), Layout::contiguous(3));
        window.fence(|epoch| {
            for answer in [epoch.put_own(&two, me, 1, &two), epoch.get_own(&two, me, 1, &two)] {
                assert!(matches!(answer, Err(Error::Layout(_))), "{answer:?}");
            }
            let long = epoch.put_own(&two.clone().shifted(3), me, 0, &two);
            assert!(matches!(long, Err(Error::OriginTooShort { .. })), "{long:?}");
            let differ = epoch.get_own(&two, me, 1, &three);
            assert!(matches!(differ, Err(Error::Length { .. })), "{differ:?}");
            epoch.put_own(&two, me, 2, &two)
        })?;
        assert_eq!(window.local()?, [1, 2, 1, 2]);
        window.free()
    });
}
