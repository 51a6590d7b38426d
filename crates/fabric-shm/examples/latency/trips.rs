//! Two ranks that answer one another.

use crate::floor::{floor, floor_partner};
use crate::operations::operations;
use crate::{Bench, FLAGS, measure, show, take};
use farside_fabric::Result;

/// There and back; `first` begins.
fn by_put_and_wait(bench: &Bench, rounds: u64, from: u64) -> Result<()> {
    let other = 1 - bench.rank();
    for round in from + 1..=from + rounds {
        if bench.rank() == 0 {
            bench.put_word(other, FLAGS, round)?;
        }
        bench.wait_word(FLAGS, round)?;
        if bench.rank() == 1 {
            bench.put_word(other, FLAGS, round)?;
        }
    }
    Ok(())
}

fn by_message(bench: &Bench, rounds: u64, bytes: usize) -> Result<()> {
    let other = 1 - bench.rank();
    for _ in 0..rounds {
        if bench.rank() == 0 {
            bench.fabric.send(other, 0, &bench.buffer[..bytes])?;
        }
        let found = take(bench)?;
        if bench.rank() == 1 {
            bench.fabric.send(other, 0, &found)?;
        }
    }
    Ok(())
}

const SAMPLES: usize = 1000;
const TRIPS: u64 = 50;

pub(crate) fn pair(mut bench: Bench) -> Result<()> {
    let first = bench.rank() == 0;
    if first {
        floor(&bench)?;
        operations(&mut bench)?;
        bench.fabric.send(1, 0, &[])?;
    } else {
        floor_partner(&bench);
        take(&bench)?;
    }
    let mut round = 0;
    let mut trips = || {
        by_put_and_wait(&bench, TRIPS, round)?;
        round += TRIPS;
        Ok(())
    };
    // One warming sample in `measure`, and as many of them as it takes.
    let figure = measure(SAMPLES, 1, &mut trips)?;
    if first {
        show(
            "put and wait, there and back",
            figure.map(|time| time / TRIPS as f64),
            0,
        );
    }
    let mut turn = 1 << 32;
    let figure = measure(SAMPLES, 50, || {
        turn += 1;
        bench.put_word(1 - bench.rank(), FLAGS + 256, turn)?;
        bench.wait_word(FLAGS + 256, turn)
    })?;
    if first {
        show("barrier of 2 by flags", figure, 0);
    }
    for bytes in [0, 64, 1024, 16 << 10] {
        let figure = measure(SAMPLES, 1, || by_message(&bench, TRIPS, bytes))?;
        if first {
            show(
                &format!("message of {bytes} B, there and back"),
                figure.map(|time| time / TRIPS as f64),
                0,
            );
        }
    }
    bench.fabric.finish()
}
