//! Recordings of one host written down as if their processes had run on several, whose clocks differ.

use farside_events::{Event, EventKind, Rank};
use farside_spool::format::{Recording, encode, image};
use farside_spool::reader::{End, Next, Stream, recordings};
use std::fs;
use std::path::Path;

/// The recordings of one run.
#[derive(Debug)]
pub(super) struct Recorded(Vec<Process>);

/// What one process recorded.
#[derive(Debug)]
struct Process {
    recording: Recording,
    rank: Rank,
    events: Vec<Event>,
    sealed: bool,
}

/// The clock of a host, against the true one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// Nanoseconds that it is ahead.
    ahead: i64,
    /// Millionths that it is faster.
    faster: i64,
}

impl Clock {
    pub(super) const fn new(ahead: i64, faster: i64) -> Self {
        Self { ahead, faster }
    }

    /// So many times as far off.
    pub(super) fn times(self, factor: i64) -> Self {
        Self::new(self.ahead * factor, self.faster * factor)
    }

    /// What it shows at a time, `since` a beginning.
    fn shows(self, time: u64, since: u64) -> u64 {
        let drift = i128::from(time - since) * i128::from(self.faster) / 1_000_000;
        let shown = i128::from(time) + i128::from(self.ahead) + drift;
        u64::try_from(shown).unwrap_or(0)
    }
}

impl Recorded {
    /// Reads all recordings in a folder, whose processes have ended.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let firsts = recordings(folder).map_err(|error| error.to_string())?;
        let processes = firsts.into_iter().filter_map(|(recording, first)| {
            let mut stream = Stream::new(folder, recording, first, true);
            let mut events = Vec::new();
            while let Next::Event(event) = stream.poll() {
                events.push(event);
            }
            let rank = match &events.first()?.kind {
                EventKind::Init { rank, .. } => *rank,
                _ => return None,
            };
            let sealed = stream.end() == Some(End::Sealed);
            Some(Process {
                recording,
                rank,
                events,
                sealed,
            })
        });
        Ok(Self(processes.collect()))
    }

    /// The ranks that recorded, in rising order.
    pub(super) fn ranks(&self) -> Vec<Rank> {
        let mut ranks: Vec<_> = self.0.iter().map(|process| process.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Writes them into an empty folder as if each rank had run on the host, with the clock, that `host` says.
    pub(super) fn write(&self, folder: &Path, host: impl Fn(Rank) -> (u128, Clock)) -> Result<(), String> {
        let first = |process: &Process| process.events.first().map(|event| event.time);
        let since = self.0.iter().filter_map(first).min().unwrap_or(0);
        for process in &self.0 {
            let (number, clock) = host(process.rank);
            let mut recording = process.recording;
            recording.machine.boot = recording.machine.boot.wrapping_add(1 + number);
            let mut records = Vec::new();
            for event in &process.events {
                let time = clock.shows(event.time, since);
                encode(
                    &Event {
                        time,
                        ..event.clone()
                    },
                    &mut records,
                )
                .map_err(|error| error.to_string())?;
            }
            let sealed = if process.sealed { 2 } else { 0 };
            let bytes = image(&records, records.len() as u64, sealed);
            fs::write(folder.join(recording.chunk_name(0)), bytes).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
