//! OpenMP's tasks: each is a thread of its own, so that it is concurrent with all that does not wait for it.

use super::{NOTHING, object};
use crate::flow::Flow;
use crate::job::Job;
use crate::layout::function_at;
use crate::process::ThreadState;
use crate::site::{At, Site};
use crate::value::{Scalar, Value};
use farside_events::EventKind;

/// Where a task's description has the address of its shared variables, and the function that runs it.
const SHARED_VARIABLES: u64 = 0;
const ROUTINE: u64 = 8;
/// Bytes of a dependence, and where its flags are.
const DEPENDENCE: u64 = 24;
const FLAGS: u64 = 16;
/// The flag of a dependence that only reads.
const IN: u64 = 1;

impl Job<'_> {
    /// A function of tasks; `None` if it is none.
    pub(super) fn task_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Option<Flow> {
        let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
        Some(match name {
            // (location, thread, flags, bytes of the task, bytes of shared variables, function)
            "__kmpc_omp_task_alloc" | "__kmpc_omp_target_task_alloc" => {
                let memory = &mut self.processes.of_mut(site.rank).memory;
                let size = at(3).next_multiple_of(16);
                let task = memory.allocate(size + at(4), "task");
                memory.store(task + SHARED_VARIABLES, 8, Scalar::known(task + size));
                memory.store(task + ROUTINE, 8, Scalar::known(at(5)));
                Flow::Return(Scalar::known(task))
            }
            "__kmpc_omp_task" => self.begin_task(site, at(2), Vec::new()),
            "__kmpc_omp_task_with_deps" => {
                let waits_for = self.dependences(site, at(3), at(4));
                self.begin_task(site, at(2), waits_for)
            }
            // A task that is not deferred: the program calls its function itself, between these two.
            "__kmpc_omp_task_begin_if0" | "__kmpc_omp_task_complete_if0" | "__kmpc_omp_taskyield" => NOTHING,
            "__kmpc_omp_taskwait" | "__kmpc_omp_wait_deps" => {
                let children = self.thread(site).children.clone();
                if !self.all_ended(site, &children) {
                    return Some(Flow::Block);
                }
                self.processes.thread_mut(site.at()).children.clear();
                self.learn_ends(site, children);
                NOTHING
            }
            "__kmpc_taskgroup" => {
                self.processes.of_mut(site.rank).begin_group(site.thread);
                NOTHING
            }
            "__kmpc_end_taskgroup" => {
                let members = self.processes.of(site.rank).group(site.thread);
                let Some(members) = members.map(<[usize]>::to_vec) else {
                    return Some(NOTHING);
                };
                if !self.all_ended(site, &members) {
                    return Some(Flow::Block);
                }
                self.processes.thread_mut(site.at()).groups.pop();
                self.learn_ends(site, members);
                NOTHING
            }
            "__kmpc_taskloop" | "__kmpc_taskloop_5" => self.task_loop(site, a),
            _ => return None,
        })
    }

    /// Starts a task as a thread; in a team of one it is done at once.
    fn begin_task(&mut self, site: &Site, task: u64, after: Vec<usize>) -> Flow {
        let function = self.memory(site.rank, task).load(task + ROUTINE, 8).bits;
        let (team, team_id) = (self.thread(site).team, self.thread(site).team_id);
        let arguments = vec![Value::known(u64::from(team.0)), Value::known(task)];
        if team.1 <= 1 {
            let known = |index: &u32| {
                let function = self.module.functions.get(*index as usize);
                function.is_some_and(|function| !function.blocks.is_empty())
            };
            let Some(index) = function_at(function).filter(known) else {
                return self.unknown_call(site, "a task");
            };
            self.enter_function(site.at(), index, arguments, None, site.stack, false);
            return Flow::Entered;
        }
        let Some(thread) = self.start_thread(site, function, arguments, team, team_id) else {
            return self.unknown_call(site, "a task");
        };
        self.processes
            .of_mut(site.rank)
            .add_task(site.thread, thread, after);
        NOTHING
    }

    /// What the next task of this thread has to wait for by its `depend` clauses, which it enters into the table.
    fn dependences(&mut self, site: &Site, count: u64, list: u64) -> Vec<usize> {
        let mut waits_for = Vec::new();
        let task = self.processes.of(site.rank).threads.len();
        for index in 0..count.min(1 << 10) {
            let at = list + DEPENDENCE * index;
            let address = self.memory(site.rank, at).load(at, 8).bits;
            let reads = self.memory(site.rank, at).load(at + FLAGS, 1).bits & 0xf == IN;
            let process = self.processes.of_mut(site.rank);
            waits_for.extend(process.depend(site.thread, address, reads));
        }
        waits_for.retain(|other| *other != task);
        waits_for
    }

    /// Whether the tasks that this one depends on have ended; it comes after them then.
    pub(crate) fn may_begin(&mut self, at: At) -> bool {
        let threads = &mut self.processes.of_mut(at.rank).threads;
        let after = std::mem::take(&mut threads[at.thread].after);
        let waiting = |other: &usize| {
            threads
                .get(*other)
                .is_some_and(|other| other.state != ThreadState::Ended)
        };
        if after.iter().any(waiting) {
            threads[at.thread].after = after;
            return false;
        }
        for other in after {
            let object = object(2, other as u64);
            self.emit(at, EventKind::Acquire { object });
        }
        true
    }

    /// `__kmpc_taskloop(location, thread, task, if, lower, upper, stride, nogroup, schedule, grain, duplicate)`: two tasks, each
    /// with half of the rounds.
    fn task_loop(&mut self, site: &Site, a: &[Scalar]) -> Flow {
        let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
        let (task, lower_at, upper_at) = (at(2), at(4), at(5));
        let size = self
            .processes
            .of(site.rank)
            .memory
            .object(task)
            .map_or(0, |(_, object)| object.size);
        let word = |job: &Self, at: u64| job.memory(site.rank, at).load(at, 8).bits as i64;
        let (lower, upper, step) = (word(self, lower_at), word(self, upper_at), at(6) as i64);
        if self.thread(site).team.1 <= 1 || step == 0 || (upper - lower) / step < 1 || at(10) != 0 {
            return self.begin_task(site, task, Vec::new());
        }
        let middle = lower + (upper - lower) / step / 2 * step;
        let memory = &mut self.processes.of_mut(site.rank).memory;
        let half = memory.allocate(size, "task");
        memory.copy(task, half, size);
        // Shared variables stay where they are; both halves point there.
        memory.store(half + (upper_at - task), 8, Scalar::known(middle as u64));
        memory.store(lower_at, 8, Scalar::known((middle + step) as u64));
        self.begin_task(site, half, Vec::new());
        self.begin_task(site, task, Vec::new())
    }
}
