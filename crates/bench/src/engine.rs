//! `farside-bench engine`: the race engine alone, driven by generated events of more ranks than this machine can run.
//!
//! Time an event is that of the whole stream less that of making it. Memory is what the allocator handed out at the
//! most, after half of the iterations and at the end: what grows between the two grows with the length of the run.
//!
//! Several judges run in threads, of which each makes the whole stream for itself. What counts is the processor time of
//! the one that needs most, which is what they would take if each had a processor; and the bytes that each would be
//! sent if it were on another host: events that are no loads and stores, and what judges tell each other.

use crate::folder::Folder;
use crate::streams::Pattern;
use crate::{ALLOCATOR, Common};
use clap::ValueEnum as _;
use farside_events::{Event, EventKind, Rank};
use farside_race::{Counts, Detector, Ending, Options, Owners, Part, RawFinding, Shard, join, shards};
use farside_spool::format::encode;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The arguments of `engine`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Numbers of ranks.
    #[arg(long, value_delimiter = ',', default_value = "64,1024,16384")]
    ranks: Vec<u32>,
    /// Iterations of every pattern.
    #[arg(long, default_value_t = 64)]
    iterations: u32,
    /// Numbers of judges that split the memory.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    judges: Vec<usize>,
    /// Only this pattern (may be repeated).
    #[arg(long, value_enum)]
    pattern: Vec<Pattern>,
    /// Stop a stream after this many seconds, and say how far it came.
    #[arg(long, default_value_t = 300)]
    limit: u64,
}

/// One stream.
#[derive(Debug, Serialize)]
struct Measured {
    pattern: Pattern,
    ranks: u32,
    iterations: u32,
    judges: usize,
    events: u64,
    /// Events that were consumed before the limit.
    consumed: u64,
    /// Processor time of the judge that needs most.
    nanoseconds_an_event: f64,
    /// Processor time of all judges.
    nanoseconds_of_all: f64,
    /// Bytes that each judge would be sent if it were elsewhere: of events, of what others tell it.
    bytes_read_by_all: u64,
    bytes_told: u64,
    /// How often all judges waited for one.
    answers: u64,
    bytes_a_rank_half: f64,
    bytes_a_rank: f64,
    records_kept: u64,
    findings: usize,
}

/// Measures, and writes into a results folder; `false` if a correct pattern was not clean. A stream that hit the
/// limit is no failure: the table says how far it came.
///
/// # Errors
/// The results cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folder = Folder::create(&arguments.common)?;
    let chosen = |pattern: &&Pattern| arguments.pattern.is_empty() || arguments.pattern.contains(pattern);
    let (ranks, iterations) = if arguments.common.quick {
        (&[16, 64][..], 8)
    } else {
        (&arguments.ranks[..], arguments.iterations)
    };
    let mut results = Vec::new();
    let limit = Duration::from_secs(arguments.limit);
    for &pattern in Pattern::value_variants().iter().filter(chosen) {
        for &ranks in ranks {
            let stream = Stream::new(pattern, ranks, iterations);
            for &judges in &arguments.judges {
                eprintln!(
                    "farside-bench: {} on {ranks} ranks, {judges} judges",
                    name(pattern)
                );
                results.push(stream.measure(judges, limit));
            }
        }
    }
    folder.raw("engine", &results)?;
    folder.table("engine-table", "The race engine alone", &table(&results))?;
    Ok(results.iter().all(|measured| measured.findings == 0))
}

/// A stream to be judged.
struct Stream {
    pattern: Pattern,
    ranks: u32,
    iterations: u32,
    events: u64,
    /// Processor time for making it.
    making: Duration,
    /// Bytes of its events without loads and stores.
    read_by_all: u64,
}

/// What a judge has of a stream, or one of several.
struct Judged {
    consumed: u64,
    taken: Duration,
    /// Bytes handed out at the most, half-way.
    half: usize,
    what: What,
}

enum What {
    All(Vec<RawFinding>, Counts),
    Part(Part),
}

impl Stream {
    fn new(pattern: Pattern, ranks: u32, iterations: u32) -> Self {
        let mut stream = Self {
            pattern,
            ranks,
            iterations,
            events: 0,
            making: Duration::ZERO,
            read_by_all: 0,
        };
        let begin = processor_time();
        let mut events = 0;
        stream.generate(&mut |rank, event| {
            black_box((rank, event));
            events += 1;
        });
        stream.making = processor_time() - begin;
        stream.events = events;
        let (mut bytes, mut room) = (0, Vec::new());
        stream.generate(&mut |_, event| {
            if !matches!(event.kind, EventKind::Accesses(_) | EventKind::Scattered(_)) {
                room.clear();
                // Events of these streams are small enough.
                let _ = encode(event, &mut room);
                bytes += room.len() as u64;
            }
        });
        stream.read_by_all = bytes;
        stream
    }

    fn generate(&self, sink: &mut dyn FnMut(Rank, &Event)) {
        self.pattern.generate(self.ranks, self.iterations, sink);
    }

    fn measure(&self, judges: usize, limit: Duration) -> Measured {
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let all = match judges {
            0 | 1 => vec![self.judge(None, limit)],
            _ => std::thread::scope(|scope| {
                let owners = Owners::new(self.ranks, judges, |_| 0);
                let judge = |shard| scope.spawn(move || self.judge(Some(shard), limit));
                let judges: Vec<_> = shards(&owners).into_iter().map(judge).collect();
                let joined = judges.into_iter().map(|judge| judge.join());
                joined
                    .map(|judged| judged.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            }),
        };
        let peak = ALLOCATOR.peak_usage();
        let each = |bytes: usize| bytes.saturating_sub(before) as f64 / f64::from(self.ranks);
        let an_event = |time: Duration| time.as_nanos() as f64 / self.events as f64;
        let mut measured = Measured {
            pattern: self.pattern,
            ranks: self.ranks,
            iterations: self.iterations,
            judges: all.len(),
            events: self.events,
            consumed: all.iter().map(|one| one.consumed).min().unwrap_or(0),
            nanoseconds_an_event: an_event(all.iter().map(|one| one.taken).max().unwrap_or_default()),
            nanoseconds_of_all: an_event(all.iter().map(|one| one.taken).sum()),
            bytes_read_by_all: self.read_by_all,
            bytes_told: 0,
            answers: 0,
            bytes_a_rank_half: each(all.iter().map(|one| one.half).max().unwrap_or(0)),
            bytes_a_rank: each(peak),
            records_kept: 0,
            findings: 0,
        };
        let scale = self.events as f64 / measured.consumed.max(1) as f64;
        measured.nanoseconds_an_event *= scale;
        measured.nanoseconds_of_all *= scale;
        let mut parts = Vec::new();
        let mut found = None;
        for one in all {
            match one.what {
                What::All(findings, counts) => found = Some((findings, counts)),
                What::Part(part) => {
                    measured.bytes_told += part.sent().bytes;
                    measured.answers += part.sent().messages;
                    parts.push(part);
                }
            }
        }
        let (findings, counts) = found.unwrap_or_else(|| join(parts));
        if let Some(finding) = findings.first() {
            eprintln!(
                "farside-bench: {} is correct, but: {finding:?}",
                name(self.pattern)
            );
        }
        (measured.records_kept, measured.findings) = (counts.records_kept, findings.len());
        measured
    }

    fn judge(&self, shard: Option<Shard>, limit: Duration) -> Judged {
        let is_part = shard.is_some();
        let mut detector = match shard {
            Some(shard) => Detector::of_shard(Options::default(), shard),
            None => Detector::new(Options::default()),
        };
        let (mut consumed, mut half, mut late) = (0_u64, 0, false);
        let begin = (Instant::now(), processor_time());
        self.generate(&mut |rank, event| {
            // Looked at rarely, since asking for the time costs as much as many an event.
            late = late || consumed % 1024 == 0 && begin.0.elapsed() > limit;
            if late {
                return;
            }
            detector.event(rank, event);
            consumed += 1;
            if consumed == self.events / 2 {
                half = ALLOCATOR.peak_usage();
            }
        });
        let taken = (processor_time() - begin.1).saturating_sub(self.making);
        let ending = if consumed == self.events {
            Ending::Complete
        } else {
            Ending::Broken
        };
        let what = match is_part {
            true => What::Part(detector.part(&ending)),
            false => {
                let (findings, counts) = detector.finish(ending);
                What::All(findings, counts)
            }
        };
        Judged {
            consumed,
            taken,
            half,
            what,
        }
    }
}

/// Processor time of this thread so far.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(now.tv_sec).unwrap_or(0),
        u32::try_from(now.tv_nsec).unwrap_or(0),
    )
}

fn name(pattern: Pattern) -> String {
    pattern
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}

fn table(results: &[Measured]) -> String {
    let mut text =
        "| pattern | ranks | iterations | judges | events | time an event | of all judges | read by all an event | told \
         an event | answers | memory a rank, half-way | memory a rank, end | records kept a rank | findings |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for m in results {
        let far = if m.consumed == m.events {
            String::new()
        } else {
            format!(" (of which {} within the limit)", m.consumed)
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {}{far} | {:.0} ns | {:.0} ns | {:.1} B | {:.1} B | {} | {:.1} KiB | {:.1} KiB | \
             {:.1} | {} |",
            name(m.pattern),
            m.ranks,
            m.iterations,
            m.judges,
            m.events,
            m.nanoseconds_an_event,
            m.nanoseconds_of_all,
            m.bytes_read_by_all as f64 / m.events as f64,
            m.bytes_told as f64 / m.events as f64,
            m.answers,
            m.bytes_a_rank_half / 1024.0,
            m.bytes_a_rank / 1024.0,
            m.records_kept as f64 / f64::from(m.ranks),
            m.findings,
        );
    }
    text
}
