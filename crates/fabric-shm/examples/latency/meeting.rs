//! Many ranks that meet.

use crate::{Bench, FLAGS, LIMIT, measure, show, take};
use farside_fabric::Result;
use std::sync::atomic::Ordering;

/// A barrier by dissemination: in round `k`, a flag to the rank `2^k` further.
fn barrier(bench: &Bench, turn: u64) -> Result<()> {
    let (rank, size) = (bench.rank(), bench.fabric.size());
    let mut round = 0;
    while 1 << round < size {
        let at = FLAGS + 4096 + round * 128;
        bench.put_word((rank + (1 << round)) % size, at, turn)?;
        bench.wait_word(at, turn)?;
        round += 1;
    }
    Ok(())
}

/// A barrier by gathering: all to rank 0, which tells all.
fn gather(bench: &Bench, turn: u64) -> Result<()> {
    let (rank, size) = (bench.rank(), bench.fabric.size());
    if rank != 0 {
        bench.put_word(0, FLAGS + 8192 + rank as usize * 128, turn)?;
        return bench.wait_word(FLAGS + 8192, turn);
    }
    let mut next = 1;
    bench.fabric.wait(LIMIT, &mut || {
        while next < size
            && bench
                .word(FLAGS + 8192 + next as usize * 128)
                .load(Ordering::Acquire)
                >= turn
        {
            next += 1;
        }
        Ok(next == size)
    })?;
    (1..size).try_for_each(|rank| bench.put_word(rank, FLAGS + 8192, turn))
}

/// Processor time of this process so far, in nanoseconds.
fn worked() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The time of a barrier depends on what else runs on the machine; the processor time of all ranks together does less.
pub(crate) fn crowd(bench: Bench) -> Result<()> {
    const BATCH: u32 = 20;
    let size = bench.fabric.size();
    let samples = if size > 16 { 50 } else { 100 };
    let mut turn = 0;
    for (name, meet) in [
        ("dissemination", barrier as fn(&Bench, u64) -> Result<()>),
        ("gather", gather),
    ] {
        let before = worked();
        let figure = measure(samples, BATCH, || {
            turn += 1;
            meet(&bench, turn)
        })?;
        let work = worked() - before;
        bench.fabric.send(0, 1, &work.to_ne_bytes())?;
        if bench.rank() == 0 {
            let mut all = 0;
            for _ in 0..size {
                let bytes = take(&bench)?;
                all += bytes.try_into().map_or(0, u64::from_ne_bytes);
            }
            show(&format!("barrier of {size} by {name}"), figure, 0);
            let mean = all as f64 / f64::from((samples as u32 + 1) * BATCH);
            println!("{:44} {mean:10.1} ns", "    processor time of all ranks");
        }
        turn += 1;
        barrier(&bench, turn)?;
    }
    bench.fabric.finish()
}
