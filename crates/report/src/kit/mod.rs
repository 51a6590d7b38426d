//! What the forms of all reports share.

pub(crate) mod color;
pub(crate) mod dot;
pub(crate) mod json;
pub(crate) mod page;
pub(crate) mod svg;
pub(crate) mod visible;
