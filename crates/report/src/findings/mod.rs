//! Findings of `check` and `lint`.
//!
//! | file | what it holds |
//! |---|---|
//! | `text`, `json`, `sarif`, `html` | a form each |
//! | `phrases` | the sentences that the forms for people share |
//! | `sources` | where source lines come from |

pub mod html;
pub mod json;
mod phrases;
pub mod sarif;
mod sources;
pub mod text;

pub use sources::{Sources, no_sources};
