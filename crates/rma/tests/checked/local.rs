//! Loads and stores of the rank itself, and of its neighbours, against operations of others.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Layout, Window};

const SOURCE: &str = include_str!("local.rs");

#[test]
fn a_load_meets_a_put() {
    let sides = [("put", 0, "puts"), ("LOAD", 1, "loads")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?;
        window.fence(|epoch| {
            if world.rank() == 0 {
                return epoch.put_value(5, 1, 2); // puts
            }
            let own = epoch.direct(1)?;
            own.load(1)?;
            own.load(2)?; // loads
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_store_meets_a_get() {
    let sides = [("get", 0, "gets"), ("STORE", 1, "stores")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        let mut there = [0; 4];
        if world.rank() == 1 {
            window.cells().write(1, &[5, 6])?; // stores
        } else {
            window.lock_all(|epoch| {
                epoch.get(&mut there, 1, 0) // gets
            })?;
        }
        window.free()
    });
}

#[test]
fn loads_meet_gets_and_stores_come_after_a_barrier() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        let mut there = [0; 4];
        if world.rank() == 1 {
            window.cells().read(0, &mut there)?;
        } else {
            window.lock_all(|epoch| epoch.get(&mut there, 1, 0))?;
        }
        world.barrier()?;
        window.cells().store(world.rank() as usize, 1)?;
        window.free()
    });
}

#[test]
fn waiting_for_a_word() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        window.lock_all(|epoch| {
            for round in 1..4 {
                if world.rank() == 0 {
                    epoch.put_value(10 * round, 1, 1)?;
                    epoch.flush(1)?;
                    epoch.put_value(round, 1, 0)?;
                    epoch.flush(1)?;
                } else {
                    epoch.wait_until(0, |word| word == round)?;
                    assert_eq!(epoch.direct(1)?.load(1)?, 10 * round);
                    assert_eq!(epoch.direct(1)?.load(0)?, round);
                }
                world.barrier()?;
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_word_that_comes_before_the_data() {
    let sides = [("put", 0, "data"), ("LOAD", 1, "too early")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(10, 1, 1)?; // data
                epoch.put_value(1, 1, 0)?;
                return epoch.flush(1);
            }
            epoch.wait_until(0, |word| word == 1)?;
            epoch.direct(1)?.load(1)?; // too early
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_loop_over_loads_is_a_race() {
    let sides = [("put", 0, "the word"), ("LOAD", 1, "polls")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(1, 1, 0)?; // the word
                return epoch.flush(1);
            }
            let own = epoch.direct(1)?;
            loop {
                let word = own.load(0)?; // polls
                if word == 1 {
                    return Ok(());
                }
                world.compute(std::time::Duration::from_micros(1));
            }
        })?;
        window.free()
    });
}

#[test]
fn a_slice_that_was_promised_to_be_alone() {
    let sides = [("direct_slice", 1, "promises"), ("put", 0, "breaks the promise")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?;
        window.fence(|epoch| {
            if world.rank() == 0 {
                return epoch.put_value(1, 1, 3); // breaks the promise
            }
            // SAFETY: none: the promise is broken, which is what is to be found. Nothing is read.
            let _ = unsafe { epoch.direct_slice(1)? }; // promises
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn stores_to_a_neighbour() {
    // Where memory is mapped: ranks that are threads.
    let checked = farside::check::threads(2, |world| {
        let mut window = Window::<u64>::shared(world, 2)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                let there = epoch.direct(1)?;
                there.store(1, 7)?;
                there.store(0, 1)?;
                return Ok(());
            }
            epoch.wait_until(0, |word| word == 1)?;
            epoch.put_value(8, 1, 1)?;
            epoch.flush(1)
        })?;
        window.free()
    });
    let checked = checked.expect("a detector");
    assert_eq!(checked.result.as_ref().map(Vec::len), Ok(2));
    assert!(checked.report.findings.is_empty(), "{}", checked.text());
}

#[test]
fn a_store_to_a_neighbour_meets_a_put() {
    let checked = farside::check::threads(3, |world| {
        let mut window = Window::<u64>::shared(world, 2)?.into_passive()?;
        window.lock_all(|epoch| match world.rank() {
            0 => epoch.direct(1)?.store(1, 7),
            2 => epoch.put_value(8, 1, 1),
            _ => Ok(()),
        })?;
        window.free()
    });
    let checked = checked.expect("a detector");
    let [race] = &checked.report.findings[..] else {
        panic!("one race\n{}", checked.text())
    };
    let bytes = race.bytes.as_ref().expect("bytes");
    assert_eq!(
        (bytes.rank, bytes.start, bytes.end, bytes.in_window),
        (1, 8, 16, true)
    );
}

/// What is read from the own memory, while another rank puts there.
#[test]
fn a_put_of_own_elements_meets_a_put() {
    let sides = [("put", 0, "reads its own"), ("put", 1, "writes there")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u32>::allocate(world, 2)?;
        let first = Layout::contiguous(1);
        window.fence(|epoch| match world.rank() {
            0 => epoch.put_own(&first, 1, 1, &first), // reads its own
            _ => epoch.put_value(7, 0, 0),            // writes there
        })?;
        window.free()
    });
}

#[test]
fn own_elements_that_nobody_puts_to() {
    silent(2, |world| {
        let mut window = Window::<u32>::allocate(world, 2)?;
        let first = Layout::contiguous(1);
        window.fence(|epoch| epoch.put_own(&first, 1 - world.rank(), 1, &first))?;
        window.fence(|epoch| epoch.put_value(7, 1 - world.rank(), 0))?;
        window.free()
    });
}
