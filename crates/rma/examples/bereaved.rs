//! What each wait says when the rank that it waits for is killed, and that the others go on: the test program of
//! losses.
//!
//! `farside run --keep-going -n 3 -- bereaved WAIT`: rank 1 gets as far as that it is waited for, and kills itself by
//! SIGKILL. The others print the error that they get, shrink the world, and meet.

use farside::{Error, Lock, Operation, Result, Service, Window, World};
use rustix::process::{Signal, getpid, kill_process};
use std::time::Duration;

/// The rank that dies.
const LOST: u32 = 1;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let wait = std::env::args().nth(1).ok_or("which wait?")?;
    let world = World::init()?;
    // Nobody dies before all have the world.
    world.agree(true)?;
    // Nobody is to be called off before the loss is known.
    world.set_time_limit(None);
    let error = match perform(&world, &wait) {
        Err(error @ Error::PeerLost { .. }) => error,
        other => return Err(format!("{wait} gives {other:?}").into()),
    };
    let next = world.shrink()?;
    drop(world);
    let mut window = Window::<u32>::allocate(&next, 1)?;
    let (me, size) = (next.rank(), next.size());
    window.fence(|epoch| epoch.put_value(me + 10, (me + 1) % size, 0))?;
    let left = window.local()?[0];
    window.free()?;
    println!(
        "{wait}: {error}; then rank {me} of {size} got {left}, once {:?}",
        next.former()
    );
    next.finish()?;
    Ok(())
}

/// Dies, as rank 1.
fn die(world: &World) {
    if world.rank() == LOST {
        // Nobody is left to look at the answer.
        let _ = kill_process(getpid(), Signal::KILL);
        std::thread::sleep(Duration::from_secs(60));
    }
}

fn perform(world: &World, wait: &str) -> Result<()> {
    let me = world.rank();
    match wait {
        "barrier" => {
            die(world);
            world.barrier()
        }
        "receive" => {
            die(world);
            world.receive::<u8>(Some(LOST), None).map(|_| ())
        }
        "allreduce" => {
            die(world);
            world.allreduce(Operation::Sum, &mut [1_u64])
        }
        "call" => {
            let empty = Service::<(), ()>::register(world, (), |_, _, ()| ())?;
            die(world);
            empty.call(LOST, ())?.wait()
        }
        "room_of_a_service" => {
            let empty = Service::<(), ()>::register(world, (), |_, _, ()| ())?;
            die(world);
            loop {
                empty.send(LOST, ())?;
            }
        }
        "end_of_a_service" => {
            let empty = Service::<(), ()>::register(world, (), |_, _, ()| ())?;
            die(world);
            empty.finish()
        }
        "split" => {
            die(world);
            world.split(Some(0), 0).map(|_| ())
        }
        "allocate" => {
            die(world);
            Window::<u8>::allocate(world, 1).map(|_| ())
        }
        "fence" => {
            let mut window = Window::<u64>::allocate(world, 4)?;
            window.fence(|epoch| epoch.put_value(7, (me + 1) % world.size(), 0))?;
            die(world);
            window.fence(|epoch| epoch.put_value(8, (me + 1) % world.size(), 0))
        }
        "start" => {
            let mut window = Window::<u64>::allocate(world, 4)?;
            die(world);
            window.start(&[LOST], |epoch| epoch.put_value(7, LOST, 0))
        }
        "post" => {
            let mut window = Window::<u64>::allocate(world, 4)?;
            die(world);
            window.post(&[LOST], |_| Ok(()))
        }
        "free" => {
            let window = Window::<u64>::allocate(world, 4)?;
            die(world);
            window.free()
        }
        _ => passive(world, wait),
    }
}

/// Of a window in passive mode; what rank 1 holds, it never gives back.
fn passive(world: &World, wait: &str) -> Result<()> {
    let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
    match wait {
        "lock" => {
            if world.rank() == LOST {
                return window.lock(0, Lock::Exclusive, |epoch| {
                    // From here on it has the lock, which may be asked for late.
                    epoch.flush(0)?;
                    world.barrier()?;
                    die(world);
                    Ok(())
                });
            }
            world.barrier()?;
            window.lock(0, Lock::Exclusive, |epoch| epoch.put_value(1, 0, 0))
        }
        "lock_of_the_lost" => {
            world.barrier()?;
            die(world);
            loop {
                window.lock(LOST, Lock::Shared, |epoch| epoch.put_value(1, LOST, 0))?;
            }
        }
        "flush" => {
            world.barrier()?;
            die(world);
            window.lock_all(|epoch| {
                loop {
                    epoch.put_value(1, LOST, 0)?;
                    epoch.flush(LOST)?;
                }
            })
        }
        "request" => {
            world.barrier()?;
            die(world);
            window.lock_all(|epoch| {
                loop {
                    epoch.rget(vec![0; 4], LOST, 0)?.wait()?;
                }
            })
        }
        "wait_until" => {
            die(world);
            window.wait_until(0, |value| value == 1).map(|_| ())
        }
        "notice" => {
            die(world);
            window.wait_notice(None).map(|_| ())
        }
        other => Err(Error::Start(format!("no such wait: {other}"))),
    }
}
