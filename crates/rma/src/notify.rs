//! Notified put: a put that tells its target that it is there, by a write with immediate.
//!
//! The immediate carries the window, in its upper 8 bits, and a number of the program's. Not in MPI; in GASPI, and in
//! the proposals for MPI (Belli, Hoefler: Notified Access, IPDPS 2015).

use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::future::{Asked, Awaited, sealed::Awaitable};
use crate::mailbox::Arrived;
use crate::operation::{Target, place, tell_put};
use crate::watch::Place;
use crate::window::core::WindowCore;
use crate::window::core::watch::Form;
use crate::{Error, Plain, Rank, Result};
use farside_events::{Call, EventKind};
use farside_fabric::{Put, Signal};
use std::cell::Cell;
use std::panic::Location;

/// Bits of the immediate that name the window.
const SLOT_BITS: u32 = 8;

/// A notified put that is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whose put, as a rank of the window's group; `None` where the transport does not say.
    pub source: Option<Rank>,
    /// The number that it carries.
    pub number: u32,
}

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::put`], and gives the target a [`Notice`] with a number when the elements are visible there. An empty
    /// put only notifies.
    ///
    /// # Errors
    /// As for [`Epoch::put`]; the transport has no immediates; the number is above
    /// [`Window::greatest_notice`](crate::Window::greatest_notice).
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u64>::allocate(world, 1)?.into_passive()?;
    ///     window.lock_all(|epoch| {
    ///         if world.rank() == 0 {
    ///             return epoch.put_notify(&[42], 1, 0, 7);
    ///         }
    ///         let notice = epoch.wait_notice(Some(7))?;
    ///         assert_eq!(notice.number, 7);
    ///         assert_eq!(epoch.direct(1)?.load(0)?, 42);
    ///         Ok(())
    ///     })?;
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn put_notify(
        &'scope self,
        origin: &'scope [T],
        target: impl Target<T>,
        displacement: usize,
        number: u32,
    ) -> Result<()> {
        let window = self.window;
        let (slot, limit) = match (window.slot, greatest(window)) {
            (Some(slot), Some(limit)) => (slot, limit),
            (None, Some(_)) => {
                return Err(Error::Unsupported {
                    what: "a notified put",
                    reason: "more than 256 windows exist".to_owned(),
                });
            }
            _ => {
                return Err(Error::Unsupported {
                    what: "a notified put",
                    reason: format!(
                        "the transport `{}` has no immediates of 9 bits or more",
                        window.fabric().capabilities().transport
                    ),
                });
            }
        };
        if number > limit {
            return Err(Error::TooGreat {
                what: "the number of a notice",
                number: u64::from(number),
                limit: u64::from(limit),
            });
        }
        let place = place(self, &target)?;
        window.record.check()?;
        if let Some(deferred) = window.record.deferred().filter(|_| window.record.is_deferred()) {
            deferred.await_epoch(place.rank)?;
        }
        let put = Put {
            scope: window.scope,
            origin: origin.as_ptr().cast(),
            bytes: size_of_val(origin),
            remote: place.remote,
            displacement: place.bytes::<T>(displacement, origin.len())?,
            signal: Signal::Immediate(u32::from(slot) << shift(window) | number),
        };
        // SAFETY: the origin is a slice of so many elements.
        unsafe {
            tell_put(
                window,
                place,
                origin.as_ptr(),
                origin.len(),
                displacement,
                Form::noticed(number),
            );
        }
        // SAFETY: the origin is borrowed for `'scope`, at the end of which the operation is complete; the target is
        // connected.
        unsafe { window.fabric().put(&put) }?;
        window.fabric().send_held();
        window.record.add_unsignalled();
        window.pending.started();
        Ok(())
    }

    /// Waits for a notified put of another rank to this one, with a number or with any. The elements of that put are
    /// visible then; those of others only where the transport says so
    /// ([`Capabilities::immediate_after_write`](farside_fabric::Capabilities)).
    ///
    /// # Errors
    /// A rank is lost; time ran out.
    #[track_caller]
    pub fn wait_notice(&self, number: Option<u32>) -> Result<Notice> {
        wait(self.window, number)
    }

    /// As [`Epoch::wait_notice`], as a future: `epoch.next_notice(None).await`.
    ///
    /// # Errors
    /// A rank is lost; time ran out.
    #[track_caller]
    pub fn next_notice(&self, number: Option<u32>) -> impl Future<Output = Result<Notice>> {
        next(self.window, number)
    }

    /// The next notified put, if one is here, with a number or with any.
    ///
    /// # Errors
    /// A rank is lost.
    #[track_caller]
    pub fn test_notice(&self, number: Option<u32>) -> Result<Option<Notice>> {
        test(self.window, number)
    }
}

/// The place of the slot in an immediate.
pub(crate) fn shift(window: &WindowCore) -> u32 {
    window
        .fabric()
        .capabilities()
        .immediate_bits
        .min(32)
        .saturating_sub(SLOT_BITS)
}

/// The greatest number of a notice; the one above it marks the puts of fence epochs.
pub(crate) fn greatest(window: &WindowCore) -> Option<u32> {
    match shift(window) {
        0 => None,
        bits => Some((1 << bits) - 2),
    }
}

/// The immediate of the puts of fence epochs; `None` if there is none for this window.
pub(crate) fn fence_mark(window: &WindowCore) -> Option<u32> {
    let slot = u32::from(window.slot?);
    match shift(window) {
        0 => None,
        bits => Some(slot << bits | ((1 << bits) - 1)),
    }
}

/// The next notice, if one is here.
#[track_caller]
pub(crate) fn test(window: &WindowCore, number: Option<u32>) -> Result<Option<Notice>> {
    let notice = look(window, number)?;
    if let Some(notice) = &notice {
        tell(window, notice);
    }
    Ok(notice)
}

/// A notice that has not come yet.
struct Coming<'w> {
    window: &'w WindowCore,
    number: Option<u32>,
    /// It came.
    notice: Cell<Option<Notice>>,
}

/// The next notice, as a future.
#[track_caller]
pub(crate) fn next(window: &WindowCore, number: Option<u32>) -> impl Future<Output = Result<Notice>> {
    Awaited::new(Coming {
        window,
        number,
        notice: Cell::new(None),
    })
}

impl Awaitable for Coming<'_> {
    type Output = Notice;

    fn ask(&self, asked: &mut Asked) -> Result<bool> {
        let place = Some(asked.place());
        let wait = || self.window.waiting("next_notice", place, []);
        asked.ask(self.window.core(), &wait, &mut || {
            self.notice.set(look(self.window, self.number)?);
            Ok(self.notice.get().is_some())
        })
    }

    fn take(self, place: Place) -> Result<Notice> {
        let call = self.window.call(place, |_| Call::Completion {
            name: "next_notice".into(),
        });
        let notice = self.notice.get().ok_or(Error::Broken("queue of notices"))?;
        tell(self.window, &notice);
        drop(call);
        Ok(notice)
    }
}

/// Waits for a notice.
#[track_caller]
pub(crate) fn wait(window: &WindowCore, number: Option<u32>) -> Result<Notice> {
    let call = window.call(Location::caller(), |_| Call::Completion {
        name: "wait_notice".into(),
    });
    let mut notice = look(window, number)?;
    if notice.is_none() {
        let place = Location::caller();
        window
            .core()
            .wait_in(&|| window.waiting("wait_notice", Some(place), []), || {
                notice = look(window, number)?;
                Ok(notice.is_some())
            })?;
    }
    let notice = notice.ok_or(Error::Broken("queue of notices"))?;
    tell(window, &notice);
    drop(call);
    Ok(notice)
}

fn look(window: &WindowCore, number: Option<u32>) -> Result<Option<Notice>> {
    let (Some(slot), Some(_)) = (window.slot, greatest(window)) else {
        return Ok(None);
    };
    let core = window.core();
    let wanted =
        |arrived: &Arrived| arrived.slot == slot && number.is_none_or(|number| arrived.number == number);
    let arrived = core.mailbox.notice(core.fabric(), shift(window), &wanted)?;
    Ok(arrived.map(|arrived| Notice {
        source: arrived.source.and_then(|rank| window.group.rank_of(rank)),
        number: arrived.number,
    }))
}

/// The elements of a put are visible.
fn tell(window: &WindowCore, notice: &Notice) {
    if let Some(watch) = &window.watch {
        watch.recorder.record(EventKind::Notice {
            win: watch.win,
            source: notice.source.map(|rank| watch.world_rank(rank)),
            number: notice.number,
        });
    }
}
