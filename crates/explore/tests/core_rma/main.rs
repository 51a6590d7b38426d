//! The engines for coreRMA: against the paper's programs, against each other, a test a rule.

mod agree;
mod explanations;
mod gaspi;
mod limits;
mod paper;
mod rules;
mod text;
