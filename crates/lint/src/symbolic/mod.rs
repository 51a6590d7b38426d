//! Inputs as symbols: what a simulation computed from them, and which other inputs go another way.
//!
//! A simulation of *answers* is concrete, as any other one: each input has a value. Besides, it writes down what
//! unknown values are made of ([`Terms`]) and how the conditions on them were decided. A solver is asked for answers by
//! which one of these conditions goes the other way, with those before it as they were ([`Question`]); its model makes
//! the answers of another simulation. Before, small numbers are tried (`nearby`).
//!
//! Source: concolic execution with generational search (Godefroid, Levin, Molnar 2008, SAGE, §2). Promise: answers are
//! nothing but inputs. What they lead to is found by a simulation of exactly these, so that an imprecise term costs a
//! simulation, and never makes a false finding.
//!
//! Limits: numbers are bit vectors of their width; what a number was before it was widened without its sign is taken to
//! be what it is with it. Real numbers, single characters of texts, and memory at addresses that depend on an input are
//! no terms: they are as the answers at hand make them.

mod answers;
mod asking;
mod halving;
mod input;
mod model;
mod nearby;
mod question;
mod range;
mod slice;
mod smt;
mod solver;
mod steps;
mod terms;

pub(crate) use answers::{Answer, Answers};
pub(crate) use asking::Said;
pub(crate) use input::{Condition, Input, List};
pub(crate) use question::Question;
pub use solver::{Solver, StartSolver};
pub(crate) use terms::{Shape, Terms};
