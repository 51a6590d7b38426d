//! The numbers that this process gives to what it begins.

use super::identity::Counter;
use farside_events::{PostId, RequestId};

static REQUESTS: Counter = Counter::new();
static POSTS: Counter = Counter::new();

/// A fresh request identity.
pub(crate) fn request() -> RequestId {
    RequestId(REQUESTS.next())
}

/// A fresh post identity.
pub(super) fn post() -> PostId {
    PostId(POSTS.next())
}
