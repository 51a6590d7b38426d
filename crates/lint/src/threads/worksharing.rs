//! Loops of OpenMP whose rounds the threads of a team share.

use super::{object, team};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::process::Rounds;
use crate::value::{Scalar, signed};

/// The schedule whose chunks have the size that the program says (`enum sched_type`), and the bits that say whether
/// chunks are taken in order.
const STATIC_CHUNKED: u32 = 33;
const ORDER: u32 = 3 << 29;

/// Whether the thread executes the `single` that it is at. They go round among the threads, from the second one on: so
/// what the first does alone is not ordered with the next `single`, nor two of them with each other.
pub(super) fn is_single(caller: &mut Caller<'_>) -> bool {
    let own = caller.own_mut();
    let turn = own.next_step();
    let team = own.team();
    turn % u64::from(team.size().max(1)) == u64::from(team.number())
}

/// `__kmpc_for_static_init(location, thread, schedule, last, lower, upper, stride, increment, chunk)`.
pub(super) fn static_schedule(caller: &mut Caller<'_>, a: &[Scalar], size: u64) -> Flow {
    if a.len() < 9 {
        return NOTHING;
    }
    let (number, team) = (caller.own().team().number(), caller.own().team().size());
    let value = |caller: &Caller<'_>, at: u64| {
        let bits = caller.memory(at).load(at, size).bits;
        signed(bits, 8 * size as u32)
    };
    let (lower, upper) = (value(caller, a[4].bits), value(caller, a[5].bits));
    let step = signed(a[7].bits, 8 * size as u32).max(1);
    let trips = if upper < lower {
        0
    } else {
        (upper - lower) / step + 1
    };
    let store =
        |caller: &mut Caller<'_>, at: u64, value: i64| caller.put(at, size, Scalar::known(value as u64));
    if a[2].bits as u32 & !ORDER == STATIC_CHUNKED {
        // Chunks go round among the threads, from the first one on (OpenMP 5.2 §11.5.3).
        let chunk = signed(a[8].bits, 8 * size as u32).max(1);
        let first = lower.saturating_add(i64::from(number).saturating_mul(chunk).saturating_mul(step));
        store(caller, a[4].bits, first);
        store(
            caller,
            a[5].bits,
            first.saturating_add((chunk - 1).saturating_mul(step)),
        );
        store(
            caller,
            a[6].bits,
            chunk.saturating_mul(step).saturating_mul(i64::from(team)),
        );
        let has_last = trips > 0 && (trips - 1) / chunk % i64::from(team) == i64::from(number);
        caller.put_int(a[3].bits, i32::from(has_last));
        return NOTHING;
    }
    let share = trips / i64::from(team);
    let extra = trips % i64::from(team);
    let before = i64::from(number) * share + i64::from(number).min(extra);
    let own = share + i64::from(i64::from(number) < extra);
    let first = lower + before * step;
    store(caller, a[4].bits, first);
    store(caller, a[5].bits, first + (own - 1) * step);
    store(caller, a[6].bits, trips.max(1) * step);
    let last = i32::from(own > 0 && before + own == trips);
    caller.put_int(a[3].bits, last);
    NOTHING
}

/// `__kmpc_dispatch_init_4(location, thread, schedule, lower, upper, stride, chunk)`.
pub(super) fn begin_rounds(caller: &mut Caller<'_>, a: &[Scalar], size: u64) -> Flow {
    let value = |index: usize| {
        let bits = a.get(index).copied().unwrap_or_default().bits;
        signed(bits, 8 * size as u32)
    };
    let own = caller.own_mut();
    let (number, thread) = (own.next_step(), own.team().number());
    let (step, chunk) = (value(5), value(6).max(1));
    let rounds = Rounds::new(number, thread, (value(3), value(4)), step, chunk, size);
    own.set_rounds(rounds);
    team(caller).begin_loop(&rounds);
    NOTHING
}

/// `__kmpc_dispatch_next_4(location, thread, last, lower, upper, stride)`: chunks go round among the threads.
pub(super) fn next_rounds(caller: &mut Caller<'_>, a: &[Scalar]) -> Flow {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    let team = caller.own().team().size();
    let Some(mut rounds) = caller.own().rounds() else {
        return NOTHING;
    };
    let Some((first, last, is_last)) = rounds.next_chunk(team) else {
        return NOTHING;
    };
    let (size, memory) = (rounds.size(), caller.memory_mut(at(3)));
    memory.store(at(3), size, Scalar::known(first as u64));
    memory.store(at(4), size, Scalar::known(last as u64));
    memory.store(at(5), size, Scalar::known(rounds.step() as u64));
    caller.put_int(at(2), i32::from(is_last));
    caller.own_mut().set_rounds(rounds);
    Flow::Return(Scalar::known(1))
}

/// Whether the rounds before the one that the thread is in are over.
pub(super) fn is_turn(caller: &mut Caller<'_>) -> bool {
    let Some(rounds) = caller.own().rounds() else {
        return true;
    };
    team(caller).is_turn(&rounds)
}

/// A round of a loop with an ordered region is over: the next one has its turn.
pub(super) fn end_round(caller: &mut Caller<'_>) -> Flow {
    if !is_turn(caller) {
        return Flow::Block;
    }
    let Some(mut rounds) = caller.own().rounds() else {
        return NOTHING;
    };
    rounds.go_on();
    team(caller).give_turn(&rounds);
    caller.own_mut().set_rounds(rounds);
    NOTHING
}

pub(super) fn ordered_object(caller: &Caller<'_>) -> farside_events::ObjectId {
    let own = caller.own();
    let number = own.rounds().map_or(0, |rounds| rounds.number());
    object(6, own.team().id() << 24 | number & 0xff_ffff)
}
