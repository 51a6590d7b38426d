//! Two ranks that answer one another.

use crate::floor::{floor, floor_partner};
use crate::operations::operations;
use crate::{Bench, FLAGS, LIMIT, measure, quartiles, show, take};
use farside_fabric::{Rank, Result, Signal};
use std::time::{Duration, Instant};

const SAMPLES: usize = 1000;

/// Trips of a sample: short, so that a stop by others on the machine spoils few of them.
const TRIPS: u32 = 50;

/// Goes there and back: rank 0 begins. `send` and `take` get the number of the trip, from 1.
fn trips(
    bench: &Bench,
    what: &str,
    send: impl Fn(Rank, u64) -> Result<()>,
    take: impl Fn(u64) -> Result<()>,
) -> Result<()> {
    let other = 1 - bench.rank();
    let mut trip = 0;
    let figure = measure(SAMPLES, TRIPS, || {
        trip += 1;
        if bench.rank() == 0 {
            send(other, trip)?;
            return take(trip);
        }
        take(trip)?;
        send(other, trip)
    })?;
    if bench.rank() == 0 {
        show(&format!("{what}, there and back"), figure, 0);
    }
    Ok(())
}

/// What one rank does for itself, and two that meet.
fn alone_and_together(bench: &Bench) -> Result<()> {
    let figure = measure(200, 1000, || {
        bench.fabric.send(bench.rank(), 0, &[])?;
        take(bench).map(drop)
    })?;
    if bench.rank() == 0 {
        show("message of 0 B to oneself", figure, 0);
    }
    let mut turn = 0;
    let figure = measure(SAMPLES, TRIPS, || {
        turn += 1;
        bench.put_word(1 - bench.rank(), FLAGS + 256, turn)?;
        bench.wait_word(FLAGS + 256, turn)
    })?;
    if bench.rank() == 0 {
        show("barrier of 2 by flags", figure, 0);
    }
    Ok(())
}

/// As [`trips`] by puts, but rank 1 sleeps when the trip begins.
fn waking_trips(bench: &Bench) -> Result<()> {
    let other = 1 - bench.rank();
    let mut found = Vec::new();
    for trip in 1..=200 {
        if bench.rank() == 0 {
            bench.fabric.compute(Duration::from_millis(4));
            let began = Instant::now();
            bench.put_word(other, FLAGS + 512, trip)?;
            bench.wait_word(FLAGS + 512, trip)?;
            found.push(began.elapsed().as_secs_f64() * 1e9);
        } else {
            bench.wait_word(FLAGS + 512, trip)?;
            bench.put_word(other, FLAGS + 512, trip)?;
        }
    }
    if bench.rank() == 0 {
        show("put to a rank that sleeps, and back", quartiles(found), 0);
    }
    Ok(())
}

pub(crate) fn pair(mut bench: Bench) -> Result<()> {
    if bench.rank() == 0 {
        floor(&bench)?;
        operations(&mut bench)?;
        bench.fabric.send(1, 0, &[])?;
    } else {
        floor_partner(&bench);
        take(&bench)?;
    }
    alone_and_together(&bench)?;
    let bench = &bench;
    trips(
        bench,
        "put and wait",
        |other, trip| bench.put_word(other, FLAGS, trip),
        |trip| bench.wait_word(FLAGS, trip),
    )?;
    waking_trips(bench)?;
    let word = [7_u8; 8];
    trips(
        bench,
        "put with immediate",
        |other, trip| bench.put(other, FLAGS, word.as_ptr(), 8, Signal::Immediate(trip as u32)),
        |_| {
            bench
                .fabric
                .wait(LIMIT, &mut || Ok(bench.fabric.notification()?.is_some()))
        },
    )?;
    trips(
        bench,
        "counted put",
        |other, _| bench.put(other, FLAGS, word.as_ptr(), 8, Signal::Count),
        |trip| {
            let region = &bench.own.region;
            bench
                .fabric
                .wait(LIMIT, &mut || Ok(bench.fabric.arrivals(region)? >= trip))
        },
    )?;
    for bytes in [0, 64, 1024, 16 << 10] {
        trips(
            bench,
            &format!("message of {bytes} B"),
            |other, _| bench.fabric.send(other, 0, &bench.buffer[..bytes]),
            |_| take(bench).map(drop),
        )?;
    }
    bench.fabric.finish()
}
