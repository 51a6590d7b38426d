//! What happened when litmus tests ran on a target.

pub mod json;
pub mod text;
