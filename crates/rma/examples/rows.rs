//! The rows of `farside-bench rma`: what calls cost between two ranks, beside the floor of the machine.
//!
//! `farside run -n 2 -- rows SAMPLES` prints a line a row: its name, then nanoseconds an operation of each sample. A
//! sample is a batch of operations, timed as a whole. Rank 0 measures; rank 1 is the target and waits in a barrier, but
//! in collective rows. With more than two ranks there are collective rows only, in which each puts to the next one.
//! Every row checks what it wrote. Ends with `verified`. The same rows for an MPI: `bench/rma/mpi.c`.

use farside::{Lock, Operation, Result, Window, World};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const LARGE: usize = 1 << 20;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let samples: usize = match std::env::args().nth(1).and_then(|word| word.parse().ok()) {
        Some(samples) if samples > 0 => samples,
        _ => return Err("usage: farside run -n RANKS -- rows SAMPLES".into()),
    };
    farside::run(|world| {
        assert!(world.size() >= 2, "two ranks or more, please");
        let rows = Rows { world, samples };
        if world.size() > 2 {
            rows.crowd()?;
        } else {
            rows.floor()?;
            rows.active()?;
            rows.passive()?;
            rows.atomic()?;
        }
        if world.rank() == 0 {
            println!("verified");
        }
        Ok(())
    })?;
    Ok(())
}

struct Rows<'w> {
    world: &'w World,
    samples: usize,
}

/// What is put. It begins at a page, as that of `bench/rma/mpi.c`: a copy from elsewhere takes some percent more.
#[repr(C, align(4096))]
struct Pattern([u8; LARGE]);

fn pattern() -> Box<Pattern> {
    let mut pattern: Box<Pattern> = Box::new(Pattern([0; LARGE]));
    for (at, byte) in pattern.0.iter_mut().enumerate() {
        *byte = (at * 7 + 3) as u8;
    }
    pattern
}

impl Rows<'_> {
    fn measures(&self) -> bool {
        self.world.rank() == 0
    }

    /// How often an operation of a row is done in all.
    fn times(&self, batch: usize) -> usize {
        (self.samples + self.samples / 10 + 5) * batch
    }

    /// Does an operation in batches, and prints a line. A tenth of the samples, and 5 at least, warm up.
    fn row(&self, name: &str, batch: usize, mut once: impl FnMut() -> Result<()>) -> Result<()> {
        let mut line = name.to_owned();
        let warm = self.samples / 10 + 5;
        for sample in 0..warm + self.samples {
            let from = Instant::now();
            for _ in 0..batch {
                once()?;
            }
            let each = from.elapsed().as_nanos() as f64 / batch as f64;
            if sample >= warm {
                // Writing to a string cannot fail.
                let _ = write!(line, " {each:.2}");
            }
        }
        if self.measures() {
            println!("{line}");
        }
        Ok(())
    }

    /// What the machine itself takes, where memory can be mapped.
    fn floor(&self) -> Result<()> {
        if !self.world.capabilities().mapped {
            return Ok(());
        }
        let mut flags = Window::<u64>::shared(self.world, 16)?.into_passive()?;
        let (me, other) = (self.world.rank(), 1 - self.world.rank());
        flags.lock_all(|epoch| {
            let (own, there) = (epoch.direct(me)?, epoch.direct(other)?);
            let mut turn = 0;
            self.world.barrier()?;
            self.row("floor-line", 1000, || {
                turn += 1;
                if me == 0 {
                    there.store(0, turn)?;
                }
                while own.load(0)? != turn {
                    std::hint::spin_loop();
                }
                if me == 1 {
                    there.store(0, turn)?;
                }
                Ok(())
            })
        })?;
        flags.free()?;
        let mut pages = Window::<u8>::shared(self.world, LARGE)?.into_passive()?;
        let buffer = &pattern().0;
        pages.lock_all(|epoch| {
            self.world.barrier()?;
            if self.measures() {
                // SAFETY: the other rank waits in the barrier below and touches nothing.
                let there = unsafe { epoch.direct_slice_mut(other, 0..LARGE)? };
                for (name, bytes, batch) in [("floor-copy-64K", 1 << 16, 50), ("floor-copy-1M", LARGE, 4)] {
                    self.row(name, batch, || {
                        there[..bytes].copy_from_slice(std::hint::black_box(&buffer[..bytes]));
                        Ok(())
                    })?;
                }
            }
            self.world.barrier()
        })?;
        pages.free()
    }

    /// The rows of more than two ranks.
    fn crowd(&self) -> Result<()> {
        let next = (self.world.rank() + 1) % self.world.size();
        let buffer = &pattern().0;
        self.row("barrier", 20, || self.world.barrier())?;
        let mut window = Window::<u8>::allocate(self.world, LARGE)?;
        window.fences(|fences| {
            self.row("fence", 20, || fences.epoch(|_| Ok(())))?;
            self.row("fence-put-16", 20, || {
                fences.epoch(|epoch| epoch.put(&buffer[..16], next, 0))
            })
        })?;
        assert!(
            window.local()?[..16] == buffer[..16],
            "fence-put-16: wrong result"
        );
        window.free()
    }

    /// All ranks take part.
    fn active(&self) -> Result<()> {
        let me = self.world.rank();
        let buffer = &pattern().0;
        self.row("barrier", 200, || self.world.barrier())?;
        let mut window = Window::<u8>::allocate(self.world, LARGE)?;
        window.fences(|fences| self.row("fence", 200, || fences.epoch(|_| Ok(()))))?;
        for (name, bytes, batch) in [
            ("fence-put-16", 16, 200),
            ("fence-put-64K", 1 << 16, 50),
            ("fence-put-1M", LARGE, 4),
        ] {
            window.fences(|fences| {
                self.row(name, batch, || {
                    fences.epoch(|epoch| {
                        if me == 0 {
                            epoch.put(&buffer[..bytes], 1, 0)?;
                        }
                        Ok(())
                    })
                })
            })?;
            check(&mut window, me, &buffer[..bytes], name)?;
        }
        window.fences(|fences| {
            self.row("fence-8-puts-8", 100, || {
                fences.epoch(|epoch| {
                    for at in (0..64).step_by(8).filter(|_| me == 0) {
                        epoch.put(&buffer[at..at + 8], 1, at)?;
                    }
                    Ok(())
                })
            })
        })?;
        check(&mut window, me, &buffer[..64], "fence-8-puts-8")?;
        self.row("pscw-put-16", 100, || {
            if me == 0 {
                window.start(&[1], |epoch| epoch.put(&buffer[..16], 1, 0))
            } else {
                window.post(&[0], |_| Ok(()))
            }
        })?;
        check(&mut window, me, &buffer[..16], "pscw-put-16")?;
        window.free()
    }

    /// Rank 1 takes no part.
    fn passive(&self) -> Result<()> {
        let me = self.world.rank();
        let (buffer, mut found) = (&pattern().0, [0; 8]);
        let mut window = Window::<u8>::allocate(self.world, LARGE)?.into_passive()?;
        if self.measures() {
            window.lock_all(|epoch| {
                let put = |bytes: usize| epoch.remote(|batch| batch.put(&buffer[..bytes], 1, 0));
                self.row("put-8-flush", 500, || put(8))?;
                self.row("get-8-flush", 500, || {
                    epoch.remote(|batch| batch.get(&mut found, 1, 0))
                })?;
                self.row("64-puts-8-flush", 20, || {
                    epoch.remote(|batch| {
                        for at in (0..512).step_by(8) {
                            batch.put(&buffer[at..at + 8], 1, at)?;
                        }
                        Ok(())
                    })
                })?;
                self.row("put-64K-flush", 50, || put(1 << 16))?;
                self.row("put-1M-flush", 4, || put(LARGE))
            })?;
            assert_eq!(found, buffer[..8], "get-8-flush: wrong result");
            self.row("lock-put-8-unlock", 200, || {
                window.lock(1, Lock::Exclusive, |epoch| epoch.put(&buffer[..8], 1, 0))
            })?;
        }
        let mut line = "busy-target-put-8-flush".to_owned();
        window.lock_all(|epoch| {
            for _ in 0..7 {
                self.world.barrier()?;
                if me == 1 {
                    spin(Duration::from_millis(50));
                } else {
                    spin(Duration::from_millis(2));
                    let from = Instant::now();
                    epoch.remote(|batch| batch.put(&buffer[..8], 1, 0))?;
                    // Writing to a string cannot fail.
                    let _ = write!(line, " {}", from.elapsed().as_nanos());
                }
                self.world.barrier()?;
            }
            Ok(())
        })?;
        if self.measures() {
            println!("{line}");
        }
        let mut window = window.into_active()?;
        check(&mut window, me, buffer, "put-1M-flush")?;
        window.free()
    }

    /// Atomic operations of rank 0 at rank 1.
    fn atomic(&self) -> Result<()> {
        let mut window = Window::<i64>::allocate(self.world, 3)?.into_passive()?;
        if self.measures() {
            window.lock_all(|epoch| {
                self.row("accumulate-flush", 500, || {
                    epoch.remote(|batch| batch.accumulate(Operation::Sum, &[1], 1, 0))
                })?;
                self.row("fetch-and-op-flush", 500, || {
                    epoch.fetch(Operation::Sum, 1, 1, 1)?.wait()?;
                    epoch.flush(1)
                })?;
                self.row("compare-and-swap-flush", 500, || {
                    epoch.swap(1, 0, 1, 2)?.wait()?;
                    epoch.flush(1)
                })
            })?;
        }
        let window = window.into_active()?;
        let times = self.times(500) as i64;
        assert!(
            self.measures() || window.local()?[..2] == [times, times],
            "wrong counts"
        );
        window.free()
    }
}

fn spin(time: Duration) {
    let from = Instant::now();
    while from.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// What rank 0 put last is at rank 1; and is gone for the next row.
fn check(window: &mut Window<u8>, me: u32, wanted: &[u8], row: &str) -> Result<()> {
    if me == 1 {
        let own = &mut window.local_mut()?[..wanted.len()];
        assert!(own == wanted, "{row}: wrong result");
        own.fill(0);
    }
    Ok(())
}
