//! Requests and notices as futures, for any executor.
//!
//! Nobody but this rank itself sees what arrives for it, so nothing could wake a task: a poll moves the transport on,
//! looks, and asks to be polled again. To keep an executor that has nothing else to do from spinning, the future that
//! was polled first leads the round: when it comes up again, all others were polled in vain, and it waits a moment in
//! the transport, as a call that blocks would, at first for half a microsecond, in the end for
//! [`LONGEST`](crate::waits::LONGEST). So an executor is never kept for longer than that, and a rank that only waits
//! sleeps. See `docs/design/async.md`.

use crate::endpoint::Core;
use crate::waits::{Asking, Turn, Wait};
use crate::{Error, Result};
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What a rank can wait for as a future: a [`Request`](crate::Request), a [`Fetched`](crate::Fetched) value, a
/// [`CollectiveRequest`](crate::CollectiveRequest), a notice.
pub trait Awaitable: sealed::Awaitable {}

impl<A: sealed::Awaitable> Awaitable for A {}

pub(crate) mod sealed {
    use super::{Asked, Location, Result};

    /// How a future looks, and what it gives.
    pub trait Awaitable: Sized {
        type Output;

        /// Whether it is there, by [`Asked::ask`].
        fn ask(&self, asked: &mut Asked) -> Result<bool>;

        /// What came: `ask` said that it is there.
        fn take(self, place: &'static Location<'static>) -> Result<Self::Output>;
    }
}

/// The future of something that a rank waits for: `request.await`, with any executor that polls it on the thread of its
/// world.
///
/// A poll moves the transport on, and keeps the thread for a millisecond at the most. The time limit of the world
/// ([`World::set_time_limit`](crate::World::set_time_limit)) counts from the first poll. Dropped, it does what its
/// request does when dropped. After it was ready, it gives [`Error::Broken`].
#[must_use = "a future does nothing unless it is polled"]
pub struct Awaited<A> {
    what: Option<A>,
    asked: Asked,
}

// Nothing is pinned: what operations use lies elsewhere.
impl<A> Unpin for Awaited<A> {}

impl<A> Awaited<A> {
    #[track_caller]
    pub(crate) fn new(what: A) -> Self {
        Self {
            what: Some(what),
            asked: Asked::since(Location::caller()),
        }
    }
}

impl<A: sealed::Awaitable> Future for Awaited<A> {
    type Output = Result<A::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { what, asked } = self.get_mut();
        let there = what.as_ref().map_or(Err(OVER), |what| what.ask(asked));
        if let Ok(false) = there {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let place = asked.place;
        *asked = Asked::since(place);
        let what = there.and(what.take().ok_or(OVER));
        Poll::Ready(what.and_then(|what| what.take(place)))
    }
}

/// The error of a future that was ready before.
const OVER: Error = Error::Broken("future");

/// How often a future was asked for, and since where.
#[doc(hidden)]
pub struct Asked {
    asking: Asking,
    turn: Turn,
    /// Where the program awaits it.
    place: &'static Location<'static>,
}

impl Asked {
    fn since(place: &'static Location<'static>) -> Self {
        Self {
            asking: Asking::default(),
            turn: Turn::default(),
            place,
        }
    }

    /// Where the program awaits it.
    pub(crate) fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// Asks whether it is there: now, or after a moment where the future leads its round.
    pub(crate) fn ask(
        &mut self,
        core: &Core,
        wait: &dyn Fn() -> Wait,
        look: &mut dyn FnMut() -> Result<bool>,
    ) -> Result<bool> {
        core.ask_for_future(&mut self.asking, &mut self.turn, wait, look)
    }
}
