//! `farside check` from the outside, on prepared recordings: exit statuses, reports, faults, clean-up.

mod faults;
mod jobs;
mod signals;
mod stage;
mod verdicts;
