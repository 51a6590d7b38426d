//! What reads return (§3.3.3, §3.4).

use crate::mpi3::execution::Execution;
use crate::mpi3::orders::Orders;

/// (23), as far as order goes: `W(r) cohb r`. First values (`None`) are before everything. Between accumulates the
/// order in which they take effect counts instead (deviation 8).
#[must_use]
pub fn rule_23(x: &Execution, orders: &Orders, write: Option<usize>, read: usize) -> bool {
    write.is_none_or(|write| precedes(x, orders, write, read) || both_accumulate(x, write, read))
}

/// (24): no other write lies between `W(r)` and `r`.
#[must_use]
pub fn rule_24(x: &Execution, orders: &Orders, write: Option<usize>, read: usize, between: usize) -> bool {
    let after = write.is_none_or(|write| precedes(x, orders, write, between));
    let overwritten = after && precedes(x, orders, between, read);
    !(x.actions[between].writes && x.actions[between].location == x.actions[read].location && overwritten)
}

/// (25): not `r cohb W(r)`.
#[must_use]
pub fn rule_25(x: &Execution, orders: &Orders, write: Option<usize>, read: usize) -> bool {
    !write.is_some_and(|write| precedes(x, orders, read, write))
}

/// `cohb`; for a process's own loads and stores `po`: "we assume sequential ordering" (§3.4). That is no edge of `co`,
/// which is transitive: a load after a store would make the store public.
fn precedes(x: &Execution, orders: &Orders, a: usize, b: usize) -> bool {
    let own = x.actions[a].is_own_access() && x.actions[b].is_own_access();
    orders.cohb(a, b) || own && orders.po.has(a, b)
}

/// (26): the accumulates `x po y` of one process to one location take effect in that order; `took_effect` holds the
/// virtual actions in the order in which they did.
#[must_use]
pub fn rule_26(x: &Execution, orders: &Orders, took_effect: &[usize]) -> bool {
    took_effect.iter().enumerate().all(|(position, &earlier)| {
        took_effect[position + 1..].iter().all(|&later| {
            let call = |vac: usize| x.actions[vac].of.unwrap_or(vac);
            let one_place = x.actions[earlier].location == x.actions[later].location;
            !(one_place && both_accumulate(x, earlier, later) && orders.po.has(call(later), call(earlier)))
        })
    })
}

fn both_accumulate(x: &Execution, a: usize, b: usize) -> bool {
    let accumulate = |index: usize| {
        x.actions[index]
            .effect_of
            .is_some_and(|kind| kind.is_accumulate())
    };
    accumulate(a) && accumulate(b)
}
