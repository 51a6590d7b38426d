//! What synchronisation costs, to choose the cheapest of the suggestions that help.

use farside_race::{Code, RawSuggestion};

/// Kinds of calls, and what one costs in microseconds: Open MPI 4.1.4 over TCP, two ranks, medians
/// (`farside-bench rma`, bench/results/2026-11-25-vm/rma-table.md). What completes an operation at its origin only is
/// not measured there: a call that does not wait.
const MEASURED: [(Kind, &str, f64); 8] = [
    (Kind::LocalFlush, "local-flush", 0.1),
    (Kind::Flush, "flush", 20.8),
    (Kind::Wait, "wait", 0.1),
    (Kind::Barrier, "barrier", 15.3),
    (Kind::Fence, "fence", 31.4),
    (Kind::Epoch, "epoch", 22.0),
    (Kind::Lock, "lock", 46.0),
    (Kind::Notify, "notify", 20.8),
];

/// What a call does, as far as its cost goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    LocalFlush,
    Flush,
    Wait,
    Barrier,
    Fence,
    Epoch,
    Lock,
    Notify,
}

/// What each kind of call costs, in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs([f64; MEASURED.len()]);

impl Default for Costs {
    fn default() -> Self {
        Self(MEASURED.map(|(_, _, cost)| cost))
    }
}

impl Costs {
    /// The names of the kinds, in the order in which they are told.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MEASURED.iter().map(|(_, name, _)| *name)
    }

    /// A kind of this name costs so much.
    ///
    /// # Errors
    /// There is no such kind, or the cost is no number of microseconds from 0 on: in words.
    pub fn set(&mut self, name: &str, cost: f64) -> Result<(), String> {
        let place = Self::names().position(|known| known == name);
        let names = || Self::names().collect::<Vec<_>>().join(", ");
        let place =
            place.ok_or_else(|| format!("no kind of call is named {name:?}; there are {}", names()))?;
        if !(cost.is_finite() && cost >= 0.0) {
            return Err(format!("{cost} is no number of microseconds"));
        }
        self.0[place] = cost;
        Ok(())
    }

    /// What a suggestion costs each time that its place is passed.
    pub(crate) fn of(&self, suggestion: &RawSuggestion) -> f64 {
        suggestion
            .code
            .iter()
            .filter_map(|code| kind(*code))
            .map(|kind| self.0[kind as usize])
            .sum()
    }
}

/// What kind of call it is; `None`: it costs nothing, or is no call.
pub(crate) fn kind(code: Code) -> Option<Kind> {
    Some(match code {
        Code::Flush { local: true, .. } => Kind::LocalFlush,
        Code::Flush { local: false, .. } | Code::AtomicRead => Kind::Flush,
        Code::WaitForRequest => Kind::Wait,
        Code::Barrier => Kind::Barrier,
        Code::Fence => Kind::Fence,
        Code::Complete | Code::CompleteAndStart | Code::CompleteAndWait | Code::Wait => Kind::Epoch,
        Code::Lock(_) | Code::Unlock(_) | Code::UnlockAll | Code::Kind(_) => Kind::Lock,
        Code::Notify(_) => Kind::Notify,
        Code::Detach | Code::Call(_) | Code::Assertions(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_where_their_costs_do() {
        for (place, (kind, _, _)) in MEASURED.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
    }

    #[test]
    fn what_is_no_cost_is_refused() {
        let mut costs = Costs::default();
        assert_eq!(costs.set("barrier", 7.5), Ok(()));
        assert!(
            costs
                .set("barier", 1.0)
                .is_err_and(|words| words.contains("local-flush, flush"))
        );
        assert!(costs.set("fence", -1.0).is_err() && costs.set("fence", f64::NAN).is_err());
        let barrier = RawSuggestion {
            code: vec![Code::Barrier, Code::Barrier],
            ..RawSuggestion::default()
        };
        assert_eq!(costs.of(&barrier), 15.0);
    }
}
