//! The rules.

use crate::{Access, Effect, Role, Update};
use farside_events::{AccumulateOp, AccumulateOps};

/// The kind of a conflict between two accesses to overlapping bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// One of them is the use of an operation's own buffer, both by the same process.
    AtOrigin,
    /// Any other conflict in which an RMA operation takes part.
    AtTarget,
    /// Two accumulates that do not agree.
    Accumulates,
    /// Direct accesses of two processes to shared window memory.
    SharedMemory,
}

/// Whether `a` and `b`, which touch a common byte, conflict. Symmetric.
pub fn conflict(a: &Access, b: &Access) -> Option<Conflict> {
    if !a.effect.writes() && !b.effect.writes() {
        return None;
    }
    if is_local(a.role) && is_local(b.role) {
        let atomic = a.role == Role::LocalAtomic && b.role == Role::LocalAtomic;
        return (a.rank != b.rank && !atomic).then_some(Conflict::SharedMemory);
    }
    if let (Effect::Update(x), Effect::Update(y)) = (a.effect, b.effect) {
        let agree = accumulates_agree(&x, &y) && !order_shows(&x, &y);
        return (!agree).then_some(Conflict::Accumulates);
    }
    let at_origin = a.rank == b.rank && (a.role == Role::Origin || b.role == Role::Origin);
    Some(if at_origin {
        Conflict::AtOrigin
    } else {
        Conflict::AtTarget
    })
}

/// Two concurrent accumulates to common bytes are defined if they go through the same window (§12.2.1: concurrent
/// communication to distinct overlapping windows is not), have the same basic type, their elements coincide, and their
/// operators may meet (MPI-4.1 §12.7.1 and the `accumulate_ops` hint, §12.2.1).
pub fn accumulates_agree(x: &Update, y: &Update) -> bool {
    x.win == y.win && x.basic == y.basic && x.size == y.size && x.phase == y.phase && operators_agree(x, y)
}

/// Whether the order of two updates is taken to matter, as one of them reads, or leaves for good, what depends on it.
fn order_shows(x: &Update, y: &Update) -> bool {
    x.order_shows || y.order_shows
}

/// Whether two accumulates of *one* origin take effect in the order of their calls: they do by default, for one basic
/// type (`accumulate_ordering`, MPI-4.1 §12.7.2), and then are not concurrent, so that their operators may differ.
pub fn accumulates_in_order(x: &Update, y: &Update) -> bool {
    let same = x.win == y.win && x.basic == y.basic && x.size == y.size && x.phase == y.phase;
    same && x.ordered && y.ordered
}

/// The `accumulate_ops` hint: by default all concurrent accumulates to a location use the same operator or
/// `MPI_NO_OP`. If the processes gave different hints, the stricter one holds.
pub fn operators_agree(x: &Update, y: &Update) -> bool {
    let (Some(left), Some(right)) = (x.operator, y.operator) else {
        return true;
    };
    if left == right {
        return true;
    }
    let no_op = left == AccumulateOp::NoOp || right == AccumulateOp::NoOp;
    match strictest(x.hint, y.hint) {
        AccumulateOps::Any => true,
        AccumulateOps::SameOpNoOp => no_op,
        AccumulateOps::SameOp => false,
    }
}

fn strictest(x: AccumulateOps, y: AccumulateOps) -> AccumulateOps {
    match (x, y) {
        (AccumulateOps::SameOp, _) | (_, AccumulateOps::SameOp) => AccumulateOps::SameOp,
        (AccumulateOps::SameOpNoOp, _) | (_, AccumulateOps::SameOpNoOp) => AccumulateOps::SameOpNoOp,
        (AccumulateOps::Any, AccumulateOps::Any) => AccumulateOps::Any,
    }
}

fn is_local(role: Role) -> bool {
    matches!(role, Role::Local | Role::LocalAtomic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::Rank;

    fn access(role: Role, effect: Effect) -> Access {
        Access {
            rank: Rank(0),
            role,
            effect,
            channel: farside_events::ChannelId::DEFAULT,
        }
    }

    fn update(operator: AccumulateOp) -> Update {
        Update {
            win: farside_events::WinId(1),
            basic: 1,
            size: 4,
            phase: 0,
            operator: Some(operator),
            hint: AccumulateOps::SameOpNoOp,
            ordered: true,
            order_shows: false,
        }
    }

    /// Ait Kaci 2022, Table 3.1, read from the paper; rows and columns: origin get, origin put, target get, target
    /// put, load, store. `x` conflict, `.` permitted, `-` not judged.
    #[test]
    fn table_3_1() {
        let kinds = [
            access(Role::Origin, Effect::Write),
            access(Role::Origin, Effect::Read),
            access(Role::Target, Effect::Read),
            access(Role::Target, Effect::Write),
            access(Role::Local, Effect::Read),
            access(Role::Local, Effect::Write),
        ];
        let table = ["xxxxxx", "x..x.x", "x..x.x", "xxxxxx", "x..x--", "xxxx--"];
        for (row, a) in table.iter().zip(&kinds) {
            for (cell, b) in row.chars().zip(&kinds) {
                assert_eq!(conflict(a, b).is_some(), cell == 'x', "{a:?} against {b:?}");
                assert_eq!(conflict(a, b), conflict(b, a));
            }
        }
    }

    #[test]
    fn accumulates() {
        let sum = update(AccumulateOp::Sum);
        assert!(accumulates_agree(&sum, &sum));
        assert!(accumulates_agree(&sum, &update(AccumulateOp::NoOp)));
        assert!(!accumulates_agree(&sum, &update(AccumulateOp::Replace)));
        assert!(!accumulates_agree(&sum, &Update { basic: 2, ..sum }));
        assert!(!accumulates_agree(&sum, &Update { phase: 1, ..sum }));
        assert!(!accumulates_agree(
            &sum,
            &Update {
                win: farside_events::WinId(2),
                ..sum
            }
        ));
        assert!(accumulates_agree(
            &sum,
            &Update {
                operator: None,
                ..sum
            }
        ));
        let same = Update {
            hint: AccumulateOps::SameOp,
            ..sum
        };
        assert!(!accumulates_agree(&same, &update(AccumulateOp::NoOp)));
        let any = Update {
            hint: AccumulateOps::Any,
            ..sum
        };
        assert!(accumulates_agree(
            &any,
            &Update {
                operator: Some(AccumulateOp::Replace),
                ..any
            }
        ));
    }

    #[test]
    fn an_accumulate_conflicts_with_everything_else_that_meets_it() {
        let sum = access(Role::Target, Effect::Update(update(AccumulateOp::Sum)));
        for effect in [Effect::Read, Effect::Write] {
            for role in [Role::Local, Role::LocalAtomic, Role::Origin, Role::Target] {
                assert!(conflict(&sum, &access(role, effect)).is_some());
            }
        }
        let fetch = access(Role::Target, Effect::Update(update(AccumulateOp::NoOp)));
        assert!(conflict(&fetch, &access(Role::Target, Effect::Read)).is_none());
        assert!(conflict(&fetch, &access(Role::Target, Effect::Write)).is_some());
    }

    #[test]
    fn updates_whose_order_shows_conflict_unless_both_only_read() {
        let of = |operator, order_shows| {
            let update = Update {
                order_shows,
                ..update(operator)
            };
            access(Role::Target, Effect::Update(update))
        };
        let (sum, fetch) = (of(AccumulateOp::Sum, false), of(AccumulateOp::NoOp, true));
        assert!(conflict(&sum, &sum).is_none());
        assert!(conflict(&sum, &fetch).is_some());
        assert!(conflict(&fetch, &fetch).is_none());
    }

    #[test]
    fn direct_accesses_conflict_between_processes_only() {
        let store = access(Role::Local, Effect::Write);
        let neighbour = Access {
            rank: Rank(1),
            ..access(Role::Local, Effect::Read)
        };
        assert_eq!(conflict(&store, &neighbour), Some(Conflict::SharedMemory));
        assert_eq!(conflict(&store, &access(Role::Local, Effect::Write)), None);
        let atomic = access(Role::LocalAtomic, Effect::Write);
        let other = Access {
            rank: Rank(1),
            ..atomic
        };
        assert_eq!(conflict(&atomic, &other), None);
        assert!(conflict(&atomic, &neighbour).is_some());
    }
}
