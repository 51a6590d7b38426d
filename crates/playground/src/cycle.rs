//! The test of a cycle of edges.

use crate::mistake::Refusal;
use farside_forge::cycle::{Cycle, Targets};

/// The test that asks for the cycle, as text.
pub(crate) fn test(edges: &str, apart: bool) -> Result<String, Refusal> {
    let targets = if apart { Targets::Apart } else { Targets::One };
    let cycle: Result<Cycle, _> = edges.parse();
    let cycle = cycle.map_err(|error| Refusal::Fault(error.to_string()))?;
    Ok(farside_litmus::print(&cycle.program(targets)))
}
