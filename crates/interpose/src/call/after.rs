//! What an observer does after its call returned.
//!
//! Calls that programs make by the million keep nothing, or an object that lives anyway: they allocate nothing.

use super::CallView;
use std::sync::Arc;

/// The second part of an observer.
pub(crate) type After = Option<Then>;

/// Something that is done with a call after it returned.
pub(crate) enum Then {
    /// It needs nothing but the call.
    Plain(fn(&mut CallView)),
    /// It is done to an object of this process; with the rank of a target, if the call has one.
    To(Arc<dyn Returned>, Option<i32>),
    /// It has kept something from before the call.
    Other(Box<dyn FnOnce(&mut CallView)>),
}

/// An object of this process that calls are made on.
pub(crate) trait Returned {
    /// A call on it returned.
    fn returned(&self, view: &mut CallView, target: Option<i32>);
}

impl Then {
    /// Something that has kept what it needs.
    pub(crate) fn new(after: impl FnOnce(&mut CallView) + 'static) -> Self {
        Self::Other(Box::new(after))
    }

    /// Does it.
    pub(crate) fn run(self, view: &mut CallView) {
        match self {
            Self::Plain(after) => after(view),
            Self::To(object, target) => object.returned(view, target),
            Self::Other(after) => after(view),
        }
    }
}
