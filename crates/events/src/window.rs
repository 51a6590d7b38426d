//! Windows (MPI-4.1 §12.2).

use crate::{CommId, Interface, Rank, StackId, WinId};
use serde::{Deserialize, Serialize};

/// How a window came to be (MPI-4.1 §12.2, `MPI_WIN_CREATE_FLAVOR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WindowFlavor {
    /// `MPI_Win_create` (§12.2.1).
    Create,
    /// `MPI_Win_allocate` (§12.2.2).
    Allocate,
    /// `MPI_Win_allocate_shared` (§12.2.3).
    Shared,
    /// `MPI_Win_create_dynamic` (§12.2.4).
    Dynamic,
}

/// The `accumulate_ops` info key (MPI-4.1 §12.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccumulateOps {
    /// All concurrent accumulates to one location use the same operator, or `MPI_NO_OP`. The standard's default.
    SameOpNoOp,
    /// All concurrent accumulates to one location use the same operator.
    SameOp,
    /// The user asked for something else: no assumption.
    Any,
}

/// The `accumulate_ordering` info key (MPI-4.1 §12.7.2): whether accumulates of one origin to the same elements take
/// effect in the order of their calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccumulateOrdering {
    /// All four orders hold: `rar,raw,war,waw`. The standard's default.
    Strict,
    /// At least one of them was given up. Which one is not told apart.
    Relaxed,
}

/// What an info object says of a window's accumulates; nothing where a key is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccumulateHints {
    /// `accumulate_ops`.
    pub ops: Option<AccumulateOps>,
    /// `accumulate_ordering`.
    pub ordering: Option<AccumulateOrdering>,
}

impl AccumulateHints {
    /// Operations are atomic to one another whatever they do, and in no order: as in OpenSHMEM (1.5 §3.2) and GASPI
    /// (17.1 §10).
    pub const ANY_UNORDERED: Self = Self {
        ops: Some(AccumulateOps::Any),
        ordering: Some(AccumulateOrdering::Relaxed),
    };

    /// Reads both keys by a function that gives a key's value.
    pub fn of_info(mut value: impl FnMut(&str) -> Option<String>) -> Self {
        let ops = value("accumulate_ops").map(|value| match value.as_str() {
            "same_op_no_op" => AccumulateOps::SameOpNoOp,
            "same_op" => AccumulateOps::SameOp,
            _ => AccumulateOps::Any,
        });
        let ordering = value("accumulate_ordering").map(|value| {
            let has = |order| value.split(',').any(|word| word.trim() == order);
            match ["rar", "raw", "war", "waw"].into_iter().all(has) {
                true => AccumulateOrdering::Strict,
                false => AccumulateOrdering::Relaxed,
            }
        });
        Self { ops, ordering }
    }

    /// Takes over what newer hints say (`MPI_Win_set_info`).
    pub fn update(&mut self, newer: Self) {
        self.ops = newer.ops.or(self.ops);
        self.ordering = newer.ordering.or(self.ordering);
    }

    /// The operators that may meet.
    pub fn ops(self) -> AccumulateOps {
        self.ops.unwrap_or(AccumulateOps::SameOpNoOp)
    }

    /// Whether accumulates of one origin take effect in the order of their calls.
    pub fn ordered(self) -> bool {
        self.ordering != Some(AccumulateOrdering::Relaxed)
    }
}

/// What an info object promises of a window (MPI-4.1 §12.2.1), other than for accumulates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowPromises {
    /// `no_locks`: nobody locks it. `None` if the info says nothing of it.
    pub no_locks: Option<bool>,
    /// `same_disp_unit`: all processes give the same unit.
    pub same_disp_unit: Option<bool>,
}

impl WindowPromises {
    /// Reads the keys by a function that gives a key's value.
    pub fn of_info(mut value: impl FnMut(&str) -> Option<String>) -> Self {
        let mut said = |key: &str| value(key).map(|value| value == "true");
        Self {
            no_locks: said("no_locks"),
            same_disp_unit: said("same_disp_unit"),
        }
    }

    /// Takes over what a newer info says (`MPI_Win_set_info`, MPI-4.1 §12.2.7).
    pub fn update(&mut self, newer: Self) {
        self.no_locks = newer.no_locks.or(self.no_locks);
        self.same_disp_unit = newer.same_disp_unit.or(self.same_disp_unit);
    }

    /// Whether it is promised that nobody locks the window.
    pub fn no_locks(self) -> bool {
        self.no_locks == Some(true)
    }

    /// Whether it is promised that all units are the same.
    pub fn same_disp_unit(self) -> bool {
        self.same_disp_unit == Some(true)
    }
}

/// A window as one process of its group sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// The window, equal on all processes of the group.
    pub id: WinId,
    /// Whose calls it is used by.
    pub interface: Interface,
    /// The communicator that it was created on.
    pub comm: CommId,
    /// How it was created.
    pub flavor: WindowFlavor,
    /// Address of this process' part; 0 for dynamic windows.
    pub base: u64,
    /// Bytes of this process' part; 0 for dynamic windows.
    pub size: u64,
    /// This process' `disp_unit`, in bytes; 1 for dynamic windows.
    pub disp_unit: u32,
    /// What its info says of accumulates.
    pub accumulates: AccumulateHints,
    /// For shared windows: where the parts of all processes lie in this process' address space.
    pub shared: Vec<SharedSegment>,
    /// Where it was created.
    pub stack: StackId,
    /// Where its handle was put, if the process knows that.
    pub handle: Option<HandlePlace>,
}

/// Where the handle of a window lies: what finds the variable that holds it, by the debug information of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandlePlace {
    /// Its address.
    pub address: u64,
    /// The frame that it lies in, if it lies on the stack of the call that made the window.
    pub frame: Option<StackFrame>,
}

/// A frame of a call stack, while it makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    /// Where the call returns to.
    pub return_address: u64,
    /// The stack pointer at the call.
    pub stack_pointer: u64,
    /// The stack pointer before the frame's own function was called (DWARF 5, §6.4: the canonical frame address).
    pub canonical: u64,
}

/// The part of one process of a shared window, as mapped in the process that the event comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedSegment {
    /// Whose part this is.
    pub owner: Rank,
    /// Its address here.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> AccumulateHints {
        AccumulateHints::of_info(|key| {
            let found = pairs.iter().find(|(known, _)| *known == key);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn an_info_promises_what_it_says_is_true() {
        let of = |pairs: &[(&str, &str)]| {
            WindowPromises::of_info(|key| {
                let found = pairs.iter().find(|(other, _)| *other == key);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let mut promises = of(&[("no_locks", "true")]);
        assert!(promises.no_locks() && !promises.same_disp_unit());
        promises.update(of(&[("same_disp_unit", "true"), ("same_size", "true")]));
        assert!(promises.no_locks() && promises.same_disp_unit());
        promises.update(of(&[("no_locks", "false")]));
        assert!(!promises.no_locks() && promises.same_disp_unit());
        assert_eq!(of(&[("same_size", "true")]), WindowPromises::default());
    }

    #[test]
    fn keys_that_are_not_there_leave_the_defaults() {
        let none = of(&[("no_locks", "true")]);
        assert_eq!(none, AccumulateHints::default());
        assert_eq!((none.ops(), none.ordered()), (AccumulateOps::SameOpNoOp, true));
    }

    #[test]
    fn an_order_that_is_left_out_is_given_up() {
        assert!(of(&[("accumulate_ordering", "waw, war,rar,raw")]).ordered());
        assert!(!of(&[("accumulate_ordering", "rar,waw")]).ordered());
        assert!(!of(&[("accumulate_ordering", "none")]).ordered());
    }

    #[test]
    fn newer_hints_change_what_they_say_only() {
        let mut hints = of(&[("accumulate_ops", "same_op"), ("accumulate_ordering", "none")]);
        hints.update(of(&[("accumulate_ops", "same_op_no_op")]));
        assert_eq!((hints.ops(), hints.ordered()), (AccumulateOps::SameOpNoOp, false));
    }
}
