//! The job of this process: what `gaspi_proc_init` begins and `gaspi_proc_term` ends (GASPI 17.1 §5.3).
//!
//! There is one in a process, and no second one after it, since a launcher knows a rank as a process that joins once.

use crate::abi::{Failure, Outcome, Timeout};
use crate::board::Board;
use crate::config::Config;
use crate::group::Groups;
use crate::net::{Net, locked};
use crate::passive::Passive;
use crate::queue::Queues;
use crate::segment::Segments;
use crate::statistics::Statistics;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Fabric, Scope};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

/// The owners of all state of a rank.
pub(crate) struct Job {
    config: Config,
    segments: Segments,
    queues: Queues,
    groups: Groups,
    passive: Passive,
    statistics: Statistics,
    /// Of atomic operations.
    atomics: Scope,
    board: Board,
    began: Instant,
    bootstrap: Arc<dyn Bootstrap>,
    // Last, for it is dropped last.
    net: Net,
}

static JOB: RwLock<Option<Arc<Job>>> = RwLock::new(None);

/// The configuration of the next job.
static CONFIG: Mutex<Config> = Mutex::new(Config::DEFAULT);

/// The job.
///
/// # Errors
/// NOT_INITIALISED.
#[inline]
pub(crate) fn job() -> Outcome<Arc<Job>> {
    let job = JOB.read().unwrap_or_else(PoisonError::into_inner);
    job.clone().ok_or(Failure::NOT_INITIALISED)
}

/// Whether there is one.
pub(crate) fn is_initialised() -> bool {
    job().is_ok()
}

/// The configuration of the job, or of the one to come.
pub(crate) fn config() -> Config {
    match job() {
        Ok(job) => job.config,
        Err(_) => *locked(&CONFIG),
    }
}

/// Sets the configuration of the job to come.
///
/// # Errors
/// INITIALISED; CONFIG.
pub(crate) fn configure(config: Config) -> Outcome {
    if is_initialised() {
        return Err(Failure::INITIALISED);
    }
    *locked(&CONFIG) = config.checked()?;
    Ok(())
}

/// Joins the job that this process was started for. Waits for the others as long as the launcher does.
///
/// # Errors
/// INITIALISED; ENVIRONMENT: the launcher is not as it must be; ERROR: the transport is not. The reason is printed.
pub(crate) fn initialise() -> Outcome {
    let mut job = JOB.write().unwrap_or_else(PoisonError::into_inner);
    if job.is_some() {
        return Err(Failure::INITIALISED);
    }
    let bootstrap = farside_launch::connect().map_err(|error| {
        eprintln!("farside-gaspi: {error}");
        Failure::ENVIRONMENT
    })?;
    if bootstrap.size() > u32::from(u16::MAX) {
        eprintln!(
            "farside-gaspi: {} ranks are too many: a rank has 16 bits",
            bootstrap.size()
        );
        return Err(Failure::ENVIRONMENT);
    }
    let begun = Job::begin(Arc::from(bootstrap), *locked(&CONFIG));
    let begun = begun.map_err(|error| {
        eprintln!("farside-gaspi: {error}");
        Failure::ERROR
    })?;
    *job = Some(Arc::new(begun));
    Ok(())
}

/// Ends the job, once all ranks have come here.
///
/// # Errors
/// TIMEOUT: not all have, and the job goes on. ERROR: a rank is lost, and the job has ended all the same.
pub(crate) fn terminate(timeout: Timeout) -> Outcome {
    let ending = job()?;
    let met = ending.groups.end(&ending.net, timeout);
    if met == Err(Failure::TIMEOUT) {
        return met;
    }
    ending.queues.flush(&ending.net);
    let finished = match met {
        Ok(()) => ending.net.fabric().finish(),
        // The transport does not end without the lost rank; the launcher hears that this one ends as it should.
        Err(lost) => {
            let _ = ending.bootstrap.finish();
            *JOB.write().unwrap_or_else(PoisonError::into_inner) = None;
            return Err(lost);
        }
    };
    let finished = finished.map_err(|error| ending.net.failure(&error));
    *JOB.write().unwrap_or_else(PoisonError::into_inner) = None;
    finished
}

impl Job {
    /// The configuration.
    #[inline]
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Segments.
    #[inline]
    pub(crate) fn segments(&self) -> &Segments {
        &self.segments
    }

    /// Queues.
    #[inline]
    pub(crate) fn queues(&self) -> &Queues {
        &self.queues
    }

    /// Groups.
    #[inline]
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The passive channel.
    #[inline]
    pub(crate) fn passive(&self) -> &Passive {
        &self.passive
    }

    /// Counters.
    #[inline]
    pub(crate) fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What others have registered here.
    #[inline]
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// The transport.
    #[inline]
    pub(crate) fn net(&self) -> &Net {
        &self.net
    }

    /// What completes atomic operations.
    pub(crate) fn atomics(&self) -> Scope {
        self.atomics
    }

    /// When it began.
    pub(crate) fn began(&self) -> Instant {
        self.began
    }

    fn begin(bootstrap: Arc<dyn farside_launch::Bootstrap>, config: Config) -> farside_fabric::Result<Self> {
        let transport = std::env::var("FARSIDE_TRANSPORT").unwrap_or_default();
        let mut say = |remark: &str| eprintln!("farside-gaspi: {remark}");
        let fabric = farside_fabric_hybrid::by_name(&transport, Arc::clone(&bootstrap), &mut say)?;
        Self::over(fabric, bootstrap, config)
    }

    /// Over a transport that is open; all ranks call it.
    pub(crate) fn over(
        fabric: Arc<dyn Fabric>,
        bootstrap: Arc<dyn Bootstrap>,
        config: Config,
    ) -> farside_fabric::Result<Self> {
        let net = Net::new(fabric);
        let board = Board::meet(&net, &*bootstrap)?;
        let process = |rank| board.process(rank).map(|process| process as u32);
        net.watch((0..net.size()).map(process).collect());
        Ok(Self {
            segments: Segments::new(net.size()),
            queues: Queues::new(&net, config.queue_num, config.queue_size_max)?,
            groups: Groups::new(net.size(), config.group_max),
            passive: Passive::default(),
            statistics: Statistics::default(),
            atomics: net.fabric().open_scope()?,
            board,
            began: Instant::now(),
            bootstrap,
            config,
            net,
        })
    }
}
