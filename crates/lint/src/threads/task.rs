//! OpenMP's tasks: each is a thread of its own, so that it is concurrent with all that does not wait for it.

use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::{Scalar, Value};

/// Where a task's description has the address of its shared variables, and the function that runs it.
const SHARED_VARIABLES: u64 = 0;
const ROUTINE: u64 = 8;
/// Bytes of a dependence, and where its flags are.
const DEPENDENCE: u64 = 24;
const FLAGS: u64 = 16;
/// The flag of a dependence that only reads.
const IN: u64 = 1;

/// A function of tasks; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    Some(match name {
        // (location, thread, flags, bytes of the task, bytes of shared variables, function)
        "__kmpc_omp_task_alloc" | "__kmpc_omp_target_task_alloc" => {
            let memory = caller.process_mut().memory_mut();
            let size = at(3).next_multiple_of(16);
            let task = memory.allocate(size + at(4), "task");
            memory.store(task + SHARED_VARIABLES, 8, Scalar::known(task + size));
            memory.store(task + ROUTINE, 8, Scalar::known(at(5)));
            Flow::Return(Scalar::known(task))
        }
        "__kmpc_omp_task" => begin_task(caller, at(2), Vec::new()),
        "__kmpc_omp_task_with_deps" => {
            let waits_for = dependences(caller, at(3), at(4));
            begin_task(caller, at(2), waits_for)
        }
        // A task that is not deferred: the program calls its function itself, between these two.
        "__kmpc_omp_task_begin_if0" | "__kmpc_omp_task_complete_if0" | "__kmpc_omp_taskyield" => NOTHING,
        "__kmpc_omp_taskwait" | "__kmpc_omp_wait_deps" => {
            if !super::all_ended(caller, caller.own().children()) {
                return Some(Flow::Block);
            }
            let children = caller.own_mut().take_children();
            super::learn_ends(caller, children);
            NOTHING
        }
        "__kmpc_taskgroup" => {
            let thread = caller.thread();
            caller.process_mut().begin_group(thread);
            NOTHING
        }
        "__kmpc_end_taskgroup" => {
            let members = caller.process().group(caller.thread());
            let Some(members) = members.map(<[usize]>::to_vec) else {
                return Some(NOTHING);
            };
            if !super::all_ended(caller, &members) {
                return Some(Flow::Block);
            }
            caller.own_mut().leave_group();
            super::learn_ends(caller, members);
            NOTHING
        }
        "__kmpc_taskloop" | "__kmpc_taskloop_5" => task_loop(caller, a),
        _ => return None,
    })
}

/// Starts a task as a thread; in a team of one it is done at once.
fn begin_task(caller: &mut Caller<'_>, task: u64, after: Vec<usize>) -> Flow {
    let function = caller.long_at(task + ROUTINE);
    let team = caller.own().team();
    let arguments = vec![Value::known(u64::from(team.number())), Value::known(task)];
    if team.size() <= 1 {
        let Some(index) = super::defined(caller, function) else {
            return caller.unknown_call("a task");
        };
        caller.enter_function(caller.thread(), index, arguments, false);
        return Flow::Entered;
    }
    let Some(task) = super::start(caller, function, arguments, team) else {
        return caller.unknown_call("a task");
    };
    let thread = caller.thread();
    caller.process_mut().add_task(thread, task, after);
    NOTHING
}

/// What the next task of this thread has to wait for by its `depend` clauses, which it enters into the table.
fn dependences(caller: &mut Caller<'_>, count: u64, list: u64) -> Vec<usize> {
    let mut waits_for = Vec::new();
    let task = caller.process().thread_count();
    for index in 0..count.min(1 << 10) {
        let at = list + DEPENDENCE * index;
        let address = caller.long_at(at);
        let reads = caller.memory(at).load(at + FLAGS, 1).bits & 0xf == IN;
        let thread = caller.thread();
        waits_for.extend(caller.process_mut().depend(thread, address, reads));
    }
    waits_for.retain(|other| *other != task);
    waits_for
}

/// `__kmpc_taskloop(location, thread, task, if, lower, upper, stride, nogroup, schedule, grain, duplicate)`: two tasks, each
/// with half of the rounds.
fn task_loop(caller: &mut Caller<'_>, a: &[Scalar]) -> Flow {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    let (task, lower_at, upper_at) = (at(2), at(4), at(5));
    let size = caller
        .process()
        .memory()
        .object(task)
        .map_or(0, |(_, object)| object.size);
    let (lower, upper, step) = (
        caller.long_at(lower_at) as i64,
        caller.long_at(upper_at) as i64,
        at(6) as i64,
    );
    if caller.own().team().size() <= 1 || step == 0 || (upper - lower) / step < 1 || at(10) != 0 {
        return begin_task(caller, task, Vec::new());
    }
    let middle = lower + (upper - lower) / step / 2 * step;
    let memory = caller.process_mut().memory_mut();
    let half = memory.allocate(size, "task");
    memory.copy(task, half, size);
    // Shared variables stay where they are; both halves point there.
    memory.store(half + (upper_at - task), 8, Scalar::known(middle as u64));
    memory.store(lower_at, 8, Scalar::known((middle + step) as u64));
    begin_task(caller, half, Vec::new());
    begin_task(caller, task, Vec::new())
}
