//! Operations with requests of their own, until those complete (MPI-4.1 §12.3.5).

use super::pending::{Fetch, Range};
use super::window::Window;
use crate::recorder::record;
use farside_events::{EventKind, RequestId};

/// Origin, result and compare buffer; empty where there is none.
pub(super) type Ranges = [Range; 3];

/// An operation with a request, which decides its local completion.
pub(super) struct InFlight {
    request: RequestId,
    ranges: Ranges,
    fetch: Option<Fetch>,
}

impl InFlight {
    /// Starts to watch the buffers. Without a request they are left to the window; then there is no value.
    pub(super) fn new(
        window: &Window,
        rank: i32,
        ranges: Ranges,
        fetch: Option<Fetch>,
        request: Option<RequestId>,
    ) -> Option<Self> {
        if let Some(request) = request {
            for range in &ranges {
                super::buffer::watch(range.0, range.1);
            }
            return Some(Self {
                request,
                ranges,
                fetch,
            });
        }
        if ranges.iter().any(|range| range.1 > 0) {
            let mut pending = window.pending();
            for range in ranges {
                pending.add_buffer(rank, range);
            }
            if let Some(fetch) = fetch {
                pending.add_fetch(rank, fetch);
            }
        }
        None
    }

    /// The request completed.
    pub(super) fn complete(self) {
        if let Some(fetch) = self.fetch {
            fetch.report();
        }
        record(EventKind::OperationRequestDone {
            request: self.request,
        });
        self.end();
    }

    /// Its buffers are no longer in use.
    pub(super) fn end(self) {
        for range in &self.ranges {
            super::buffer::unwatch(range.0, range.1);
        }
    }
}
