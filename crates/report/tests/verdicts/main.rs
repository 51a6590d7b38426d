//! The renderers, on hand-made reports.

mod reports;

mod forms;
