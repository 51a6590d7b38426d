//! The suite that every transport passes.
//!
//! Each check is a function that all ranks of a job call, each with its own endpoint. How ranks are run, as threads
//! or as processes, is the caller's affair.
