//! Verdicts on litmus tests.
//!
//! | file | what it holds |
//! |---|---|
//! | `text` | a test under a model in the form of the field's simulator |
//! | `matrix` | many tests under many models |
//! | `explanation` | an execution or a refusal in lines |
//! | `console` | tests under one model or several, as they are printed for people |
//! | `picture` | where everything of an execution stands |
//! | `steps` | an execution action by action, in the order of its picture |
//! | the others | a form each |

pub mod console;
pub mod dot;
pub mod explanation;
pub mod html;
pub mod json;
pub mod matrix;
mod picture;
pub mod steps;
pub mod svg;
pub mod text;
