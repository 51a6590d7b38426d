//! OpenMP as clang and flang compile it: calls of libomp (`kmp.h`, version 14 and later).
//!
//! Which thread of a team takes a round of a loop or a single region is chance in a run; here the numbers of the threads
//! decide. There is no device, so that regions for one run on the host (OpenMP 5.2 §13.8). Limit: dependences between rounds of
//! a loop (`doacross`) are not followed; the report says where they are met, and nothing that comes later is certain.

use super::NOTHING;
use crate::flow::Flow;
use crate::job::Job;
use crate::layout::function_at;
use crate::matching::Kind;
use crate::process::{Team, ThreadState};
use crate::site::Site;
use crate::value::{Scalar, Value};
use farside_events::EventKind;

/// Threads of an OpenMP region, where the program does not say how many.
const TEAM: u32 = 2;

impl Job<'_> {
    /// A function of OpenMP; `None` if it is none.
    pub(super) fn openmp_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Option<Flow> {
        let at = |index: usize| a.get(index).copied().unwrap_or_default();
        if let Some(flow) = self.task_call(site, name, a) {
            return Some(flow);
        }
        Some(match name {
            "__kmpc_critical" | "__kmpc_critical_with_hint" => self.lock_object(site, at(2).bits),
            "__kmpc_end_critical" => self.unlock_object(site, at(2).bits),
            "omp_init_lock" | "omp_destroy_lock" | "omp_init_nest_lock" | "omp_destroy_nest_lock" => NOTHING,
            "__kmpc_global_thread_num" | "omp_get_thread_num" => {
                Flow::Return(Scalar::known(u64::from(self.thread(site).team.0)))
            }
            "omp_get_num_threads" => Flow::Return(Scalar::known(u64::from(self.thread(site).team.1))),
            "omp_get_max_threads" | "omp_get_num_procs" => Flow::Return(Scalar::known(u64::from(TEAM))),
            "omp_in_parallel" => Flow::Return(Scalar::known(u64::from(self.thread(site).team.1 > 1))),
            "__kmpc_push_num_threads" => {
                self.processes.thread_mut(site.at()).wanted_team = Some(at(2).bits as u32);
                NOTHING
            }
            "omp_set_num_threads" | "omp_set_dynamic" | "omp_set_nested" => NOTHING,
            "__kmpc_fork_call" => self.region(site, a),
            "__kmpc_serialized_parallel" | "__kmpc_end_serialized_parallel" | "__kmpc_for_static_fini" => {
                NOTHING
            }
            "__kmpc_flush" => {
                let both = Some(crate::ir::Ordering::Both);
                self.before_atomic(site.at(), super::FENCES, both);
                self.after_atomic(site.at(), super::FENCES, both);
                NOTHING
            }
            "__kmpc_barrier" => self.team_barrier(site),
            "__kmpc_master" | "__kmpc_masked" => {
                Flow::Return(Scalar::known(u64::from(self.thread(site).team.0 == 0)))
            }
            "__kmpc_end_master" | "__kmpc_end_masked" | "__kmpc_end_single" => NOTHING,
            // The first thread of the team takes it.
            "__kmpc_single" => Flow::Return(Scalar::known(u64::from(self.thread(site).team.0 == 0))),
            "__kmpc_for_static_init_4" | "__kmpc_for_static_init_4u" => self.static_schedule(site, a, 4),
            "__kmpc_for_static_init_8" | "__kmpc_for_static_init_8u" => self.static_schedule(site, a, 8),
            "__kmpc_dispatch_init_4" | "__kmpc_dispatch_init_4u" => self.begin_rounds(site, a, 4),
            "__kmpc_dispatch_init_8" | "__kmpc_dispatch_init_8u" => self.begin_rounds(site, a, 8),
            "__kmpc_dispatch_next_4"
            | "__kmpc_dispatch_next_4u"
            | "__kmpc_dispatch_next_8"
            | "__kmpc_dispatch_next_8u" => self.next_rounds(site, a),
            "__kmpc_ordered" => match self.is_turn(site) {
                true => {
                    let object = self.ordered_object(site);
                    self.emit(site.at(), EventKind::Acquire { object });
                    NOTHING
                }
                false => Flow::Block,
            },
            "__kmpc_end_ordered" => {
                let object = self.ordered_object(site);
                self.emit(site.at(), EventKind::Release { object });
                NOTHING
            }
            "__kmpc_dispatch_fini_4"
            | "__kmpc_dispatch_fini_4u"
            | "__kmpc_dispatch_fini_8"
            | "__kmpc_dispatch_fini_8u" => self.end_round(site),
            "__kmpc_dispatch_deinit" => NOTHING,
            "__kmpc_copyprivate" => self.copy_private(site, a),
            // No device: the program goes on with its own version of the region.
            _ if name.starts_with("__tgt_target") && !name.starts_with("__tgt_target_data") => {
                Flow::Return(Scalar::known(1))
            }
            _ if name.starts_with("__tgt_") => NOTHING,
            "omp_get_num_devices" => NOTHING,
            "omp_is_initial_device" => Flow::Return(Scalar::known(1)),
            "__kmpc_reduce" | "__kmpc_reduce_nowait" => self.lock_object(site, at(6).bits).map_return(1),
            "__kmpc_end_reduce" | "__kmpc_end_reduce_nowait" => self.unlock_object(site, at(2).bits),
            _ => return None,
        })
    }

    /// All threads of the team, and the tasks that it made.
    fn team_barrier(&mut self, site: &Site) -> Flow {
        let (team, size) = (self.thread(site).team_id, self.thread(site).team.1);
        let tasks = self.team(site).tasks().to_vec();
        if !self.all_ended(site, &tasks) {
            return Flow::Block;
        }
        let flow = self.thread_barrier(site, (Kind::Team, team), size as usize);
        if let Flow::Return(_) = flow {
            self.learn_ends(site, tasks);
        }
        flow
    }

    /// `__kmpc_copyprivate(location, thread, size, data, function, did_it)`: between two barriers, the others copy from the
    /// data of the thread that did the single region.
    fn copy_private(&mut self, site: &Site, a: &[Scalar]) -> Flow {
        let [_, _, _, data, function, did_it] = a else {
            return self.unknown_call(site, "__kmpc_copyprivate");
        };
        if !self.thread(site).copied {
            if did_it.signed32() != 0 {
                self.team(site).give(data.bits);
            }
            let flow = self.team_barrier(site);
            if !matches!(flow, Flow::Return(_)) {
                return flow;
            }
            self.processes.thread_mut(site.at()).copied = true;
            let index = function_at(function.bits);
            let given = self.team(site).given();
            if let (Some(index), true) = (index, did_it.signed32() == 0) {
                let values = vec![Value::Scalar(*data), Value::known(given)];
                self.enter_function(site.at(), index, values, None, site.stack, true);
                return Flow::Entered;
            }
        }
        let flow = self.team_barrier(site);
        if let Flow::Return(_) = flow {
            self.processes.thread_mut(site.at()).copied = false;
        }
        flow
    }

    pub(super) fn team(&mut self, site: &Site) -> &mut Team {
        self.processes.of_mut(site.rank).team(site.thread)
    }

    /// `__kmpc_fork_call(location, argc, function, ...)`: the team runs the function, then goes on as one.
    fn region(&mut self, site: &Site, a: &[Scalar]) -> Flow {
        let depth = self.thread(site).frames.len();
        if let Some((_, first, count)) = self
            .thread(site)
            .regions
            .last()
            .copied()
            .filter(|region| region.0 == depth)
        {
            let threads = &self.processes.of(site.rank).threads;
            if threads[first..first + count]
                .iter()
                .any(|thread| thread.state != ThreadState::Ended)
            {
                return Flow::Block;
            }
            // The region ends when its tasks have ended, too.
            let tasks = self.team(site).tasks().to_vec();
            if !self.all_ended(site, &tasks) {
                return Flow::Block;
            }
            self.learn_ends(site, first..first + count);
            self.learn_ends(site, tasks);
            self.processes.thread_mut(site.at()).regions.pop();
            let own = self.processes.thread_mut(site.at());
            own.team = (0, 1);
            return NOTHING;
        }
        let Some(function) = a.get(2) else { return NOTHING };
        let asked = self.processes.thread_mut(site.at()).wanted_team.take();
        let wanted = asked.unwrap_or(TEAM).clamp(1, 8);
        let first = self.processes.of(site.rank).threads.len();
        let team_id = first as u64;
        let arguments = |job: &mut Self, number: u32| {
            let memory = &mut job.processes.of_mut(site.rank).memory;
            let id = memory.allocate(4, "thread number");
            memory.store(id, 4, Scalar::known(u64::from(number)));
            let mut values = vec![Value::known(id), Value::known(id)];
            values.extend(a[3..].iter().copied().map(Value::Scalar));
            values
        };
        let mut count = 0;
        for number in 1..wanted {
            let values = arguments(self, number);
            if self
                .start_thread(site, function.bits, values, (number, wanted), team_id)
                .is_some()
            {
                count += 1;
            }
        }
        let values = arguments(self, 0);
        let own = self.processes.thread_mut(site.at());
        own.team = (0, wanted);
        own.team_id = team_id;
        own.team_step = 0;
        own.regions.push((depth, first, count));
        let index = function_at(function.bits).expect("the compiler made a function of the region");
        self.enter_function(site.at(), index, values, None, site.stack, true);
        Flow::Entered
    }
}
