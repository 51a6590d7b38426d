//! The world: all ranks of the job.

use crate::endpoint::Core;
use crate::waits::limit;
use crate::watch::Recorder;
use crate::{Group, Result};
use farside_events::Call;
use farside_fabric::{Capabilities, Fabric};
use std::ops::Deref;
use std::panic::Location;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// All ranks of the job (MPI-4.1 §11.2: the world model). It is a [`Group`] as well: `world.barrier()`.
///
/// Ends with [`World::finish`]. A rank that drops it instead, because it failed, is lost for the others: they end too,
/// and nobody waits for ever.
///
/// A world belongs to the thread that made it, like everything that comes from it: `MPI_THREAD_FUNNELED`. Window memory
/// can be lent to other threads.
pub struct World {
    group: Group,
}

impl World {
    /// A world over a transport: for transports of one's own, and for what looks into one. Collective: all ranks of the
    /// transport call it. [`World::init`], [`run`](crate::run), [`simulate`](crate::simulate()) and
    /// [`threads`](crate::threads) make worlds without a promise.
    ///
    /// # Errors
    /// A rank is lost, or the transport gives no memory.
    ///
    /// # Safety
    /// The endpoint is the world's alone until its last handle is gone: no other world is made over it or a copy of it,
    /// and nobody else calls those of its methods that send, receive, connect, or open and close scopes; so at all
    /// ranks. Where memory is, and when others access it, ranks tell one another by messages, which others could make
    /// up. If the launcher is one of the program's own, it numbers the ranks of the job, each with another number.
    ///
    /// ```compile_fail,E0133
    /// # use farside::{Fabric, Result, World};
    /// # use std::sync::Arc;
    /// fn two(fabric: Arc<dyn Fabric>) -> Result<(World, World)> {
    ///     Ok((World::over(Arc::clone(&fabric))?, World::over(fabric)?)) // error[E0133]: call to unsafe function
    /// }
    /// ```
    pub unsafe fn over(fabric: Arc<dyn Fabric>) -> Result<Self> {
        let recorder = Recorder::by_environment(&*fabric);
        // SAFETY: by the caller.
        unsafe { Self::watched(fabric, recorder) }
    }

    /// As [`World::over`], for a rank that is checked.
    ///
    /// # Safety
    /// As there.
    pub(crate) unsafe fn watched(fabric: Arc<dyn Fabric>, recorder: Option<Recorder>) -> Result<Self> {
        let limit = limit::by_environment(fabric.capabilities().virtual_time)?;
        let core = Rc::new(Core::new(fabric, recorder, limit));
        let group = Group::world(core)?;
        Ok(Self { group })
    }

    /// What the transport orders, completes and offers here.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        self.group.core().fabric().capabilities()
    }

    /// Bounds the time for which a call waits for others; `None` waits for ever. A call that waits longer fails with
    /// [`Error::TimeOut`](crate::Error::TimeOut), which says who waits for whom, and what it was called on cannot be
    /// used any more: a barrier, a group, a window. Others may wait for a lock that it was called for as long as they
    /// have patience.
    ///
    /// It begins as the environment variable `FARSIDE_TIME_LIMIT` has it, in seconds, or `off`; else, in a build with
    /// debug assertions, with 60 s, and 10^6 s of virtual time; else without one.
    ///
    /// The completion of operations at the end of an epoch cannot be called off, for buffers are lent to them: there,
    /// and in [`Group::send`], a call waits as long as its transport does.
    pub fn set_time_limit(&self, limit: Option<Duration>) {
        self.group.core().set_time_limit(limit);
    }

    /// The bound of [`World::set_time_limit`].
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.group.core().time_limit()
    }

    /// Time since the job began; virtual where the transport's time is (`MPI_Wtime`, MPI-4.1 §9.6).
    #[must_use]
    pub fn now(&self) -> Duration {
        self.group.core().fabric().now()
    }

    /// Computes for a time without communicating: busy on a real transport, virtual on a simulated one. What stands
    /// between communication calls in a benchmark or a model of a program.
    pub fn compute(&self, time: Duration) {
        self.group.core().fabric().compute(time);
    }

    /// The group of all ranks, as a value of its own.
    #[must_use]
    pub fn group(&self) -> Group {
        self.group.clone()
    }

    /// Ends the part of this rank, in agreement with all others (`MPI_Finalize`, MPI-4.1 §11.2.2). Collective.
    ///
    /// # Errors
    /// A rank is lost, or in another collective call; calls on some group did not match.
    #[track_caller]
    pub fn finish(self) -> Result<()> {
        let core = self.group.core();
        let place = Location::caller();
        let watch = core.watch.as_deref();
        let call = watch.and_then(|watch| watch.call(place, Call::Finalize));
        let met = self.group.meet_last(place);
        // A loss is for the transport to say.
        if core.fabric().lost().is_none() {
            met?;
        }
        core.finish()?;
        drop(call);
        if let Some(watch) = watch {
            watch.finish();
        }
        core.matching.untold()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.group.core().give_up_tasks();
    }
}

impl Deref for World {
    type Target = Group;

    fn deref(&self) -> &Group {
        &self.group
    }
}
