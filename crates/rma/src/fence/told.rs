//! What is told of a fence, if somebody watches.
//!
//! A fence that waits for all is told as one. The fence that a first epoch begins with need not wait: a design may
//! leave it to the operations to wait for their targets. It is told with `MPI_MODE_NOPRECEDE`, which means that.
//! [`neighbour`](super::neighbour) orders only ranks that have access to each other: it is told as what it does, post
//! and start, complete and wait (MPI-4.1 §12.5.2). Told as fences that wait for all, they would order ranks that they
//! do not, and races would be missed.

use crate::Rank;
use crate::watch::{Guard, Place};
use crate::window::core::WindowCore;
use farside_events::{Assertions, Call};

/// Those with whom a fence concerns a rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partners<'d> {
    targets: &'d [Rank],
    origins: &'d [Rank],
}

impl<'d> Partners<'d> {
    /// The rank has access to `targets`, which are sorted; `origins` have access to it.
    pub(crate) fn new(targets: &'d [Rank], origins: &'d [Rank]) -> Self {
        Self { targets, origins }
    }

    /// To whom an epoch gives access.
    pub(crate) fn targets(self) -> &'d [Rank] {
        self.targets
    }
}

/// An epoch is about to begin. The guard ends when it has; then call [`begun`].
pub(crate) fn begins(window: &WindowCore, place: Place, assertions: Assertions) -> Option<Guard<'_>> {
    let Some(partners) = window.design.partners() else {
        return fence(window, place, assertions);
    };
    window.watch.as_ref()?;
    drop(window.call(place, |watch| Call::Post {
        win: watch.win,
        group: watch.world_ranks(partners.origins),
        assertions: Assertions {
            nostore: assertions.nostore,
            ..Assertions::default()
        },
    }));
    for &origin in partners.origins {
        window.group.tells(place, "fence", origin, tag(window));
    }
    window.call(place, |watch| Call::Start {
        win: watch.win,
        group: watch.world_ranks(partners.targets),
        assertions: Assertions::default(),
    })
}

/// An epoch has begun, of which was told that it begins.
pub(crate) fn begun(window: &WindowCore, place: Place) {
    if let (Some(_), Some(partners)) = (&window.watch, window.design.partners()) {
        for &target in partners.targets {
            window.group.told_by(place, "fence", target, tag(window));
        }
    }
}

/// An epoch is about to end; what the fence waits for is waited for while the guard lives. The guard of a fence that
/// waits for all lives until the next epoch has begun.
pub(crate) fn ends(window: &WindowCore, place: Place, assertions: Assertions) -> Option<Guard<'_>> {
    if window.design.partners().is_none() {
        return fence(window, place, assertions);
    }
    drop(window.call(place, |watch| Call::Complete { win: watch.win }));
    waits(window, place)
}

/// The next epoch is about to begin, after one that ended: goes on from the guard of [`ends`]. Then call [`begun`].
pub(crate) fn goes_on<'w>(
    ended: Option<Guard<'w>>,
    window: &'w WindowCore,
    place: Place,
    assertions: Assertions,
) -> Option<Guard<'w>> {
    if window.design.partners().is_none() {
        return ended;
    }
    drop(ended);
    begins(window, place, assertions)
}

/// All ranks are about to meet, after the last of several epochs.
pub(crate) fn meets(window: &WindowCore, place: Place, assertions: Assertions) -> Option<Guard<'_>> {
    if window.design.partners().is_none() {
        return fence(window, place, assertions);
    }
    // The meeting comes after every complete, and before every wait: so none waits for what was not told yet.
    drop(window.call(place, |watch| Call::Complete { win: watch.win }));
    window.group.collective_of_all(place, "fences")
}

/// All ranks have met, of which was told that they would.
pub(crate) fn met(window: &WindowCore, place: Place) {
    if window.design.partners().is_some() {
        drop(waits(window, place));
    }
}

fn fence(window: &WindowCore, place: Place, assertions: Assertions) -> Option<Guard<'_>> {
    window.call(place, |watch| Call::Fence {
        win: watch.win,
        assertions,
    })
}

fn waits(window: &WindowCore, place: Place) -> Option<Guard<'_>> {
    window.call(place, |watch| Call::Wait {
        win: watch.win,
        test: false,
    })
}

/// Sets the order of a window's fences apart from that of others.
fn tag(window: &WindowCore) -> u32 {
    window.watch.as_ref().map_or(0, |watch| watch.win.0 as u32)
}
