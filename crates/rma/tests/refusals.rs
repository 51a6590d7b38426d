//! What a transport cannot do is refused with the reason; and many ranks.

use farside::sim::{Network, Simulation};
use farside::{Error, Lock, LockEpoch, Operation, Passive, Result, Window, World};

fn over(network: &Network, ranks: u32, program: impl Fn(&World) -> Result<()>) {
    farside::simulate_with(Simulation::new(network, ranks), program)
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_notified_put_needs_immediates() {
    // Eight bits name the window; with nine there is room for one number, beside that of fences.
    for (bits, greatest) in [
        (0, None),
        (8, None),
        (9, Some(0)),
        (16, Some(254)),
        (32, Some(0xff_fffe)),
    ] {
        let network = Network {
            immediate_bits: bits,
            ..Network::ethernet_100g()
        };
        over(&network, 2, |world| {
            let mut window = Window::<u8>::allocate(world, 1)?;
            assert_eq!(window.greatest_notice(), greatest, "{bits} bits");
            window.fence(|epoch| {
                let put = epoch.put_notify(&[1], 1 - world.rank(), 0, greatest.unwrap_or(0));
                if greatest.is_some() {
                    put?;
                    assert_eq!(Some(epoch.wait_notice(None)?.number), greatest);
                } else {
                    assert!(matches!(put, Err(Error::Unsupported { .. })), "{put:?}");
                    assert_eq!(epoch.test_notice(None)?, None);
                }
                Ok(())
            })?;
            window.free()
        });
    }
}

#[test]
fn atomic_operations_and_locks_need_a_transport_that_has_them() {
    let network = Network {
        atomics: false,
        ..Network::ethernet_100g()
    };
    over(&network, 2, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        let other = 1 - world.rank();
        window.fence(|epoch| {
            let sum = epoch.accumulate(Operation::Sum, &[1], other, 0);
            assert!(matches!(sum, Err(Error::Transport(_))), "{sum:?}");
            let swap = epoch.swap(0, 1, other, 0).map(|_| ());
            assert!(matches!(swap, Err(Error::Transport(_))), "{swap:?}");
            // Puts work on.
            epoch.put_value(7, other, 0)
        })?;
        assert_eq!(window.local()?, [7]);
        let window = window.into_passive()?;
        let lock = window.lock(other, Lock::Shared, |_| Ok(()));
        assert!(matches!(lock, Err(Error::Transport(_))), "{lock:?}");
        Ok(())
    });
}

#[test]
fn notified_puts_end_at_256_windows_and_come_back_when_some_are_freed() {
    over(&Network::ethernet_100g(), 2, |world| {
        let mut windows = Vec::new();
        for _ in 0..256 {
            windows.push(Window::<u8>::allocate(world, 0)?);
        }
        let refused = |window: &mut Window<u8>| {
            window.fence(|epoch| {
                let put = epoch.put_notify(&[], 1 - world.rank(), 0, 0);
                Ok(matches!(put, Err(Error::Unsupported { .. })))
            })
        };
        let mut one_more = Window::<u8>::allocate(world, 0)?;
        assert!(refused(&mut one_more)?);
        windows.swap_remove(100).free()?;
        let mut again = Window::<u8>::allocate(world, 0)?;
        assert!(!refused(&mut again)?);
        Ok(())
    });
}

#[test]
fn windows_of_many_ranks() {
    over(&Network::ethernet_100g(), 300, |world| {
        let (me, size) = (world.rank(), world.size());
        let mut window = Window::<u32>::allocate(world, 2)?;
        window.fence(|epoch| epoch.put_value(me, (me + 1) % size, 0))?;
        assert_eq!(window.local()?, [(me + size - 1) % size, 0]);
        let far = (me + 157) % size;
        window.post(&[(me + size - 157) % size], |exposure| {
            exposure.start(&[far], |epoch| epoch.put_value(me, far, 1))
        })?;
        assert_eq!(window.local()?[1], (me + size - 157) % size);
        let mut passive = window.into_passive()?;
        passive.lock_all(|epoch| epoch.accumulate(Operation::Sum, &[1], me / 50, 1))?;
        let window = passive.into_active()?;
        let sum = if me < 6 { 50 } else { 0 };
        assert_eq!(window.local()?[1], (me + size - 157) % size + sum);
        window.free()
    });
}

/// The line of this file that ends with a mark.
fn line_of(mark: &str) -> usize {
    let comment = format!("// {mark}");
    let mut lines = include_str!("refusals.rs").lines();
    lines
        .position(|line| line.ends_with(&comment))
        .expect("it is marked")
        + 1
}

/// An error of an epoch, which says what, and where the two lines are that do not go together.
fn says<R>(refused: Result<R>, what: &str, marks: [&str; 2]) {
    let said = refused.err().expect("it is refused").to_string();
    assert!(said.contains(what), "{said}");
    for mark in marks {
        assert!(
            said.contains(&format!("refusals.rs:{}:", line_of(mark))),
            "{mark}: {said}"
        );
    }
}

#[test]
fn errors_of_epochs_name_both_lines() {
    farside::simulate(3, |world| {
        let me = world.rank();
        let window = Window::<u32>::allocate(world, 4)?.into_passive()?;
        window.lock(me, Lock::Shared, |epoch| refused(&window, me, epoch))?; // locks
        window.free()
    })
    .unwrap_or_else(|error| panic!("{error}"));
}

/// In a lock epoch of this rank's own memory.
fn refused<'s>(window: &Window<u32, Passive>, me: u32, epoch: &'s LockEpoch<'s, '_, u32>) -> Result<()> {
    let other = (me + 1) % 3;
    let put = epoch.put_value(1, other, 0); // puts elsewhere
    says(put, "no access to rank", ["puts elsewhere", "locks"]);
    let get = epoch.rget(vec![0], other, 0); // reads elsewhere
    says(get, "no access to rank", ["reads elsewhere", "locks"]);
    let flush = epoch.flush(other); // flushes elsewhere
    says(flush, "no access to rank", ["flushes elsewhere", "locks"]);
    let within = epoch.local(|batch| batch.put_value(1, other, 0)); // in an inner epoch
    says(within, "no access to rank", ["in an inner epoch", "locks"]);
    let again = window.lock(me, Lock::Shared, |_| Ok(())); // locks again
    says(again, "no second lock of rank", ["locks again", "locks"]);
    Ok(())
}
