//! The world: all ranks of the job.

use crate::endpoint::Core;
use crate::shrink::{self, Beginning};
use crate::waits::limit;
use crate::watch::Recorder;
use crate::{Error, Group, Rank, Result};
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
/// can be lent to other threads, and these have operations by [`Contexts`](crate::Contexts).
pub struct World {
    group: Group,
    /// How it began, for those that are left when it loses ranks.
    beginning: Option<Beginning>,
    former: Vec<Rank>,
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
        Ok(Self {
            group,
            beginning: None,
            former: Vec::new(),
        })
    }

    /// The ranks that are left, as a world of their own, when this one has lost some (ULFM's `MPIX_Comm_shrink`; Bland
    /// et al., *Post-failure recovery of MPI communication capability*, IJHPCA 2013). Collective over those that are
    /// left: it waits until each rank of this world has called it, is lost, or has finished. Their order stays.
    ///
    /// All that call get the same world, also when others die meanwhile: the launcher, which sees processes end,
    /// decides. A rank that dies after that is lost to the new world, and shrinks it the same way. The new world has
    /// endpoints and memory of its own, so nothing that was sent in this one arrives there. Groups and windows of this
    /// one end: what waits in them fails with [`Error::PeerLost`]. Where nobody is lost, the new world has all ranks.
    ///
    /// Drop this world, and what comes from it, when what is in its windows was taken ([`Window::salvage`]): its memory
    /// stays until then.
    ///
    /// ```no_run
    /// # fn work(world: &farside::World) -> farside::Result<()> { Ok(()) }
    /// let mut world = farside::World::init()?;
    /// loop {
    ///     let done = work(&world);
    ///     if world.agree(done.is_ok())? {
    ///         break;
    ///     }
    ///     if world.lost().is_none() {
    ///         done?; // it failed for another reason
    ///     }
    ///     world = world.shrink()?;
    /// }
    /// world.finish()?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    ///
    /// # Errors
    /// - [`Error::Unsupported`]: nobody sees ranks end, under mpirun of an MPI or a shared folder; the ranks are in one
    ///   process; the world was made by [`World::over`]; the job is checked.
    /// - [`Error::PeerLost`] of the own rank: the others take it for lost.
    /// - The launcher is gone, or the transport does not start again.
    ///
    /// [`Error::PeerLost`]: crate::Error::PeerLost
    /// [`Error::Unsupported`]: crate::Error::Unsupported
    /// [`Window::salvage`]: crate::Window::salvage
    pub fn shrink(&self) -> Result<Self> {
        const CALL: &str = "World::shrink";
        let beginning = self.beginning(CALL)?;
        if self.group.core().watch.is_some() {
            return Err(shrink::refusal(
                CALL,
                "a job that is checked ends with the first loss",
            ));
        }
        let (mut world, former) = beginning.again(Self::begin)?;
        world.set_time_limit(self.time_limit());
        world.former = former;
        Ok(world)
    }

    /// Whether all ranks that are left say `yes` (ULFM's `MPIX_Comm_agree`). Collective over those that are left: it
    /// waits until each rank of this world has called it, is lost, or has finished, and all that call get the same
    /// answer. Works in a world that has lost ranks; what those would have said does not count. A rank that calls
    /// [`World::shrink`] instead says no.
    ///
    /// So a program ends: a call that one rank has finished well may have failed for another, which lost somebody in
    /// it. When all agree that all is done, nobody needs them any more.
    ///
    /// # Errors
    /// As for [`World::shrink`].
    pub fn agree(&self, yes: bool) -> Result<bool> {
        self.beginning("World::agree")?.agree(yes)
    }

    fn beginning(&self, call: &'static str) -> Result<&Beginning> {
        let none = || shrink::refusal(call, "this world was not started by a launcher");
        self.beginning.as_ref().ok_or_else(none)
    }

    /// The world of the ranks that a launcher has brought together.
    pub(crate) fn begin(beginning: &Beginning) -> Result<Self> {
        // SAFETY: the endpoint is made here, of a launcher that numbers ranks, and nobody else has it.
        let mut world = unsafe { Self::over(beginning.open()?) }?;
        world.beginning = Some(beginning.clone());
        Ok(world)
    }

    /// A rank of this world that is lost, if it is known of any; the first one.
    #[must_use]
    pub fn lost(&self) -> Option<Rank> {
        self.group.core().fabric().lost()
    }

    /// Of a world that [`World::shrink`] made, by its rank there, which rank each had in the world before. Empty in
    /// others.
    #[must_use]
    pub fn former(&self) -> &[Rank] {
        &self.former
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
    /// The completion of operations at the end of an epoch cannot be called off, for buffers are lent to them: there, a
    /// call waits as long as its transport does.
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
    /// If a rank is lost, this one has ended its part all the same, and nobody waits for it any more.
    ///
    /// # Errors
    /// A rank is lost, or in another collective call; calls on some group did not match.
    #[track_caller]
    pub fn finish(self) -> Result<()> {
        self.finish_at(Location::caller())
    }

    /// As [`World::finish`], called for a program there.
    pub(crate) fn finish_at(self, place: &'static Location<'static>) -> Result<()> {
        let core = self.group.core();
        let watch = core.watch.as_deref();
        let call = watch.and_then(|watch| watch.call(place, Call::Finalize));
        let met = self.group.meet_last(place);
        // A loss is for the transport to say.
        if core.fabric().lost().is_none() {
            met?;
        }
        let ended = core.finish();
        if let (Err(Error::PeerLost { .. }), Some(beginning)) = (&ended, &self.beginning) {
            beginning.leave();
        }
        ended?;
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
