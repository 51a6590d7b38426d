//! What a suggestion that helps changes, and what it is told after.

use super::Help;
use super::exclusions::is_of_threads;
use crate::Costs;
use crate::edit::{Edit, Way};
use crate::spots::Spot;
use farside_events::CallKind;
use farside_findings::Action;
use farside_race::{Code, Name};

impl Help {
    /// Whether the statement that makes an access is moved, or an operation.
    pub(super) fn moves_an_access(&self) -> bool {
        of_access(&self.ways) == Some(true)
    }

    /// Whether a call is moved in which all processes meet.
    pub(super) fn moves_a_meeting(&self) -> bool {
        let name = self.suggestion.at.as_ref().map(|at| &at.name);
        let meets = match name {
            Some(Name::Text(text)) => Costs::is_meeting(text),
            Some(Name::Call(kind) | Name::CallOf(_, kind)) => *kind == CallKind::Fence,
            _ => false,
        };
        self.suggestion.action == Action::Move && meets
    }

    /// Whether a call is added in which all processes meet.
    pub(super) fn adds_a_meeting(&self) -> bool {
        let meets = |code: &Code| matches!(code, Code::Barrier | Code::Meet | Code::Fence);
        self.suggestion.action == Action::Insert && self.suggestion.code.iter().any(meets)
    }

    /// Whether calls are added that complete what was issued, and in which nobody meets.
    pub(super) fn only_completes(&self) -> bool {
        let completes =
            |code: &Code| matches!(code, Code::Flush { .. } | Code::Order(_) | Code::WaitForRequest);
        let codes = &self.suggestion.code;
        self.suggestion.action == Action::Insert && !codes.is_empty() && codes.iter().all(completes)
    }

    /// What it is told after, whatever that costs: words come after code, and without a call the program does less.
    pub(super) fn rank(&self) -> u8 {
        let suggestion = &self.suggestion;
        match () {
            () if suggestion.is_if_meant() => 3,
            () if suggestion.action == Action::Remove => 2,
            () if suggestion.code.is_empty() || suggestion.notes.iter().any(is_of_threads) => 1,
            () => 0,
        }
    }
}

/// For a statement that is moved, whether it makes an access; `None` for another change.
pub(super) fn of_access(ways: &[Way]) -> Option<bool> {
    match ways.first()?.first()?.as_slice() {
        [Edit::Shift(shift)] => Some(shift.moves_data()),
        _ => None,
    }
}

/// The call that is moved; `None` for another change, also if an access is moved.
pub(super) fn moved_call(ways: &[Way]) -> Option<Spot> {
    match ways.first()?.first()?.as_slice() {
        [Edit::Shift(shift)] if !shift.moves_data() => Some(shift.call()),
        _ => None,
    }
}
