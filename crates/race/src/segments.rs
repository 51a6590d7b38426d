//! Loads and stores of a thread between two synchronisations.

use crate::Interface;
use crate::detector::Detector;
use crate::finding::Site;
use crate::footprint;
use crate::record::{Record, Source};
use farside_clocks::{Component, Epoch};
use farside_conflicts::{Access, Effect, Role};
use farside_events::{AccessKind, AccessRun, AccessSource, Rank, WinId};
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// Steps of a loop of stores that may each be a signal: who writes more at a time sends data.
const STORES_THAT_SIGNAL: u64 = 64;

impl Detector {
    pub(crate) fn segment(&mut self, component: Component, runs: &[AccessRun]) {
        self.counts.access_runs += runs.len() as u64;
        if self.job.thread(component).published {
            // What an atomic update made known ends before this segment.
            self.job.tick(component);
        }
        let rank = self.job.thread(component).rank;
        runs.iter()
            .for_each(|run| self.store_at_neighbour(component, rank, run));
        let clock = self.job.thread(component).clock.clone();
        let runs: Vec<&AccessRun> = runs
            .iter()
            .filter(|run| !self.revisit(component, rank, run, &clock))
            .collect();
        let records: Vec<Rc<Record>> = runs.iter().map(|run| self.local_record(component, run)).collect();
        let mut placed: Vec<(Rank, Range<u64>, usize)> = Vec::new();
        for (index, run) in runs.iter().enumerate() {
            footprint::of_run(run, |range| placed.push((rank, range, index)));
        }
        if !self.job.processes[rank.0 as usize].mapped.is_empty() {
            let parts = placed.iter().flat_map(|(_, range, index)| {
                self.job
                    .owner(rank, range.clone())
                    .into_iter()
                    .map(|(owner, range)| (owner, range, *index))
            });
            placed = parts.collect();
        }
        if !self.job.processes[rank.0 as usize].held.is_empty() {
            for (owner, range, index) in &placed {
                self.follow_locks_of(component, *owner, range.clone(), &records[*index]);
            }
        }
        let clock = self.job.thread(component).clock.clone();
        for (owner, range, index) in placed {
            let record = &records[index];
            if record.writes() {
                self.stored_into(owner, &range, record);
            }
            if range.end - range.start <= 16 {
                self.count_visits(owner, &range, record);
            }
            self.access(owner, range, record, &clock);
        }
        for (run, record) in runs.iter().zip(&records) {
            self.visited(component, rank, run, record);
        }
    }

    /// Atomic stores to the memory of other processes: their owners may wait for them.
    fn store_at_neighbour(&mut self, component: Component, rank: Rank, run: &AccessRun) {
        let is_one = run.source == AccessSource::Atomic && run.kind == AccessKind::Store && run.size <= 8;
        if !is_one || self.options.interface == Interface::Mpi {
            return;
        }
        let mark = (rank, self.timeline.latest(rank));
        let steps = |count: u64| 0..count.min(STORES_THAT_SIGNAL) as i64;
        for outer in steps(run.outer_count) {
            for inner in steps(run.inner_count) {
                let address = run
                    .base
                    .wrapping_add_signed(outer * run.outer_stride + inner * run.inner_stride);
                for (owner, range) in self.job.owner(rank, address..address.wrapping_add(run.size)) {
                    if owner != rank {
                        self.stored_at_neighbour(component, (owner, range.start), mark);
                    }
                }
            }
        }
    }

    fn local_record(&mut self, component: Component, run: &AccessRun) -> Rc<Record> {
        let (rank, thread, time, acquisitions) = {
            let thread = self.job.thread(component);
            (thread.rank, thread.id, thread.time, thread.acquisitions)
        };
        let (role, name): (Role, Rc<str>) = match (&run.source, run.kind) {
            (AccessSource::Instruction, AccessKind::Load) => (Role::Local, Rc::clone(&self.names.load)),
            (AccessSource::Instruction, AccessKind::Store) => (Role::Local, Rc::clone(&self.names.store)),
            (AccessSource::Atomic, AccessKind::Load) => (Role::LocalAtomic, Rc::clone(&self.names.load)),
            (AccessSource::Atomic, AccessKind::Store) => (Role::LocalAtomic, Rc::clone(&self.names.store)),
            (AccessSource::Library(name), _) => (Role::Local, Rc::from(&**name)),
        };
        let effect = match run.kind {
            AccessKind::Load => Effect::Read,
            AccessKind::Store => Effect::Write,
        };
        let locks = self.job.process(rank).held.iter().cloned().collect();
        Rc::new(Record {
            access: Access { rank, role, effect },
            thread,
            issued: Cell::new(Epoch { component, time }),
            first: Cell::new(Epoch { component, time }),
            source: Source::Local(name),
            site: Site {
                rank,
                pc: Some(run.pc),
                stack: run.stack,
            },
            locks,
            visits: Cell::new(run.repeats),
            acquisitions,
            mark: Cell::new(self.timeline.advance()),
            displaced: Cell::new(false),
            remembered: Cell::new(false),
        })
    }

    /// The same instruction that comes back to the same few bytes in segment after segment polls, unless messages or
    /// barriers lie between: those make it a step of a loop.
    fn count_visits(&mut self, owner: Rank, range: &Range<u64>, record: &Rc<Record>) {
        let again = self
            .memory
            .touching(owner, range.clone())
            .find(|(part, old)| {
                part == range
                    && old.site == record.site
                    && old.access == record.access
                    && old.acquisitions == record.acquisitions
            })
            .map(|(_, old)| old.visits.get() + 1);
        if let Some(visits) = again {
            record.visits.set(record.visits.get() + visits);
        }
    }

    /// Remembers a store to own window memory, for assertions that there is none.
    pub(crate) fn stored_into(&mut self, owner: Rank, range: &Range<u64>, record: &Rc<Record>) {
        let exposed = &self.job.process(owner).exposed;
        let wins: Vec<WinId> = exposed
            .iter()
            .filter(|(start, end, _)| *start < range.end && range.start < *end)
            .map(|entry| entry.2)
            .collect();
        for win in wins {
            if let Some(window) = self.windows.get_mut(&win) {
                window
                    .epochs
                    .entry(owner)
                    .or_default()
                    .stored
                    .get_or_insert_with(|| Rc::clone(record));
            }
        }
    }

    /// A window with memory of `owner` at `address`.
    pub(crate) fn window_at(&self, owner: Rank, address: u64) -> Option<WinId> {
        let process = self.job.processes.get(owner.0 as usize)?;
        process
            .exposed
            .iter()
            .find(|(start, end, _)| *start <= address && address < *end)
            .map(|entry| entry.2)
    }
}
