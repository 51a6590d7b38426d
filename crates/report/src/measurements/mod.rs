//! What was measured.

mod chart;
pub mod html;
pub mod json;
pub mod text;
