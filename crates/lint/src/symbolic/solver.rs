//! Who decides whether there are inputs.

/// A solver of SMT-LIB 2 (bit vectors without quantifiers).
pub trait Solver {
    /// Gives it these commands; what it says to them. `None`: it is gone.
    fn ask(&mut self, commands: &str) -> Option<String>;
}

/// Starts a solver, when there is something to ask; `None` if none is installed.
pub type StartSolver = fn() -> Option<Box<dyn Solver>>;
