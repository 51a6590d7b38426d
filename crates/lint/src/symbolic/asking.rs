//! Speaking with a solver: what it was asked before is not asked again.

use super::solver::Solver;
use rustc_hash::FxHashMap as HashMap;

/// What z3 may spend on an answer, in units of its own: a tenth of a second or two on the machine at hand, and the same
/// answers on every machine.
const EFFORT: u32 = 250_000;

/// After a question of which it said nothing it may spend half of that on the next ones, down to this; after an answer
/// twice as much again. Questions of one program are alike, and what is not answered takes most of the time.
const LEAST_EFFORT: u32 = EFFORT / 16;

/// How z3 is asked: by its SMT core. The solver that it takes for bit vectors alone needs three to five times as long
/// for products and quotients of inputs, and answers fewer of them (121 questions of whole applications: 98 of them in
/// 2.4 s, where that one answers 79 in 11 s).
const CHECK: &str = "(check-sat-using smt)";

/// Of a question on which it spent no more, it keeps little. After another one it is told to forget all, which takes
/// as long as many a question: what it keeps then would cost the next ones more.
const LITTLE: u64 = 5_000;

/// After so many questions of which it says nothing it is asked no more: products of inputs are what it cannot do, and
/// a program that has some has many.
const IN_VAIN: u32 = 24;

/// What a solver said, by what it was asked. The same conditions are met with every number of processes.
#[derive(Debug)]
pub(crate) struct Said {
    verdicts: HashMap<String, Verdict>,
    /// What the solver has spent so far, if it knows its limits and has little to forget.
    spent: Option<u64>,
    /// What it may spend on an answer.
    effort: u32,
    /// How often it said nothing.
    in_vain: u32,
}

impl Default for Said {
    fn default() -> Self {
        Self {
            verdicts: HashMap::default(),
            spent: None,
            effort: EFFORT,
            in_vain: 0,
        }
    }
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

impl Said {
    /// What is said of a script, with the values of the wanted variables; `None`: the solver is gone.
    pub(super) fn check(&mut self, solver: &mut dyn Solver, script: &str, wanted: &str) -> Option<Verdict> {
        let key = format!("{script}{wanted}");
        if let Some(known) = self.verdicts.get(&key) {
            return Some(known.clone());
        }
        if self.in_vain >= IN_VAIN {
            return Some(Verdict::Unknown);
        }
        let before = match self.spent {
            Some(spent) => spent,
            None => self.begin(solver)?,
        };
        let said = solver.ask(&format!("(push)\n{script}{CHECK}\n"))?;
        let verdict = match said.trim() {
            "sat" => Verdict::Satisfied(solver.ask(wanted)?),
            "unsat" => Verdict::Excluded,
            _ => {
                self.in_vain += 1;
                Verdict::Unknown
            }
        };
        let spent = spent(&solver.ask("(pop)\n(get-info :rlimit)\n")?);
        self.effort = match verdict {
            Verdict::Unknown => (self.effort / 2).max(LEAST_EFFORT),
            _ => (2 * self.effort).min(EFFORT),
        };
        self.spent = spent.filter(|spent| spent.saturating_sub(before) <= LITTLE);
        self.verdicts.insert(key, verdict.clone());
        Some(verdict)
    }

    /// The solver forgets all, and knows its limits; what it has spent so far.
    fn begin(&self, solver: &mut dyn Solver) -> Option<u64> {
        let effort = self.effort;
        // Told that there are only bit vectors, z3 takes half the time.
        let said = solver.ask(&format!(
            "(reset)\n(set-option :timeout 1000)\n(set-option :rlimit {effort})\n(set-logic QF_BV)\n\
             (get-info :rlimit)\n"
        ))?;
        Some(spent(&said).unwrap_or(0))
    }
}

/// What a solver says that it has spent: `(:rlimit 1234)`.
fn spent(said: &str) -> Option<u64> {
    let (_, number) = said.trim().trim_end_matches(')').rsplit_once(' ')?;
    number.parse().ok()
}
