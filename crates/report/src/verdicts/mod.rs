//! Verdicts on litmus tests.
//!
//! | file | what it holds |
//! |---|---|
//! | `text` | a test under a model in the form of the field's simulator |
//! | `matrix` | many tests under many models |
//! | `explanation` | an execution or a refusal in lines |
//! | `picture` | where everything of an execution stands |
//! | the others | a form each |

pub mod dot;
pub mod explanation;
pub mod html;
pub mod json;
pub mod matrix;
mod picture;
pub mod svg;
pub mod text;
