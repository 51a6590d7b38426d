//! Findings of `check` and `lint`.
//!
//! | file | what it holds |
//! |---|---|
//! | `text`, `json`, `sarif`, `html` | a form each |
//! | `fold` | how much of a finding of very many ranks is shown |
//! | `litmus` | the words for litmus tests of findings |
//! | `phrases` | the sentences that the forms for people share |
//! | `suggestions` | suggestions in words |
//! | `any_ranks` | the sentences on any number of ranks |
//! | `superfluous` | the sentences on synchronisation that was not needed |
//! | `sources` | where source lines and repairs come from |

mod any_ranks;
mod fold;
pub mod html;
pub mod json;
mod litmus;
mod marks;
mod phrases;
pub mod sarif;
mod sources;
mod suggestions;
mod superfluous;
pub mod text;

pub use sources::{Repairs, Sources, no_repairs, no_sources};
