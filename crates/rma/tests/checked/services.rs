//! Services: the order that requests, replies and the state make, and no more than that.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Result, Service, Window, World};
use std::time::Duration;

const SOURCE: &str = include_str!("services.rs");

type Counters = Service<u64, u64, u64>;

fn counters(world: &World) -> Result<Counters> {
    Counters::register(world, 0, |count, _, more| {
        *count += more;
        *count
    })
}

/// Rank 0 puts and says so by a request; rank 2 asks the same handler until it knows, and puts there, too.
#[test]
fn a_reply_tells_what_another_rank_had_told_the_handler() {
    silent(3, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let counters = counters(world)?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 0)?;
                epoch.flush(1)?;
                counters.send(1, 1)?;
            }
            if world.rank() == 2 {
                while counters.call(1, 0)?.wait()? == 0 {
                    world.compute(Duration::from_micros(1));
                }
                epoch.put(&[6], 1, 0)?;
            }
            Ok(())
        })?;
        assert!(counters.finish()? <= 1);
        window.free()
    });
}

#[test]
fn a_request_orders_nothing_for_its_sender() {
    let sides = [("put", 0, "told"), ("put", 2, "not asked")];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let counters = counters(world)?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 0)?; // told
                epoch.flush(1)?;
                counters.call(1, 1)?.wait()?;
            }
            if world.rank() == 2 {
                // It may be handled after that of rank 0; its reply is not waited for.
                world.compute(Duration::from_millis(1));
                counters.send(1, 0)?;
                epoch.put(&[6], 1, 0)?; // not asked
            }
            Ok(())
        })?;
        counters.finish()?;
        window.free()
    });
}

/// A handler runs within the receive of its rank; what it knows, the receive does not.
#[test]
fn what_a_handler_knows_its_rank_does_not() {
    let sides = [("put", 0, "for the handler"), ("put", 1, "of its rank")];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let counters = counters(world)?;
        window.lock_all(|epoch| {
            match world.rank() {
                0 => {
                    epoch.put(&[5], 2, 0)?; // for the handler
                    epoch.flush(2)?;
                    counters.call(1, 1)?.wait()?;
                }
                1 => {
                    world.receive::<u8>(Some(2), None)?;
                    epoch.put(&[6], 2, 0)?; // of its rank
                }
                _ => {
                    world.compute(Duration::from_millis(1));
                    world.send(1, 0, &[1u8])?;
                }
            }
            Ok(())
        })?;
        counters.finish()?;
        window.free()
    });
}

#[test]
fn a_look_at_the_state_tells_what_handlers_know() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let counters = counters(world)?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 0)?;
                epoch.flush(1)?;
                counters.call(1, 1)?.wait()?;
                return Ok(());
            }
            while counters.with(|count| *count)? == 0 {
                world.compute(Duration::from_micros(1));
                world.progress()?;
            }
            assert_eq!(epoch.direct(1)?.load(0)?, 5);
            Ok(())
        })?;
        counters.finish()?;
        window.free()
    });
}

#[test]
fn the_end_of_a_service_orders_all() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let counters = counters(world)?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 0)?;
                epoch.flush(1)?;
            }
            counters.finish()?;
            if world.rank() == 1 {
                assert_eq!(epoch.direct(1)?.load(0)?, 5);
            }
            Ok(())
        })?;
        window.free()
    });
}

/// Windows that the handlers own: a request orders a put of its sender before what the handler loads.
#[test]
fn a_request_tells_its_handler() {
    silent(2, |world| read_by_a_handler(world, true));
}

#[test]
fn a_put_after_the_request_races_with_the_handler() {
    let sides = [("put", 0, "after the request"), ("LOAD", 1, "in the handler")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        read_by_a_handler(world, false)
    });
}

fn read_by_a_handler(world: &World, before: bool) -> Result<()> {
    let (mine, me) = (Window::<u64>::allocate(world, 1)?.into_passive()?, world.rank());
    let readers = Service::<(), u64, _>::register(world, mine, move |mine, _, ()| {
        let mut value = 0;
        mine.lock_all(|epoch| {
            value = epoch.direct(me)?.load(0)?; // in the handler
            Ok(())
        })
        .expect("own memory");
        value
    })?;
    if world.rank() == 0 && before {
        readers.with(|reads| {
            reads.lock_all(|epoch| {
                epoch.put(&[5], 1, 0)?;
                epoch.flush(1)
            })
        })??;
        assert_eq!(readers.call(1, ())?.wait()?, 5);
    } else if world.rank() == 0 {
        let reply = readers.call(1, ())?;
        readers.with(|reads| {
            reads.lock_all(|epoch| {
                epoch.put(&[5], 1, 0) // after the request
            })
        })??;
        reply.wait()?;
    }
    readers.finish()?.free()
}
