//! All recordings of one command: finds new processes in the spool folder and puts each one into its job.
//!
//! A command may start several jobs, one after the other or at the same time. A process joins the first job of
//! its size and library that misses its rank, unless their launches are known to differ (see [`Origin`]); otherwise
//! it opens a new job. So the children of `MPI_Comm_spawn` are a job of their own: orders between parents and
//! children are not seen.
//!
//! Limit: of two jobs of equal size that run at the same time, processes that are not known to belong to a launcher
//! may be put into the wrong one.

use crate::job::{Init, Job, Judged};
use crate::judges::HowMany;
use crate::order::Ties;
use crate::origins::{Origin, Origins};
use crate::request::News;
use farside_events::{Event, EventKind};
use farside_race::Options;
use farside_spool::folder::Watched;
use farside_spool::format::Recording;
use farside_spool::reader::{Next, Stream, recordings_of};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The recordings in one spool folder.
#[derive(Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    watched: Watched,
    origins: Origins,
    keep: bool,
    options: Options,
    ties: Ties,
    how_many: HowMany,
    /// Hosts that may judge their own memory.
    there: Option<farside_collect::Judges>,
    /// Until when is judged, as was said last.
    end: Option<Instant>,
    /// Whether the code that was executed is kept.
    follow_code: bool,
    /// Whether events are kept, to try suggestions in them.
    tries: bool,
    /// Recordings that were seen, in any state.
    known: BTreeSet<Recording>,
    /// Those whose first event has not come.
    fresh: Vec<(Stream, Origin)>,
    jobs: Vec<Job>,
    /// Recordings that belong to no job, and why.
    unusable: Vec<String>,
}

/// All recordings, judged.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The jobs.
    pub(crate) jobs: Vec<Judged>,
    /// Recordings that belong to none, and why.
    pub(crate) unusable: Vec<String>,
    /// Bytes of events that were there and were not judged.
    pub(crate) unjudged: u64,
}

impl Spool {
    /// Watches `folder`.
    pub(crate) fn new(folder: PathBuf, keep: bool, options: Options, follow_code: bool) -> Self {
        Self {
            origins: Origins::watch(&folder),
            watched: Watched::new(&folder),
            folder,
            keep,
            options,
            ties: Ties::default(),
            how_many: HowMany::default(),
            there: None,
            end: None,
            follow_code,
            tries: false,
            known: BTreeSet::new(),
            fresh: Vec::new(),
            jobs: Vec::new(),
            unusable: Vec::new(),
        }
    }

    /// With a rule for ties between hosts.
    pub(crate) fn with_ties(self, ties: Ties) -> Self {
        Self { ties, ..self }
    }

    /// With the events kept, to try suggestions in them.
    pub(crate) fn with_trials(self, tries: bool) -> Self {
        Self { tries, ..self }
    }

    /// With so many judges for each job.
    pub(crate) fn with_judges(self, how_many: HowMany) -> Self {
        Self { how_many, ..self }
    }

    /// With hosts that may judge their own memory.
    pub(crate) fn with_hosts(self, there: Option<farside_collect::Judges>) -> Self {
        Self { there, ..self }
    }

    /// Looks for new recordings, and hands events of each job to its detector, for the time `slice`, but none after
    /// `end`. Returns how many.
    pub(crate) fn pump(
        &mut self,
        slice: Duration,
        end: Option<Instant>,
        tell: &mut dyn FnMut(News<'_>),
    ) -> usize {
        self.end = end;
        self.scan();
        self.admit(tell);
        let until = || {
            let until = Instant::now() + slice;
            end.map_or(until, |end| end.min(until))
        };
        self.jobs.iter_mut().map(|job| job.pump(until())).sum()
    }

    fn scan(&mut self) {
        // A folder that cannot be read now is read at the next look.
        let Ok(Some(entries)) = self.watched.news() else {
            return;
        };
        for (recording, number) in recordings_of(entries) {
            if self.known.insert(recording) {
                self.fresh.push((
                    Stream::new(&self.folder, recording, number, self.keep),
                    self.origins.of(recording),
                ));
            }
        }
    }

    fn admit(&mut self, tell: &mut dyn FnMut(News<'_>)) {
        for (mut stream, origin) in std::mem::take(&mut self.fresh) {
            match stream.poll() {
                Next::Event(event) => self.place(stream, origin, event, tell),
                Next::Waiting => self.fresh.push((stream, origin)),
                Next::Ended => self.unusable.extend(stream.damage()),
            }
        }
    }

    fn place(&mut self, stream: Stream, origin: Origin, event: Event, tell: &mut dyn FnMut(News<'_>)) {
        let EventKind::Init {
            rank, size, library, ..
        } = &event.kind
        else {
            let pid = stream.pid();
            self.unusable.push(format!(
                "the recording of process {pid} does not begin with MPI_Init, or the start of a farside::World"
            ));
            return;
        };
        let (rank, init) = (
            *rank,
            Init {
                rank: *rank,
                size: *size,
                library: library.trim_end_matches('\0').trim().into(),
            },
        );
        let index = match self.jobs.iter().position(|job| job.accepts(&init, &origin)) {
            Some(index) => index,
            None => {
                self.jobs.push(Job::new(
                    &init,
                    origin,
                    (self.options, self.ties.clone(), self.how_many),
                    self.there.clone(),
                    self.follow_code,
                    self.tries,
                ));
                let index = self.jobs.len() - 1;
                tell(News::Job {
                    number: index + 1,
                    description: &self.jobs[index].describe(),
                });
                index
            }
        };
        tell(News::Process {
            job: index + 1,
            rank: rank.0,
            pid: stream.pid(),
        });
        self.jobs[index].join(rank, stream, event);
    }

    /// The command has ended: nobody joins a job any more.
    pub(crate) fn close(&mut self) {
        self.watched.forget();
        for job in &mut self.jobs {
            job.start();
        }
    }

    /// No event later than `time` counts.
    pub(crate) fn cut_after(&mut self, time: u64) {
        self.streams().for_each(|stream| stream.cut_after(time));
    }

    /// Recordings end after what is there now, at `time`, though their processes may live on.
    pub(crate) fn cut_now(&mut self, time: u64) {
        self.streams().for_each(|stream| stream.cut_now(time));
    }

    fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        let fresh = self.fresh.iter_mut().map(|(stream, _)| stream);
        fresh.chain(self.jobs.iter_mut().flat_map(Job::streams))
    }

    /// Whether all recordings have ended and were judged.
    pub(crate) fn finished(&self) -> bool {
        self.fresh.is_empty() && self.jobs.iter().all(Job::finished)
    }

    /// The time of the last event that was handed on; `None` if there is none, or clocks of other hosts tell it.
    pub(crate) fn last_event(&self) -> Option<u64> {
        let times: Option<Vec<u64>> = self.jobs.iter().map(Job::last_event).collect();
        times?.into_iter().max()
    }

    /// Findings so far.
    pub(crate) fn found(&self) -> usize {
        self.jobs.iter().map(Job::found).sum()
    }

    /// Bytes of events that are there and were not judged.
    pub(crate) fn unread(&self) -> u64 {
        let fresh = self.fresh.iter().map(|(stream, _)| stream.unread());
        fresh.chain(self.jobs.iter().map(Job::unread)).sum()
    }

    /// What came of it all.
    pub(crate) fn finish(mut self, hanging: bool) -> Outcome {
        for job in &mut self.jobs {
            job.settle(self.end);
        }
        let unjudged = self.unread();
        Outcome {
            // Who waits for what is known only if everything was judged.
            jobs: self
                .jobs
                .into_iter()
                .map(|job| job.finish(hanging && unjudged == 0))
                .collect(),
            unusable: self.unusable,
            unjudged,
        }
    }
}
