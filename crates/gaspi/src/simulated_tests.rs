//! The orders of GASPI over virtual networks that keep none: packets overtake one another, and buffers are read late.
//! Each seed is another run.

use crate::abi::{BLOCK, Failure, Outcome, TEST};
use crate::atomic::{self, Atomic};
use crate::collective::{Kind, keep};
use crate::config::Config;
use crate::job::Job;
use crate::net::locked;
use crate::transfer::{self, Direction, Notice, Piece};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Fabric, Rank};
use farside_fabric_sim::{Network, Rarely, Routing, SimFabric, Simulation};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Published = Mutex<HashMap<(Rank, String), Vec<u8>>>;

/// How ranks of one process find one another: by messages of the network, before anything else is sent.
struct Meeting {
    fabric: SimFabric,
    published: Arc<Published>,
}

impl Bootstrap for Meeting {
    fn rank(&self) -> Rank {
        self.fabric.rank()
    }

    fn size(&self) -> u32 {
        self.fabric.size()
    }

    fn job(&self) -> &str {
        "simulated"
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> farside_fabric::Result<()> {
        locked(&self.published).insert((self.rank(), name.to_owned()), bytes.to_vec());
        Ok(())
    }

    fn lookup(&self, rank: Rank, name: &str) -> farside_fabric::Result<Vec<u8>> {
        let found = locked(&self.published).get(&(rank, name.to_owned())).cloned();
        found.ok_or_else(|| Error::Bootstrap(format!("rank {rank} has published no {name}")))
    }

    fn fence(&self) -> farside_fabric::Result<()> {
        let others = (0..self.size()).filter(|&rank| rank != self.rank());
        others
            .clone()
            .try_for_each(|rank| self.fabric.send(rank, 99, &[]))?;
        for _ in others {
            self.fabric
                .wait(None, &mut || Ok(self.fabric.receive()?.is_some()))?;
        }
        // So long that all have heard of all: the next message is of something else.
        self.fabric.compute(Duration::from_millis(1));
        Ok(())
    }

    fn finish(&self) -> farside_fabric::Result<()> {
        Ok(())
    }

    fn lost(&self) -> Option<Rank> {
        None
    }
}

/// Runs a program of all ranks, on a network where what may be overtaken is.
fn run(seed: u64, ranks: u32, program: impl Fn(&Job) -> Outcome) {
    let network = Network {
        seed,
        routing: Routing::Adaptive {
            paths: 4,
            spread: Duration::from_micros(20),
        },
        delay: Some(Rarely {
            one_in: 5,
            time: Duration::from_micros(50),
        }),
        hesitation: Duration::from_micros(10),
        packet: 256,
        ..Network::ethernet_100g()
    };
    let published = Arc::new(Published::default());
    let simulation = Simulation::new(&network, ranks).stack(1 << 20);
    let outcome = simulation.try_run(|fabric| {
        let meeting = Arc::new(Meeting {
            fabric: fabric.clone(),
            published: Arc::clone(&published),
        });
        let job = Job::over(Arc::new(fabric.clone()), meeting, Config::DEFAULT)
            .map_err(|error| error.to_string())?;
        let failed = |failure: Failure| format!("rank {}: {failure:?}", fabric.rank());
        program(&job).map_err(failed)?;
        job.groups().end(job.net(), BLOCK).map_err(failed)?;
        fabric.finish().map_err(|error| error.to_string())
    });
    outcome.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
}

fn create(job: &Job, segment: u8, size: u64) -> Outcome {
    job.segments()
        .allocate(job.net(), job.board(), segment, size, None)?;
    (0..job.net().size())
        .try_for_each(|rank| job.segments().register(job.net(), job.board(), segment, rank))?;
    barrier(job)
}

fn barrier(job: &Job) -> Outcome {
    job.groups()
        .run(job.net(), 0, Kind::Barrier, &[], BLOCK, &mut keep)
        .map(drop)
}

/// The words of a segment.
fn words(job: &Job, segment: u8, first: u64, number: u64) -> Outcome<Vec<u64>> {
    let at = job.segments().local(segment)?.at(first * 8, number * 8)?;
    // SAFETY: in a segment, checked, whose words are aligned.
    Ok((0..number as usize)
        .map(|index| unsafe { at.cast::<u64>().add(index).read_volatile() })
        .collect())
}

fn fill(job: &Job, segment: u8, first: u64, number: u64, value: u64) -> Outcome {
    let at = job.segments().local(segment)?.at(first * 8, number * 8)?;
    // SAFETY: in a segment, checked, whose words are aligned.
    (0..number as usize).for_each(|index| unsafe { at.cast::<u64>().add(index).write_volatile(value) });
    Ok(())
}

fn take(job: &Job, segment: u8, id: u32) -> Outcome<u32> {
    assert_eq!(transfer::wait_some(job, segment, id, 1, BLOCK)?, Some(id));
    transfer::reset(job, segment, id)
}

/// Who sees a notification sees all writes of its queue before it, short and long, and those of `write_notify`.
#[test]
fn a_notification_comes_after_the_writes_of_its_queue() {
    for seed in 0..30 {
        run(seed, 3, |job| {
            create(job, 0, 1 << 16)?;
            let (me, ranks) = (job.net().rank(), job.net().size());
            let next = ((me + 1) % ranks) as u16;
            for round in 1..=8_u32 {
                let queue = (round % 3) as u8;
                let lengths = [1, 40 * u64::from(round), 300, 2];
                fill(job, 0, 0, 1024, round.into())?;
                for (place, length) in (0..).zip(lengths) {
                    let piece = Piece::new((0, 0), (0, (1024 + 512 * place) * 8), length * 8);
                    let notice = Notice::new(0, 100 + place as u32, round);
                    let notice = (place == 2).then_some(notice);
                    transfer::request(job, Direction::Write, next, &piece, notice, queue)?;
                }
                let notice = Notice::new(0, round, round);
                transfer::notify(job, next, notice, queue)?;
                assert_eq!(take(job, 0, round)?, round);
                for (place, length) in (0..).zip(lengths) {
                    let found = words(job, 0, 1024 + 512 * place, length)?;
                    assert_eq!(found, vec![u64::from(round); length as usize], "seed {seed}");
                }
                assert_eq!(take(job, 0, 102)?, round);
                // What is written is read until here.
                job.queues().wait(job.net(), queue, BLOCK)?;
                barrier(job)?;
            }
            Ok(())
        });
    }
}

/// A buffer is free after the wait for its queue, and the data of a read are there; a test says TIMEOUT before.
#[test]
fn a_wait_completes_here() {
    let mut early = 0;
    for seed in 0..20 {
        let tests = Mutex::new(0);
        run(seed, 2, |job| {
            create(job, 0, 1 << 16)?;
            let other = (1 - job.net().rank()) as u16;
            fill(job, 0, 0, 512, 7 + u64::from(other))?;
            barrier(job)?;
            let read = Piece::new((0, 4096 * 8 - 8), (0, 0), 512 * 8);
            transfer::request(job, Direction::Read, other, &read, None, 1)?;
            while job.queues().wait(job.net(), 1, TEST) == Err(Failure::TIMEOUT) {
                *locked(&tests) += 1;
            }
            assert_eq!(words(job, 0, 4095, 512)?, vec![7 + u64::from(1 - other); 512]);
            barrier(job)?;
            let write = Piece::new((0, 0), (0, 2048 * 8), 512 * 8);
            transfer::request(job, Direction::Write, other, &write, None, 2)?;
            job.queues().wait(job.net(), 2, BLOCK)?;
            // Over what the network may no longer read.
            fill(job, 0, 0, 512, 0)?;
            let notice = Notice::new(0, 5, 1);
            transfer::notify(job, other, notice, 2)?;
            take(job, 0, 5)?;
            assert_eq!(
                words(job, 0, 2048, 512)?,
                vec![7 + u64::from(1 - other); 512],
                "seed {seed}"
            );
            barrier(job)
        });
        early += *locked(&tests);
    }
    assert!(early > 0, "no test came before its read");
}

/// The notification of a list of reads comes when all of them are here.
#[test]
fn a_read_notifies_when_it_is_here() {
    for seed in 0..20 {
        run(seed, 3, |job| {
            create(job, 0, 1 << 16)?;
            let next = ((job.net().rank() + 1) % job.net().size()) as u16;
            fill(job, 0, 0, 2048, 30 + u64::from(job.net().rank()))?;
            barrier(job)?;
            let piece = |index: u64| {
                Piece::new(
                    (0, (4096 + 400 * index) * 8),
                    (0, 100 * index * 8),
                    (1 + 100 * index) * 8,
                )
            };
            let pieces: Vec<Piece> = (0..4).map(piece).collect();
            let notice = Notice::new(0, 65_535, 1);
            transfer::request_list(job, Direction::Read, next, &pieces, Some(notice), 0)?;
            assert_eq!(take(job, 0, 65_535)?, 1);
            for index in 0..4 {
                let found = words(job, 0, 4096 + 400 * index, 1 + 100 * index)?;
                assert!(
                    found.iter().all(|&word| word == 30 + u64::from(next)),
                    "seed {seed}"
                );
            }
            job.queues().wait(job.net(), 0, BLOCK)?;
            barrier(job)
        });
    }
}

/// Segments that come and go: at the return of a registration the other rank knows it, whatever overtakes what.
#[test]
fn a_registration_is_there_when_it_returns() {
    for seed in 0..20 {
        run(seed, 4, |job| {
            for round in 1..4 {
                create(job, 9, 4096 * round)?;
                for rank in 0..job.net().size() {
                    assert_eq!(job.board().entry(rank, 9)?.size(), 4096 * round);
                    let old = atomic::apply(job, 9, 8, rank as u16, Atomic::FetchAdd(1))?;
                    assert!(old < job.net().size().into(), "seed {seed}");
                }
                barrier(job)?;
                assert_eq!(words(job, 9, 1, 1)?, [job.net().size().into()]);
                job.segments().delete(job.net(), job.board(), 9)?;
                barrier(job)?;
            }
            Ok(())
        });
    }
}
