//! OpenMP as clang and flang compile it: calls of libomp (`kmp.h`, version 14 and later).
//!
//! Which thread of a team takes a round of a loop or a single region is chance in a run; here the numbers of the threads
//! decide. There is no device, so that regions for one run on the host (OpenMP 5.2 §13.8). Limit: dependences between rounds of
//! a loop (`doacross`) are not followed; the report says where they are met, and nothing that comes later is certain.

use super::{FENCES, acquired, all_ended, exclusion, learn_ends, released, start, task, team, worksharing};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::ir::Ordering;
use crate::layout::function_at;
use crate::process::Membership;

use crate::value::{Scalar, Value};
use farside_events::EventKind;

/// Threads of an OpenMP region, where the program does not say how many.
const TEAM: u32 = 2;

/// A function of OpenMP; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    if let Some(flow) = task::call(caller, name, a) {
        return Some(flow);
    }
    Some(match name {
        "__kmpc_critical" | "__kmpc_critical_with_hint" => exclusion::lock(caller, at(2).bits),
        "__kmpc_end_critical" => exclusion::unlock(caller, at(2).bits),
        "omp_init_lock" | "omp_destroy_lock" | "omp_init_nest_lock" | "omp_destroy_nest_lock" => NOTHING,
        "__kmpc_global_thread_num" | "omp_get_thread_num" => {
            Flow::Return(Scalar::known(u64::from(caller.own().team().number())))
        }
        "omp_get_num_threads" => Flow::Return(Scalar::known(u64::from(caller.own().team().size()))),
        "omp_get_max_threads" | "omp_get_num_procs" => Flow::Return(Scalar::known(u64::from(TEAM))),
        "omp_in_parallel" => Flow::Return(Scalar::known(u64::from(caller.own().team().size() > 1))),
        "__kmpc_push_num_threads" => {
            caller.own_mut().ask_for_team(at(2).bits as u32);
            NOTHING
        }
        "omp_set_num_threads" | "omp_set_dynamic" | "omp_set_nested" => NOTHING,
        "__kmpc_fork_call" => region(caller, a),
        "__kmpc_serialized_parallel" | "__kmpc_end_serialized_parallel" | "__kmpc_for_static_fini" => NOTHING,
        "__kmpc_flush" => {
            let both = Some(Ordering::Both);
            if let Some(kind) = released(caller.notes(), FENCES, both) {
                caller.emit(kind);
            }
            if let Some(kind) = acquired(caller.notes(), FENCES, both) {
                caller.emit(kind);
            }
            NOTHING
        }
        "__kmpc_barrier" => team_barrier(caller),
        "__kmpc_master" | "__kmpc_masked" => {
            Flow::Return(Scalar::known(u64::from(caller.own().team().number() == 0)))
        }
        "__kmpc_end_master" | "__kmpc_end_masked" | "__kmpc_end_single" => NOTHING,
        "__kmpc_single" => Flow::Return(Scalar::known(u64::from(worksharing::is_single(caller)))),
        "__kmpc_for_static_init_4" | "__kmpc_for_static_init_4u" => {
            worksharing::static_schedule(caller, a, 4)
        }
        "__kmpc_for_static_init_8" | "__kmpc_for_static_init_8u" => {
            worksharing::static_schedule(caller, a, 8)
        }
        "__kmpc_dispatch_init_4" | "__kmpc_dispatch_init_4u" => worksharing::begin_rounds(caller, a, 4),
        "__kmpc_dispatch_init_8" | "__kmpc_dispatch_init_8u" => worksharing::begin_rounds(caller, a, 8),
        "__kmpc_dispatch_next_4"
        | "__kmpc_dispatch_next_4u"
        | "__kmpc_dispatch_next_8"
        | "__kmpc_dispatch_next_8u" => worksharing::next_rounds(caller, a),
        "__kmpc_ordered" => match worksharing::is_turn(caller) {
            true => {
                let object = worksharing::ordered_object(caller);
                caller.emit(EventKind::Acquire { object });
                NOTHING
            }
            false => Flow::Block,
        },
        "__kmpc_end_ordered" => {
            let object = worksharing::ordered_object(caller);
            caller.emit(EventKind::Release { object });
            NOTHING
        }
        "__kmpc_dispatch_fini_4"
        | "__kmpc_dispatch_fini_4u"
        | "__kmpc_dispatch_fini_8"
        | "__kmpc_dispatch_fini_8u" => worksharing::end_round(caller),
        "__kmpc_dispatch_deinit" => NOTHING,
        "__kmpc_copyprivate" => copy_private(caller, a),
        // No device: the program goes on with its own version of the region.
        _ if name.starts_with("__tgt_target") && !name.starts_with("__tgt_target_data") => {
            Flow::Return(Scalar::known(1))
        }
        _ if name.starts_with("__tgt_") => NOTHING,
        "omp_get_num_devices" => NOTHING,
        "omp_is_initial_device" => Flow::Return(Scalar::known(1)),
        "__kmpc_reduce" | "__kmpc_reduce_nowait" => exclusion::lock(caller, at(6).bits).map_return(1),
        "__kmpc_end_reduce" | "__kmpc_end_reduce_nowait" => exclusion::unlock(caller, at(2).bits),
        _ => return None,
    })
}

/// All threads of the team, and the tasks that it made.
fn team_barrier(caller: &mut Caller<'_>) -> Flow {
    let own = caller.own().team();
    let tasks = team(caller).tasks().to_vec();
    if !all_ended(caller, &tasks) {
        return Flow::Block;
    }
    let flow = exclusion::team_barrier(caller, own.id(), own.size() as usize);
    if let Flow::Return(_) = flow {
        learn_ends(caller, tasks);
    }
    flow
}

/// `__kmpc_copyprivate(location, thread, size, data, function, did_it)`: between two barriers, the others copy from the
/// data of the thread that did the single region.
fn copy_private(caller: &mut Caller<'_>, a: &[Scalar]) -> Flow {
    let [_, _, _, data, function, did_it] = a else {
        return caller.unknown_call("__kmpc_copyprivate");
    };
    if !caller.own().has_copied() {
        if did_it.signed32() != 0 {
            team(caller).give(data.bits);
        }
        let flow = team_barrier(caller);
        if !matches!(flow, Flow::Return(_)) {
            return flow;
        }
        caller.own_mut().set_copied(true);
        let given = team(caller).given();
        if let (Some(index), true) = (function_at(function.bits), did_it.signed32() == 0) {
            let values = vec![Value::Scalar(*data), Value::known(given)];
            caller.enter_function(caller.thread(), index, values, true);
            return Flow::Entered;
        }
    }
    let flow = team_barrier(caller);
    if let Flow::Return(_) = flow {
        caller.own_mut().set_copied(false);
    }
    flow
}

/// `__kmpc_fork_call(location, argc, function, ...)`: the team runs the function, then goes on as one.
fn region(caller: &mut Caller<'_>, a: &[Scalar]) -> Flow {
    if let Some(others) = caller.own().region() {
        // The region ends when its tasks have ended, too.
        let ends = [others.collect(), team(caller).tasks().to_vec()].concat();
        if !all_ended(caller, &ends) {
            return Flow::Block;
        }
        learn_ends(caller, ends);
        caller.own_mut().leave_region();
        return NOTHING;
    }
    let Some(function) = a.get(2) else { return NOTHING };
    let size = caller.own_mut().asked_team().unwrap_or(TEAM).clamp(1, 8);
    let first = caller.process().thread_count();
    let arguments = |caller: &mut Caller<'_>, number: u32| {
        let id = caller.allocate(4, "thread number");
        caller.put_int(id, number as i32);
        let mut values = vec![Value::known(id), Value::known(id)];
        values.extend(a[3..].iter().copied().map(Value::Scalar));
        values
    };
    let member = |number| Membership::new(first as u64, number, size);
    let mut count = 0;
    for number in 1..size {
        let values = arguments(caller, number);
        count += usize::from(start(caller, function.bits, values, member(number)).is_some());
    }
    let values = arguments(caller, 0);
    caller.own_mut().begin_region(member(0), first..first + count);
    let index = function_at(function.bits).expect("the compiler made a function of the region");
    caller.enter_function(caller.thread(), index, values, true);
    Flow::Entered
}
