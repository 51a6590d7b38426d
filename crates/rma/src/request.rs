//! Requests: operations that are pending, and the buffers that they hold (MPI-4.1 §12.3.5, §3.7.3).

use crate::future::{Asked, Awaited, sealed::Awaitable};
use crate::pool::Slot;
use crate::watch::{Guard, Place};
use crate::window::core::WindowCore;
use crate::{Element, Plain, Result};
use farside_events::{Call, RequestId};
use farside_fabric::Ticket;
use std::any::Any;
use std::mem::MaybeUninit;
use std::panic::Location;

/// What a rank waits for that waits for a request.
const COMPLETION: &str = "a completion";

mod sealed {
    pub trait Sealed {}
}

/// A buffer that a request can hold, and an operation read: `Vec<T>`, `&[T]` or `&mut [T]`.
pub trait Buffer<T: Plain>: Keep {
    #[doc(hidden)]
    fn parts(&self) -> (*const T, usize);
}

/// A buffer that a request can hold, and an operation write: `Vec<T>` or `&mut [T]`.
pub trait BufferMut<T: Plain>: Buffer<T> {
    #[doc(hidden)]
    fn parts_mut(&mut self) -> (*mut T, usize);
}

/// What becomes of the buffer of a request that nobody waits for.
pub trait Keep: sealed::Sealed {
    /// Takes what is owned out, to be kept. What a borrow points to is not even looked at.
    ///
    /// # Safety
    /// `this` is a value that nobody uses any more.
    #[doc(hidden)]
    unsafe fn keep(this: *mut Self) -> Option<Box<dyn Any>>;
}

impl<T: Plain> sealed::Sealed for Vec<T> {}
impl<T: Plain> sealed::Sealed for &[T] {}
impl<T: Plain> sealed::Sealed for &mut [T] {}
impl<A: sealed::Sealed, B: sealed::Sealed> sealed::Sealed for (A, B) {}

impl<T: Plain> Keep for Vec<T> {
    unsafe fn keep(this: *mut Self) -> Option<Box<dyn Any>> {
        // SAFETY: the caller promises a value that nobody uses any more. To move a vector leaves its elements in place.
        Some(Box::new(unsafe { this.read() }))
    }
}

impl<T: Plain> Keep for &[T] {
    unsafe fn keep(_: *mut Self) -> Option<Box<dyn Any>> {
        None
    }
}

impl<T: Plain> Keep for &mut [T] {
    unsafe fn keep(_: *mut Self) -> Option<Box<dyn Any>> {
        None
    }
}

impl<A: Keep, B: Keep> Keep for (A, B) {
    unsafe fn keep(this: *mut Self) -> Option<Box<dyn Any>> {
        // SAFETY: the caller's promise holds for both parts.
        let parts = unsafe { (A::keep(&raw mut (*this).0), B::keep(&raw mut (*this).1)) };
        match parts {
            (Some(first), Some(second)) => Some(Box::new((first, second))),
            (first, second) => first.or(second),
        }
    }
}

impl<T: Plain> Buffer<T> for Vec<T> {
    fn parts(&self) -> (*const T, usize) {
        (self.as_ptr(), self.len())
    }
}

impl<T: Plain> BufferMut<T> for Vec<T> {
    fn parts_mut(&mut self) -> (*mut T, usize) {
        (self.as_mut_ptr(), self.len())
    }
}

impl<T: Plain> Buffer<T> for &[T] {
    fn parts(&self) -> (*const T, usize) {
        (self.as_ptr(), self.len())
    }
}

impl<T: Plain> Buffer<T> for &mut [T] {
    fn parts(&self) -> (*const T, usize) {
        (self.as_ptr(), self.len())
    }
}

impl<T: Plain> BufferMut<T> for &mut [T] {
    fn parts_mut(&mut self) -> (*mut T, usize) {
        (self.as_mut_ptr(), self.len())
    }
}

/// An operation that was started, and its buffer (`MPI_Request`). It cannot leave its epoch.
///
/// Dropped, it lets the operation go on: an owned buffer is freed when the operation is complete.
#[must_use = "dropped, it keeps the buffer until the epoch is complete"]
pub struct Request<'scope, B: Keep> {
    window: &'scope WindowCore,
    first: Option<Part>,
    /// Of layouts: each run of consecutive elements is a part.
    others: Vec<Part>,
    /// Not touched before completion: a value in a `MaybeUninit` makes no claim on what it points to.
    buffer: MaybeUninit<B>,
}

/// What was started at once.
#[derive(Clone, Copy)]
struct Part {
    ticket: Ticket,
    /// Its name, where somebody watches.
    name: Option<RequestId>,
}

impl<'scope, B: Keep> Request<'scope, B> {
    /// With a buffer, which stays where it is until completion, and nothing started yet.
    pub(crate) fn new(window: &'scope WindowCore, buffer: B) -> Self {
        Self {
            window,
            first: None,
            others: Vec::new(),
            buffer: MaybeUninit::new(buffer),
        }
    }

    /// The buffer, for its address. To look at it once something is started would claim what it points to, while the
    /// operation writes there: the caller takes all addresses before.
    pub(crate) fn buffer(&mut self) -> &mut B {
        debug_assert!(self.first.is_none(), "nothing is started");
        // SAFETY: initialised from `new` on.
        unsafe { self.buffer.assume_init_mut() }
    }

    /// An operation was started on the buffer.
    pub(crate) fn started(&mut self, ticket: Ticket, name: Option<RequestId>) {
        let part = Part { ticket, name };
        match self.first {
            None => self.first = Some(part),
            // What is done already needs no keeping, unless it is to be told.
            Some(_) if ticket == Ticket::DONE && name.is_none() => {}
            Some(_) => self.others.push(part),
        }
    }

    fn parts(&self) -> impl Iterator<Item = Part> {
        self.first.iter().chain(&self.others).copied()
    }

    /// Whether the operation is complete locally (`MPI_Test`, MPI-4.1 §3.7.3). Then [`Request::wait`] returns at once.
    ///
    /// # Errors
    /// The target is lost.
    pub fn test(&self) -> Result<bool> {
        for part in self.parts() {
            if !self.window.is_complete(part.ticket)? {
                return Ok(false);
            }
        }
        self.parts().for_each(|part| tell_done(self.window, part.name));
        Ok(true)
    }

    /// Waits until the operation is complete locally, and gives its buffer back (`MPI_Wait`, MPI-4.1 §3.7.3): a put may
    /// still be on its way to the target; what a get brought is there.
    ///
    /// # Errors
    /// The target is lost; the buffer is gone then.
    #[track_caller]
    pub fn wait(self) -> Result<B> {
        self.wait_at(Location::caller())
    }

    fn wait_at(self, place: Place) -> Result<B> {
        let name = self.first.and_then(|part| part.name);
        let call = waiting(self.window, name, place);
        for part in self.parts() {
            self.window.complete(part.ticket, place)?;
        }
        self.parts().for_each(|part| tell_done(self.window, part.name));
        drop(call);
        let mut this = std::mem::ManuallyDrop::new(self);
        // Nothing else of it has a destructor.
        drop(std::mem::take(&mut this.others));
        // SAFETY: the buffer is initialised from `new` on and is taken out here once, for `this` is not dropped; the
        // operation does not touch it any more.
        Ok(unsafe { this.buffer.assume_init_read() })
    }
}

/// `request.await` is [`Request::wait`] that lets an executor do other things meanwhile.
impl<B: Keep> IntoFuture for Request<'_, B> {
    type Output = Result<B>;
    type IntoFuture = Awaited<Self>;

    #[track_caller]
    fn into_future(self) -> Awaited<Self> {
        Awaited::new(self)
    }
}

impl<B: Keep> Awaitable for Request<'_, B> {
    type Output = B;

    fn ask(&self, asked: &mut Asked) -> Result<bool> {
        let place = Some(asked.place());
        let wait = || self.window.waiting(COMPLETION, place, []);
        asked.ask(self.window.core(), &wait, &mut || self.test())
    }

    fn take(self, place: Place) -> Result<B> {
        self.wait_at(place)
    }
}

impl<B: Keep> Drop for Request<'_, B> {
    fn drop(&mut self) {
        if let Some(watch) = &self.window.watch {
            // Its buffer is about to go.
            self.parts()
                .filter_map(|part| part.name)
                .for_each(|name| watch.forget(name));
        }
        // After an error too: whoever completes the window learns it, and the buffers go then.
        let is_done = |part: Part| matches!(self.window.is_complete(part.ticket), Ok(true));
        if self.parts().all(is_done) {
            // SAFETY: initialised from `new` on, complete, and not used any more.
            unsafe { self.buffer.assume_init_drop() };
            return;
        }
        // SAFETY: initialised from `new` on, and not used any more.
        if let Some(buffer) = unsafe { B::keep(self.buffer.as_mut_ptr()) } {
            self.window.adopt(buffer);
        }
    }
}

/// A value that is being fetched. See [`Epoch::fetch`](crate::Epoch::fetch).
#[must_use = "the value is lost"]
pub struct Fetched<'scope, T: Element> {
    window: &'scope WindowCore,
    value: Value<T>,
}

enum Value<T> {
    /// It was fetched when the call returned.
    Here(T),
    /// It comes into the second word of the cell.
    Coming(Slot, Ticket, Option<RequestId>),
}

impl<'scope, T: Element> Fetched<'scope, T> {
    #[inline]
    pub(crate) fn here(window: &'scope WindowCore, value: T) -> Self {
        let value = Value::Here(value);
        Self { window, value }
    }

    pub(crate) fn coming(
        window: &'scope WindowCore,
        slot: Slot,
        ticket: Ticket,
        name: Option<RequestId>,
    ) -> Self {
        let value = Value::Coming(slot, ticket, name);
        Self { window, value }
    }

    /// Whether the value is here.
    ///
    /// # Errors
    /// The target is lost.
    pub fn test(&self) -> Result<bool> {
        match self.value {
            Value::Here(_) => Ok(true),
            Value::Coming(_, ticket, name) => {
                let done = self.window.is_complete(ticket)?;
                if done {
                    tell_done(self.window, name);
                }
                Ok(done)
            }
        }
    }

    /// Waits for the value.
    ///
    /// # Errors
    /// The target is lost.
    #[inline]
    #[track_caller]
    pub fn wait(self) -> Result<T> {
        match self.value {
            Value::Here(value) => Ok(value),
            Value::Coming(slot, ticket, name) => self.wait_for(slot, ticket, name, Location::caller()),
        }
    }

    fn wait_for(&self, slot: Slot, ticket: Ticket, name: Option<RequestId>, place: Place) -> Result<T> {
        let call = waiting(self.window, name, place);
        self.window.complete(ticket, place)?;
        tell_done(self.window, name);
        drop(call);
        let cell = self.window.pending.pool.place(slot);
        // SAFETY: the cell is ours until the drop of `self`, has four words, and the operation is complete.
        Ok(unsafe { cell.add(1).cast::<T>().read() })
    }
}

/// `fetched.await` is [`Fetched::wait`] that lets an executor do other things meanwhile.
impl<T: Element> IntoFuture for Fetched<'_, T> {
    type Output = Result<T>;
    type IntoFuture = Awaited<Self>;

    #[track_caller]
    fn into_future(self) -> Awaited<Self> {
        Awaited::new(self)
    }
}

impl<T: Element> Awaitable for Fetched<'_, T> {
    type Output = T;

    fn ask(&self, asked: &mut Asked) -> Result<bool> {
        let place = Some(asked.place());
        let wait = || self.window.waiting(COMPLETION, place, []);
        asked.ask(self.window.core(), &wait, &mut || self.test())
    }

    fn take(self, place: Place) -> Result<T> {
        match self.value {
            Value::Here(value) => Ok(value),
            Value::Coming(slot, ticket, name) => self.wait_for(slot, ticket, name, place),
        }
    }
}

impl<T: Element> Drop for Fetched<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if let Value::Coming(slot, ticket, name) = self.value {
            if let (Some(watch), Some(name)) = (&self.window.watch, name) {
                // The cell is about to be another's.
                watch.forget(name);
            }
            give_back(self.window, slot, ticket);
        }
    }
}

/// Gives back the cell of a value that nobody waits for any more.
fn give_back(window: &WindowCore, slot: Slot, ticket: Ticket) {
    if let Ok(true) = window.is_complete(ticket) {
        window.pending.pool.give_back(slot);
    } else {
        let _ = window.pending.pool.leave(slot);
    }
}

/// A wait of the program's begins, if somebody watches.
fn waiting(window: &WindowCore, name: Option<RequestId>, place: Place) -> Option<Guard<'_>> {
    name?;
    window.call(place, |_| Call::Completion { name: "wait".into() })
}

/// The program knows that a request is complete.
fn tell_done(window: &WindowCore, name: Option<RequestId>) {
    if let (Some(watch), Some(name)) = (&window.watch, name) {
        watch.request_done(name);
    }
}
