//! The design: its place among the others, and the service while it is chosen.

use super::Deferred;
use crate::Result;
use crate::endpoint::{Core, Serve};
use crate::fence::way::Way;
use crate::fence::{Fence, FenceDesign, Next};
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use std::rc::Rc;

/// See the module.
pub(crate) struct Def {
    deferred: Rc<Deferred>,
    /// Some rank reaches the memory of another one by itself: around the queue.
    is_mapped: bool,
    /// Lives as long as the design.
    _service: Rc<dyn Serve>,
}

impl Def {
    pub(crate) fn new(window: &WindowCore) -> Self {
        let deferred = match window.record.deferred() {
            Some(earlier) => earlier,
            None => Rc::new(Deferred::new(window)),
        };
        window.record.set_deferred(&deferred);
        let service: Rc<dyn Serve> = Rc::new(Serving(Rc::clone(&deferred)));
        window.core().serve_with(&service);
        // Those of a node do, if any do: all ranks of the group come to the same answer.
        let is_mapped = window.fabric().capabilities().mapped || window.group.shares_nodes();
        Self {
            deferred,
            is_mapped,
            _service: service,
        }
    }
}

impl FenceDesign for Def {
    fn fence(&self) -> Fence {
        Fence::Deferred
    }

    fn way(&self) -> Way {
        Way::Deferred
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        if self.is_mapped {
            window.meet(meeting)?;
        }
        self.deferred.epoch.set(self.deferred.epoch.get() + 1);
        Ok(())
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        window.record.take();
        // Notified puts, which are not queued.
        if window.record.take_unsignalled() {
            window.fabric().flush(window.scope, None)?;
        }
        let result = self.deferred.complete();
        if result.is_err() {
            self.deferred.abandon();
        }
        window.pending.completed_everywhere();
        result?;
        Ok(Next::ToBegin)
    }
}

/// Serves while the design is chosen.
struct Serving(Rc<Deferred>);

impl Serve for Serving {
    fn serve(&self, core: &Core) -> Result<()> {
        self.0.serve(core)
    }
}
