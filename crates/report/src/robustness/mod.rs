//! Whether PGAS programs are robust. The words are those of paper 003: a computation is a sequence of events, a
//! happens-before cycle goes over program order, conflicts and identity.
//!
//! | file | what it holds |
//! |---|---|
//! | `words` | a cycle edge by edge, in words |
//! | `picture` | where everything of a computation stands: a column a process, a row an event |
//! | `steps` | a computation event by event |
//! | the others | a form each |

pub mod dot;
pub mod html;
pub mod json;
mod picture;
mod sentence;
pub mod steps;
pub mod svg;
pub mod text;
mod words;
