//! Handles that get to where they do not belong, by safe code alone: to another window, to another rank that runs in
//! the same process, to a later world; and bytes that only look like a token. Each is an error, and memory stays whose
//! it is.

mod support;

use farside::sim::Simulation;
use farside::{Attached, Connected, Error, Result, Token, Window, World};
use std::cell::RefCell;
use std::sync::Mutex;
use std::time::Duration;
use support::{networks, with};

/// What a handle of something else gives.
fn is_foreign<R>(result: Result<R>) -> bool {
    matches!(result, Err(Error::Foreign { .. }))
}

/// A window of one rank, and memory that is attached to it.
fn alone(world: &World) -> Result<(Window<u64>, Attached<u64>)> {
    let window = Window::<u64>::dynamic(world)?;
    let attached = window.attach(1 << 16)?;
    Ok((window, attached))
}

#[test]
fn memory_of_a_world_that_is_over_is_not_that_of_the_next() -> Result<()> {
    let first = World::init()?;
    let (window, mut old) = alone(&first)?;
    window.free()?;
    first.finish()?;

    let second = World::init()?;
    let (mut window, mut new) = alone(&second)?;
    assert!(is_foreign(window.attached(&old)));
    assert!(is_foreign(window.attached_mut(&mut old)));
    assert!(is_foreign(window.attached_each_mut([&mut new, &mut old])));
    window.free()?;
    second.finish()
}

#[test]
fn two_worlds_at_once_do_not_share_memory() -> Result<()> {
    let (first, second) = (World::init()?, World::init()?);
    let ((one, ones), (other, others)) = (alone(&first)?, alone(&second)?);
    assert!(is_foreign(one.attached(&others)) && is_foreign(other.attached(&ones)));
    let (one, other) = (one.into_passive()?, other.into_passive()?);
    assert!(is_foreign(ones.cells(&other)) && is_foreign(others.cells(&one)));
    assert!(is_foreign(one.connect(&others.token())) && is_foreign(other.connect(&ones.token())));
    one.free()?;
    other.free()?;
    first.finish()?;
    second.finish()
}

#[test]
fn memory_of_a_simulation_that_is_over_is_not_that_of_the_next() -> Result<()> {
    let kept: RefCell<Option<Attached<u64>>> = RefCell::default();
    farside::simulate(1, |world| {
        let (window, attached) = alone(world)?;
        kept.replace(Some(attached));
        window.free()
    })?;
    farside::simulate(1, |world| {
        let (mut window, _new) = alone(world)?;
        let mut kept = kept.borrow_mut();
        let old = kept.as_mut().expect("it was kept");
        assert!(is_foreign(window.attached(old)));
        assert!(is_foreign(window.attached_mut(old)));
        window.free()
    })?;
    Ok(())
}

/// Each rank attaches memory, and connects to that of the next one.
fn connected(world: &World) -> Result<(Window<u64>, Connected<u64>)> {
    let window = Window::<u64>::dynamic(world)?;
    let own = window.attach(1 << 16)?;
    let mut tokens = vec![own.token(); world.size() as usize];
    world.allgather(&[own.token()], &mut tokens)?;
    let next = (world.rank() + 1) % world.size();
    let connected = window.connect(&tokens[next as usize])?;
    Ok((window, connected))
}

#[test]
fn a_connection_of_a_world_that_is_over_leads_nowhere() -> Result<()> {
    let kept = Mutex::new(None);
    let keep = |world: &World| -> Result<()> {
        let (window, connection) = connected(world)?;
        *kept.lock().expect("nobody panicked") = Some(connection);
        window.free()
    };
    let again = |world: &World| -> Result<()> {
        let (mut window, _own) = connected(world)?;
        let old = kept.lock().expect("nobody panicked").expect("it was kept");
        window.fence(|epoch| {
            assert!(is_foreign(epoch.put(&[1, 2, 3], &old, 9)));
            assert!(is_foreign(
                epoch.fetch(farside::Operation::Sum, 1, &old, 9).map(drop)
            ));
            Ok(())
        })?;
        window.free()
    };
    farside::threads(2, keep)?;
    farside::threads(2, again)?;
    farside::simulate(2, keep)?;
    farside::simulate(2, again)?;
    Ok(())
}

#[test]
fn attached_memory_is_lent_to_its_owner_only() -> Result<()> {
    let handed: RefCell<Option<Attached<u64>>> = RefCell::default();
    farside::simulate(2, |world| {
        let mut window = Window::<u64>::dynamic(world)?;
        if world.rank() == 0 {
            handed.replace(Some(window.attach(4)?));
        }
        world.barrier()?;
        if world.rank() == 1 {
            let mut handed = handed.borrow_mut();
            let theirs = handed.as_mut().expect("rank 0 handed it over");
            assert!(is_foreign(window.attached(theirs)));
            assert!(is_foreign(window.attached_mut(theirs)));
            let passive = Window::<u64>::dynamic(&world.split(Some(1), 0)?.expect("coloured"))?;
            let passive = passive.into_passive()?;
            assert!(is_foreign(theirs.cells(&passive)));
            passive.free()?;
        } else {
            world.split(None, 0)?;
        }
        world.barrier()?;
        if world.rank() == 0 {
            let own = handed.borrow();
            assert_eq!(window.attached(own.as_ref().expect("it is back"))?, [0; 4]);
        }
        window.free()
    })?;
    Ok(())
}

#[test]
fn a_connection_serves_the_rank_that_made_it_only() {
    with(2, |world| {
        let handed: &Mutex<Vec<Connected<u64>>> = {
            static HANDED: Mutex<Vec<Connected<u64>>> = Mutex::new(Vec::new());
            &HANDED
        };
        let (mut window, own) = connected(world)?;
        if world.rank() == 0 {
            *handed.lock().expect("nobody panicked") = vec![own];
        }
        world.barrier()?;
        let theirs = handed.lock().expect("nobody panicked")[0];
        window.fence(|epoch| {
            assert_eq!(is_foreign(epoch.put(&[5], &theirs, 0)), world.rank() == 1);
            epoch.put(&[6], &own, 1)
        })?;
        window.free()
    });
}

/// A window may be handed to another rank of a simulation, for its memory goes with it. It synchronises with nobody
/// there.
#[test]
fn a_window_in_the_hands_of_another_rank_opens_no_epoch() -> Result<()> {
    let handed: RefCell<Option<Window<u64>>> = RefCell::default();
    farside::simulate(2, |world| {
        let window = Window::<u64>::create(world, vec![u64::from(world.rank()); 3])?;
        if world.rank() == 0 {
            handed.replace(Some(window));
            world.barrier()?;
            return world.barrier();
        }
        world.barrier()?;
        let mut theirs = handed.take().expect("rank 0 handed it over");
        theirs.local_mut()?[1] = 7;
        assert_eq!(theirs.local()?, [0, 7, 0]);
        assert!(theirs.fence(|epoch| epoch.put(&[1], 1, 0)).is_err());
        assert!(theirs.local().is_err(), "it is broken from then on");
        drop(theirs);
        assert_eq!(window.local()?, [1; 3]);
        world.barrier()
    })?;
    Ok(())
}

#[test]
fn a_window_that_outlives_its_simulation_keeps_its_memory() -> Result<()> {
    let windows = farside::simulate(2, |world| {
        Window::<u64>::create(world, vec![40 + u64::from(world.rank()); 1 << 18])
    })?;
    for (window, value) in windows.into_iter().zip([40, 41]) {
        assert!(window.local()?.iter().all(|&found| found == value));
        assert!(window.free().is_err(), "there is nobody to free it with");
    }
    Ok(())
}

/// Bytes of a token, changed.
fn changed(token: Token, change: impl FnOnce(&mut [u8])) -> Token {
    let mut bytes = bytemuck::bytes_of(&token).to_vec();
    change(&mut bytes);
    bytemuck::pod_read_unaligned(&bytes)
}

/// What looks like a token of window A to a window A: the bytes of a token of window B, in whole and piece by piece,
/// those of an earlier window, and such as were cut short or changed.
#[test]
fn a_token_is_that_of_its_window_or_none() {
    with(2, |world| {
        let early = Window::<u64>::dynamic(world)?;
        let stale = early.attach(4)?.token();
        early.free()?;
        let (mut a, b) = (Window::<u64>::dynamic(world)?, Window::<u64>::dynamic(world)?);
        let (in_a, in_b) = (a.attach(4)?, b.attach(4)?);
        let (mut of_a, mut of_b) = ([in_a.token(); 2], [in_b.token(); 2]);
        world.allgather(&[in_a.token()], &mut of_a)?;
        world.allgather(&[in_b.token()], &mut of_b)?;
        let other = 1 - world.rank() as usize;
        let (token, wrong) = (of_a[other], of_b[other]);

        assert!(is_foreign(a.connect(&wrong)));
        assert!(is_foreign(a.connect(&stale)));
        assert!(is_foreign(a.connect(&bytemuck::Zeroable::zeroed())));
        let (ours, theirs) = (bytemuck::bytes_of(&token), bytemuck::bytes_of(&wrong));
        let mut differ = 0;
        for at in 0..ours.len() {
            // Cut short here; of the other window from here on, and up to here.
            let short = changed(token, |bytes| bytes[at..].fill(0));
            let tail = changed(token, |bytes| bytes[at..].copy_from_slice(&theirs[at..]));
            let head = changed(token, |bytes| bytes[..at].copy_from_slice(&theirs[..at]));
            for forged in [short, tail, head] {
                let is_it = bytemuck::bytes_of(&forged) == ours;
                assert_eq!(is_foreign(a.connect(&forged)), !is_it, "byte {at}");
                differ += u32::from(!is_it);
            }
            for bit in 0..8 {
                let forged = changed(token, |bytes| bytes[at] ^= 1 << bit);
                assert!(is_foreign(a.connect(&forged)), "bit {bit} of byte {at}");
            }
        }
        assert!(differ > 2 * 64);

        // And the true one works.
        let memory = a.connect(&token)?;
        a.fence(|epoch| epoch.put(&[8], &memory, 2))?;
        assert_eq!(a.attached(&in_a)?, [0, 0, 8, 0]);
        a.free()?;
        b.free()
    });
}

/// What was found: the bytes of a token of window B within one of window A let a put through A change a slice that B
/// lends.
#[test]
fn no_mixture_of_two_tokens_reaches_memory_of_the_other_window() -> Result<()> {
    farside::threads(2, |world| {
        let (mut a, b) = (Window::<u64>::dynamic(world)?, Window::<u64>::dynamic(world)?);
        let (in_a, in_b) = (a.attach(1)?, b.attach(1)?);
        let (mut of_a, mut of_b) = ([in_a.token(); 2], [in_b.token(); 2]);
        world.allgather(&[in_a.token()], &mut of_a)?;
        world.allgather(&[in_b.token()], &mut of_b)?;
        let other = 1 - world.rank() as usize;
        let (ours, theirs) = (bytemuck::bytes_of(&of_a[other]), bytemuck::bytes_of(&of_b[other]));
        // Every run of words of a token may be the ones that say where the memory is.
        let words = ours.len() / 8;
        let lent = b.attached(&in_b)?;
        for (from, to) in (0..words).flat_map(|from| (from + 1..=words).map(move |to| (from, to))) {
            let mut bytes = ours.to_vec();
            bytes[8 * from..8 * to].copy_from_slice(&theirs[8 * from..8 * to]);
            let memory = a.connect(&bytemuck::pod_read_unaligned(&bytes));
            a.fence(|epoch| match &memory {
                Ok(memory) => epoch.put(&[13], memory, 0),
                Err(_) => Ok(()),
            })?;
            assert_eq!(lent, [0], "words {from} to {to}");
        }
        world.barrier()?;
        a.free()?;
        b.free()
    })?;
    Ok(())
}

/// A flag that a barrier has sent is still to be read when the barrier is over: its place stays until then.
#[test]
fn a_group_that_is_dropped_after_a_barrier_leaves_its_flags() {
    for network in networks() {
        let simulation = Simulation::new(&network, 3);
        let result = farside::simulate_with(simulation, |world| {
            for _ in 0..30 {
                let group = world.duplicate()?;
                group.barrier()?;
                drop(group);
                // What takes the place of what was freed.
                let rubbish: Vec<Vec<u8>> = (1..64).map(|words| vec![0xA5; 8 * words]).collect();
                world.compute(Duration::from_micros(50));
                drop(rubbish);
            }
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("seed {}: {error}", network.seed));
    }
}
