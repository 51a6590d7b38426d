//! Constants of the header that the program was compiled with. The standard gives them names, no values (OpenSHMEM 1.5
//! §6).

use crate::caller::Caller;
use farside_events::Comparison;

/// A variable that holds them in the program's module, where the compiler was asked for them: `int`s, in the order of
/// [`Constants`].
pub(super) const HOLDER: &str = "farside_shmem_constants";

/// The constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    /// `SHMEM_CMP_EQ`, `_NE`, `_GT`, `_GE`, `_LT`, `_LE`.
    comparisons: [i32; 6],
    /// `SHMEM_SIGNAL_SET`.
    set: i32,
}

/// Those of Open MPI's header.
impl Default for Constants {
    fn default() -> Self {
        Self {
            comparisons: [0, 1, 2, 5, 4, 3],
            set: 0,
        }
    }
}

impl Constants {
    /// Those of a program.
    pub(super) fn of(caller: &Caller<'_>) -> Self {
        let Some(holder) = caller.globals().address(caller.module(), HOLDER) else {
            return Self::default();
        };
        let constant = |place: u64| caller.int_at(holder + 4 * place);
        Self {
            comparisons: [0, 1, 2, 3, 4, 5].map(constant),
            set: constant(6),
        }
    }

    /// How an operator compares two values; `None` if there is no such operator.
    pub(super) fn comparison(&self, operator: i32) -> Option<Comparison> {
        let which = self.comparisons.iter().position(|known| *known == operator)?;
        Some(Comparison::ALL[which])
    }

    /// Whether a signal is set by this operator, and not added to.
    pub(super) fn sets(&self, operator: i32) -> bool {
        operator == self.set
    }
}
