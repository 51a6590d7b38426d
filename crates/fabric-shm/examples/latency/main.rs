//! What operations cost on this machine, beside what the machine itself can do, in one run.
//!
//! `cargo run --release -p farside-fabric-shm --example latency`            two ranks, each on a processor of its own
//! `cargo run --release -p farside-fabric-shm --example latency -- barrier` 2 to 64 ranks that meet
//!
//! Each figure is the median of samples, with the first and third quartile; a sample is the mean of a batch.

mod floor;
mod meeting;
mod operations;
mod trips;

#[path = "../../tests/support/mod.rs"]
mod support;

use farside_fabric::{Descriptor, Error, Exposed, Fabric, Put, Rank, Remote, Result, Scope, Signal};
use farside_fabric_shm::ShmFabric;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::{Folder, Job};

const LIMIT: Option<Duration> = Some(Duration::from_secs(120));

/// Bytes of each rank's region.
const REGION: usize = 4 << 20;

/// Where flags are: after what operations write.
const FLAGS: usize = 2 << 20;

/// A rank with its region, connected to those of all.
struct Bench {
    fabric: Box<dyn Fabric>,
    own: Exposed,
    remotes: Vec<Remote>,
    scope: Scope,
    /// Origin buffer of puts, target of gets.
    buffer: Vec<u8>,
}

impl Bench {
    fn start(folder: Folder) -> Result<Self> {
        let fabric: Box<dyn Fabric> = Box::new(ShmFabric::start(Arc::new(folder))?);
        let own = fabric.expose(REGION)?;
        let size = fabric.size();
        for rank in 0..size {
            fabric.send(rank, 0, own.descriptor.bytes())?;
        }
        let mut remotes = vec![None; size as usize];
        fabric.wait(LIMIT, &mut || {
            while let Some(message) = fabric.receive()? {
                let descriptor = Descriptor::new(&message.bytes)?;
                remotes[message.source as usize] = Some(fabric.connect(message.source, &descriptor)?);
            }
            Ok(remotes.iter().all(Option::is_some))
        })?;
        Ok(Self {
            own,
            remotes: remotes.into_iter().flatten().collect(),
            scope: fabric.open_scope()?,
            buffer: vec![1; REGION],
            fabric,
        })
    }

    fn rank(&self) -> Rank {
        self.fabric.rank()
    }

    /// A word of the own region.
    fn word(&self, at: usize) -> &AtomicU64 {
        assert!(at + 8 <= self.own.bytes && at.is_multiple_of(8));
        // SAFETY: in bounds, aligned, and the region lives as long as `self`.
        unsafe { AtomicU64::from_ptr(self.own.base.as_ptr().add(at).cast()) }
    }

    /// A word of the region of another rank, mapped here.
    fn mapped(&self, target: Rank, at: usize) -> &AtomicU64 {
        assert!(at + 8 <= REGION && at.is_multiple_of(8));
        let base = self
            .fabric
            .mapped(&self.remotes[target as usize])
            .expect("mapped");
        // SAFETY: in bounds, aligned, and the connection lives as long as `self`.
        unsafe { AtomicU64::from_ptr(base.as_ptr().add(at).cast()) }
    }

    fn put(&self, target: Rank, at: usize, from: *const u8, bytes: usize, signal: Signal) -> Result<()> {
        let put = Put {
            scope: self.scope,
            origin: from,
            bytes,
            remote: self.remotes[target as usize],
            displacement: at,
            signal,
        };
        // SAFETY: `from` is valid for the call, and transfers of this transport end with it.
        unsafe { self.fabric.put(&put).map(drop) }
    }

    fn put_word(&self, target: Rank, at: usize, value: u64) -> Result<()> {
        self.put(target, at, value.to_ne_bytes().as_ptr(), 8, Signal::None)
    }

    fn flush(&self, target: Rank) -> Result<()> {
        self.fabric.flush(self.scope, Some(target))
    }

    fn wait_word(&self, at: usize, value: u64) -> Result<()> {
        let word = self.word(at);
        self.fabric
            .wait(LIMIT, &mut || Ok(word.load(Ordering::Acquire) >= value))
    }
}

/// Samples of a batch, in nanoseconds an operation; median and quartiles.
fn measure(samples: usize, batch: u32, mut body: impl FnMut() -> Result<()>) -> Result<[f64; 3]> {
    for _ in 0..batch {
        body()?;
    }
    let mut found = Vec::with_capacity(samples);
    for _ in 0..samples {
        let began = Instant::now();
        for _ in 0..batch {
            body()?;
        }
        found.push(began.elapsed().as_secs_f64() * 1e9 / f64::from(batch));
    }
    Ok(quartiles(found))
}

/// First quartile, median, third quartile.
fn quartiles(mut samples: Vec<f64>) -> [f64; 3] {
    samples.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quartile| samples[samples.len() * quartile / 4])
}

fn show(what: &str, [low, median, high]: [f64; 3], bytes: usize) {
    let rate = match bytes {
        0 => String::new(),
        _ => format!("{:8.1} GB/s", bytes as f64 / median),
    };
    println!("{what:44} {median:10.1} ns   ({low:.1} to {high:.1}) {rate}");
}

/// The next message.
fn take(bench: &Bench) -> Result<Vec<u8>> {
    let mut found = None;
    bench.fabric.wait(LIMIT, &mut || {
        found = bench.fabric.receive()?;
        Ok(found.is_some())
    })?;
    found
        .map(|message| message.bytes)
        .ok_or(Error::Stale("a message"))
}

fn rank(folder: Folder) -> Result<()> {
    let crowded = std::env::args().nth(1).is_some();
    let bench = Bench::start(folder)?;
    match crowded {
        true => meeting::crowd(bench),
        false => trips::pair(bench),
    }
}

fn main() -> std::io::Result<()> {
    if let Some(folder) = Folder::here() {
        return rank(folder).map_err(std::io::Error::other);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sizes: &[u32] = if arguments.is_empty() {
        &[2]
    } else {
        &[2, 4, 8, 16, 64]
    };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load before the run (other work on the machine): {}", load.trim());
    for size in sizes {
        let ended = Job::start(*size, |program| {
            program.args(&arguments);
        })?
        .wait()?;
        if !ended.iter().all(|well| *well) {
            return Err(std::io::Error::other("a rank failed"));
        }
    }
    Ok(())
}
