//! The life of a request (MPI-4.1 §3.7, §3.9).
//!
//! A request for one communication is active until it is complete, and then is no more. A persistent one is inactive
//! when it is made and whenever it is complete, and active after every start.

/// A request: `T` is what each start of a persistent one begins, `A` what is under way.
#[derive(Clone, Debug)]
pub struct Request<T, A> {
    template: Option<T>,
    active: Option<A>,
    cancelled: bool,
}

impl<T, A> Request<T, A> {
    /// A request for what has begun.
    pub const fn active(active: A) -> Self {
        Self {
            template: None,
            active: Some(active),
            cancelled: false,
        }
    }

    /// A persistent request, inactive.
    pub const fn persistent(template: T) -> Self {
        Self {
            template: Some(template),
            active: None,
            cancelled: false,
        }
    }

    /// What a start begins; `None` for one that is not persistent.
    pub const fn template(&self) -> Option<&T> {
        self.template.as_ref()
    }

    /// What is under way; `None` if it is inactive.
    pub const fn under_way(&self) -> Option<&A> {
        self.active.as_ref()
    }

    /// A persistent request is started.
    pub fn start(&mut self, active: A) {
        self.active = Some(active);
    }

    /// What it stands for is to be cancelled, which its status will tell.
    pub const fn cancel(&mut self) {
        self.cancelled = true;
    }

    /// Whether it is to be cancelled.
    pub const fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// It is complete: what was under way, and whether that was to be cancelled.
    pub fn complete(&mut self) -> Option<(A, bool)> {
        let cancelled = std::mem::replace(&mut self.cancelled, false);
        self.active.take().map(|active| (active, cancelled))
    }

    /// Whether it can be used again once it is complete.
    pub const fn is_persistent(&self) -> bool {
        self.template.is_some()
    }
}
