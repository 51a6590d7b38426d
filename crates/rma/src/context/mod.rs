//! Contexts: operations of other threads in an epoch (OpenSHMEM-1.5 §9.4, as far as it goes).
//!
//! A world, its windows and its epochs belong to one thread; what they keep is not for two at a time. A context has
//! what operations need and nothing of theirs: the endpoint, which all threads may call, places of the targets, and a
//! scope of its own, by which it completes its operations and no others. So threads do not wait for one another.
//!
//! A context is lent to a function and completes its operations *at their targets* when the function returns, as an
//! epoch does; it is not `Sync`, so it stays in the thread that opened it. [`Contexts`] go from thread to thread,
//! within the lifetime of the epoch: threads that have them end before the function of the epoch returns. So when the
//! epoch is closed, nothing of a context is pending, whatever kind of epoch it is and however its fence is done.
//!
//! If operations could not be completed, the window is broken, and the epoch fails, for whoever owns it
//! ([`Condition`]).

mod operation;

use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::waits::{self, Wait};
use crate::window::core::WindowCore;
use crate::window::core::condition::Condition;
use crate::window::core::scopes::Scopes;
use crate::window::peer::Place;
use crate::{Error, Plain, Rank, Result};
use farside_fabric::{Fabric, Scope, Ticket};
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::Location;
use std::time::Duration;

/// What threads need to access some ranks in an epoch: each opens a [`Context`] by it. See [`Epoch::contexts`].
pub struct Contexts<'scope, T: Plain, E = Error> {
    fabric: &'scope dyn Fabric,
    condition: &'scope Condition,
    scopes: &'scope Scopes,
    /// By rank.
    targets: Vec<Place>,
    limit: Option<Duration>,
    /// In the words of errors.
    window: String,
    elements: PhantomData<fn() -> (T, E)>,
}

/// Operations of one thread, which it completes by itself. See [`Contexts::context`].
///
/// `'scope` and `'env` are those of an [`Epoch`]: what operations borrow is borrowed until all of them are complete.
pub struct Context<'scope, 'env: 'scope, T: Plain> {
    fabric: &'env dyn Fabric,
    targets: &'env [Place],
    limit: Option<Duration>,
    window: &'env str,
    own: Scope,
    /// The transport has operations to complete.
    passed: Cell<bool>,
    /// The target to which this thread itself wrote last. What it wrote to others before is complete.
    written: Cell<Option<&'env Place>>,
    /// Values of operations that are not complete.
    values: RefCell<Vec<Vec<T>>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// Access to some targets for other threads of this process, in this epoch: each thread opens a context, which
    /// completes its operations apart from those of others (`shmem_ctx_create`, OpenSHMEM-1.5 §9.4.1). A lock that the
    /// epoch needs for a target is taken here.
    ///
    /// Threads that have it end before the function of the epoch returns: those of [`std::thread::scope`] or of
    /// `rayon::scope` and of parallel iterators. Where all ranks of the process run on one thread, as in a simulation,
    /// contexts work on that thread, and operations of others are refused.
    ///
    /// # Errors
    /// No access to a target in this epoch; it is lost; the job is checked, and the [check](crate::check) does not see
    /// operations of several threads.
    ///
    /// ```
    /// # #[cfg(feature = "shm")] {
    /// use farside::{Operation, Window};
    /// farside::threads(2, |world| {
    ///     let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
    ///     window.lock_all(|epoch| {
    ///         let contexts = epoch.contexts(&[0])?;
    ///         std::thread::scope(|threads| {
    ///             let count = || contexts.context(|context| context.fetch(Operation::Sum, 1, 0, 0));
    ///             let both = [threads.spawn(count), threads.spawn(count)];
    ///             both.into_iter().try_for_each(|thread| thread.join().expect("no panic").map(drop))
    ///         })
    ///     })?;
    ///     let window = window.into_active()?;
    ///     assert!(world.rank() != 0 || window.local()? == [4]);
    ///     window.free()
    /// })?;
    /// # }
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn contexts(&'scope self, targets: &[Rank]) -> Result<Contexts<'scope, T, K::Error>> {
        let window: &'scope WindowCore = self.window;
        window.check()?;
        if window.watch.is_some() {
            return Err(Error::Unsupported {
                what: "a context of another thread",
                reason: "the check does not see operations of several threads of a rank".to_owned(),
            });
        }
        window.record.check()?;
        let deferred = window.record.deferred().filter(|_| window.record.is_deferred());
        let mut places = Vec::with_capacity(targets.len());
        for &target in targets {
            self.admit(target)?;
            if let Some(deferred) = &deferred {
                deferred.await_epoch(target)?;
            }
            places.push(window.peer(target)?.place);
        }
        places.sort_unstable_by_key(|place| place.rank);
        let (condition, scopes) = window.shared();
        Ok(Contexts {
            fabric: window.fabric(),
            condition,
            scopes,
            targets: places,
            limit: window.core().time_limit(),
            window: window.named(),
            elements: PhantomData,
        })
    }
}

impl<T: Plain, E: From<Error>> Contexts<'_, T, E> {
    /// Opens a context, lends it to a function, and completes its operations at their targets when that returns. For
    /// any thread, and any number of threads at a time; each call has a context of its own.
    ///
    /// # Errors
    /// What the function returns; a rank is lost: then the epoch fails as well, and the window is broken.
    pub fn context<'env, F, R>(&'env self, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope Context<'scope, 'env, T>) -> Result<R, E>,
    {
        self.condition.check()?;
        let context = Context {
            fabric: self.fabric,
            targets: &self.targets,
            limit: self.limit,
            window: &self.window,
            own: self.scopes.take(self.fabric)?,
            passed: Cell::new(false),
            written: Cell::new(None),
            values: RefCell::default(),
            scope: PhantomData,
            env: PhantomData,
        };
        let closing = Closing {
            contexts: self,
            context: &context,
        };
        let result = function(&context);
        std::mem::forget(closing);
        let closed = self.close(&context);
        let value = result?;
        closed?;
        Ok(value)
    }

    /// Completes the operations of a context. If that fails, they touch no buffer any more (promise 8 of
    /// [`Fabric`]), but may still arrive.
    fn close(&self, context: &Context<'_, '_, T>) -> Result<()> {
        let closed = context.complete();
        match closed {
            Ok(()) => self.scopes.give_back(context.own),
            Err(_) => {
                self.condition.give_up();
                if self.fabric.flush_local(context.own, None).is_err() {
                    // Nobody says when its operations are over.
                    std::mem::forget(context.values.take());
                }
            }
        }
        closed
    }
}

/// Completes what is pending when the function of a context panics: its buffers are about to go.
struct Closing<'c, 'scope, 'env, T: Plain, E: From<Error>> {
    contexts: &'c Contexts<'env, T, E>,
    context: &'c Context<'scope, 'env, T>,
}

impl<T: Plain, E: From<Error>> Drop for Closing<'_, '_, '_, T, E> {
    fn drop(&mut self) {
        self.contexts.condition.break_off();
        let _ = self.contexts.close(self.context);
    }
}

impl<'env, T: Plain> Context<'_, 'env, T> {
    /// Completes all operations of this context at their targets, and no others (`shmem_ctx_quiet`, OpenSHMEM-1.5
    /// §9.4.5; `MPI_Win_flush_all`, MPI-4.1 §12.5.4). Buffers stay borrowed until the context ends.
    ///
    /// # Errors
    /// A rank is lost.
    pub fn flush_all(&self) -> Result<()> {
        self.complete()
    }

    /// As [`Context::flush_all`], of the operations to one target (`MPI_Win_flush`, MPI-4.1 §12.5.4).
    ///
    /// # Errors
    /// No context for the rank; it is lost.
    #[track_caller]
    pub fn flush(&self, target: Rank) -> Result<()> {
        let place = self.place(target)?;
        if self.written.get().is_some_and(|written| written.rank == target) {
            self.complete_written()?;
        }
        if self.passed.get() {
            self.fabric.flush(self.own, Some(place.remote.target()))?;
        }
        Ok(())
    }

    fn complete(&self) -> Result<()> {
        self.complete_written()?;
        if self.passed.replace(false) {
            let flushed = self.fabric.flush(self.own, None);
            self.passed.set(flushed.is_err());
            flushed?;
        }
        self.values.borrow_mut().clear();
        Ok(())
    }

    /// Completes what this thread wrote itself.
    fn complete_written(&self) -> Result<()> {
        let Some(place) = self.written.get() else {
            return Ok(());
        };
        // SAFETY: the endpoint lives as long as the window.
        if place.reach().is_none_or(|way| !unsafe { way.settle() }) {
            self.fabric.flush(self.own, Some(place.remote.target()))?;
        }
        self.written.set(None);
        Ok(())
    }

    /// The memory of a target for which there is a context.
    #[track_caller]
    fn place(&self, target: Rank) -> Result<&'env Place> {
        let found = self.targets.binary_search_by_key(&target, |place| place.rank);
        found
            .map(|index| &self.targets[index])
            .map_err(|_| Error::Unsupported {
                what: "access to a rank that the call of `contexts` did not name",
                reason: format!("rank {target}, at {}", Location::caller()),
            })
    }

    /// Waits until an operation that was handed to the transport is complete locally, up to the time limit.
    #[track_caller]
    fn wait(&self, call: &str, place: &Place, ticket: Ticket) -> Result<()> {
        if ticket == Ticket::DONE {
            return Ok(());
        }
        let waited = self.fabric.wait(self.limit, &mut || self.fabric.test(ticket));
        waited.map_err(|error| match error {
            farside_fabric::Error::TimeOut(limit) => {
                let call = format!("{call} of a context on {}", self.window);
                let target = place.remote.target();
                let wait = Wait::new(self.fabric.rank(), call, Some(Location::caller()), [target]);
                waits::alone(limit, wait)
            }
            other => other.into(),
        })
    }
}
