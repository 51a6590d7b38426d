//! Speaking with a solver: what it was asked before is not asked again.

use super::solver::Solver;
use std::collections::HashMap;

/// What a solver said, by what it was asked. The same conditions are met with every number of processes.
#[derive(Debug, Default)]
pub(crate) struct Said {
    verdicts: HashMap<String, Verdict>,
}

/// What it says of a question within bounds.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// It is so with these values of the variables.
    Satisfied(String),
    /// It cannot be so.
    Excluded,
    /// It does not say.
    Unknown,
}

/// A question, of which several bounds are asked.
pub(super) struct Asking<'s> {
    solver: &'s mut dyn Solver,
    said: &'s mut Said,
    script: String,
    is_told: bool,
}

impl<'s> Asking<'s> {
    /// A question that a script tells.
    pub(super) fn of(solver: &'s mut dyn Solver, said: &'s mut Said, script: String) -> Self {
        Self {
            solver,
            said,
            script,
            is_told: false,
        }
    }

    /// What is said within these limits, with the values of the wanted variables; `None`: the solver is gone.
    pub(super) fn check(&mut self, limits: &str, wanted: &str) -> Option<Verdict> {
        let key = format!("{}{limits}{wanted}", self.script);
        if let Some(known) = self.said.verdicts.get(&key) {
            return Some(known.clone());
        }
        if !self.is_told {
            self.solver.ask(&self.script)?;
            self.is_told = true;
        }
        let said = self.solver.ask(&format!("(push)\n{limits}(check-sat)\n"))?;
        let verdict = match said.trim() {
            "sat" => Verdict::Satisfied(self.solver.ask(wanted)?),
            "unsat" => Verdict::Excluded,
            _ => Verdict::Unknown,
        };
        self.solver.ask("(pop)\n")?;
        self.said.verdicts.insert(key, verdict.clone());
        Some(verdict)
    }
}
