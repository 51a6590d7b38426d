//! OpenMP as clang and flang compile it: calls of libomp (`kmp.h`, version 14 and later).
//!
//! Which thread of a team takes a round of a loop or a single region is chance in a run; here the numbers of the threads
//! decide. Limits: `copyprivate`, cross-iteration dependences, and regions on devices are not followed.

use super::{NOTHING, object};
use crate::execute::Flow;
use crate::job::{FUNCTIONS, Job};
use crate::mpi::meeting::Kind;
use crate::thread::{Site, ThreadState};
use crate::value::{Scalar, Value, signed};
use farside_events::EventKind;
use std::collections::HashMap;

/// Threads of an OpenMP region, where the program does not say how many.
const TEAM: u32 = 2;

/// What the threads of a team share.
#[derive(Debug, Default)]
pub(crate) struct Team {
    /// Tasks that it has made and not yet waited for.
    pub(crate) tasks: Vec<usize>,
    /// The next round of an ordered region, by the number of the loop.
    ordered: HashMap<u64, i64>,
}

/// A loop whose rounds are handed out chunk by chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    /// Its number among the loops of the team.
    number: u64,
    next: i64,
    upper: i64,
    step: i64,
    chunk: i64,
    /// The round that the thread is in.
    current: i64,
    size: u64,
}

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
                self.processes[site.rank as usize]
                    .locks
                    .insert(u64::MAX - site.thread as u64, at(2).bits as u32);
                NOTHING
            }
            "omp_set_num_threads" | "omp_set_dynamic" | "omp_set_nested" => NOTHING,
            "__kmpc_fork_call" => self.region(site, a),
            "__kmpc_serialized_parallel" | "__kmpc_end_serialized_parallel" | "__kmpc_for_static_fini" => {
                NOTHING
            }
            "__kmpc_flush" => {
                let both = Some(crate::ir::Ordering::Both);
                self.before_atomic(site.rank, site.thread, super::FENCES, both);
                self.after_atomic(site.rank, site.thread, super::FENCES, both);
                NOTHING
            }
            "__kmpc_barrier" => {
                let (team, size) = (self.thread(site).team_id, self.thread(site).team.1);
                let tasks = self.team(site).tasks.clone();
                if !self.all_ended(site, &tasks) {
                    return Some(Flow::Block);
                }
                let flow = self.thread_barrier(site, (Kind::Team, team), size as usize);
                if let Flow::Return(_) = flow {
                    self.learn_ends(site, tasks);
                }
                flow
            }
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
                    self.emit(site.rank, site.thread, EventKind::Acquire { object });
                    NOTHING
                }
                false => Flow::Block,
            },
            "__kmpc_end_ordered" => {
                let object = self.ordered_object(site);
                self.emit(site.rank, site.thread, EventKind::Release { object });
                NOTHING
            }
            "__kmpc_dispatch_fini_4"
            | "__kmpc_dispatch_fini_4u"
            | "__kmpc_dispatch_fini_8"
            | "__kmpc_dispatch_fini_8u" => self.end_round(site),
            "__kmpc_dispatch_deinit" => NOTHING,
            "__kmpc_reduce" | "__kmpc_reduce_nowait" => self.lock_object(site, at(6).bits).map_return(1),
            "__kmpc_end_reduce" | "__kmpc_end_reduce_nowait" => self.unlock_object(site, at(2).bits),
            _ => return None,
        })
    }

    pub(super) fn team(&mut self, site: &Site) -> &mut Team {
        let process = &mut self.processes[site.rank as usize];
        let number = process.threads[site.thread].team_id;
        process.teams.entry(number).or_default()
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
            let threads = &self.processes[site.rank as usize].threads;
            if threads[first..first + count]
                .iter()
                .any(|thread| thread.state != ThreadState::Ended)
            {
                return Flow::Block;
            }
            // The region ends when its tasks have ended, too.
            let tasks = self.team(site).tasks.clone();
            if !self.all_ended(site, &tasks) {
                return Flow::Block;
            }
            self.learn_ends(site, first..first + count);
            self.learn_ends(site, tasks);
            self.processes[site.rank as usize].threads[site.thread]
                .regions
                .pop();
            let own = &mut self.processes[site.rank as usize].threads[site.thread];
            own.team = (0, 1);
            return NOTHING;
        }
        let Some(function) = a.get(2) else { return NOTHING };
        let key = u64::MAX - site.thread as u64;
        let wanted = self.processes[site.rank as usize]
            .locks
            .remove(&key)
            .unwrap_or(TEAM)
            .clamp(1, 8);
        let first = self.processes[site.rank as usize].threads.len();
        let team_id = first as u64;
        let arguments = |job: &mut Self, number: u32| {
            let memory = &mut job.processes[site.rank as usize].memory;
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
        let own = &mut self.processes[site.rank as usize].threads[site.thread];
        own.team = (0, wanted);
        own.team_id = team_id;
        own.team_step = 0;
        own.regions.push((depth, first, count));
        let index = (function.bits.wrapping_sub(FUNCTIONS) / 16) as u32;
        self.enter_function(site.rank, site.thread, index, values, None, site.stack, true);
        Flow::Entered
    }

    /// `__kmpc_for_static_init(location, thread, schedule, last, lower, upper, stride, increment, chunk)`.
    fn static_schedule(&mut self, site: &Site, a: &[Scalar], size: u64) -> Flow {
        if a.len() < 9 {
            return NOTHING;
        }
        let (number, team) = self.thread(site).team;
        let value = |job: &Self, at: u64| {
            let bits = job.memory(site.rank, at).load(at, size).bits;
            crate::value::signed(bits, 8 * size as u32)
        };
        let (lower, upper) = (value(self, a[4].bits), value(self, a[5].bits));
        let step = crate::value::signed(a[7].bits, 8 * size as u32).max(1);
        let trips = if upper < lower {
            0
        } else {
            (upper - lower) / step + 1
        };
        let share = trips / i64::from(team);
        let extra = trips % i64::from(team);
        let before = i64::from(number) * share + i64::from(number).min(extra);
        let own = share + i64::from(i64::from(number) < extra);
        let first = lower + before * step;
        let store = |job: &mut Self, at: u64, value: i64| {
            job.memory_mut(site.rank, at)
                .store(at, size, Scalar::known(value as u64))
        };
        store(self, a[4].bits, first);
        store(self, a[5].bits, first + (own - 1) * step);
        store(self, a[6].bits, trips.max(1) * step);
        let last = i32::from(own > 0 && before + own == trips);
        self.put_int(site, a[3].bits, last);
        NOTHING
    }

    /// `__kmpc_dispatch_init_4(location, thread, schedule, lower, upper, stride, chunk)`.
    fn begin_rounds(&mut self, site: &Site, a: &[Scalar], size: u64) -> Flow {
        let value = |index: usize| {
            let bits = a.get(index).copied().unwrap_or_default().bits;
            signed(bits, 8 * size as u32)
        };
        let own = &mut self.processes[site.rank as usize].threads[site.thread];
        own.team_step += 1;
        let (lower, step, chunk) = (value(3), value(5), value(6).max(1));
        own.rounds = Some(Rounds {
            number: own.team_step,
            next: lower.wrapping_add(i64::from(own.team.0).wrapping_mul(chunk).wrapping_mul(step)),
            upper: value(4),
            step,
            chunk,
            current: lower,
            size,
        });
        let number = own.team_step;
        self.team(site).ordered.entry(number).or_insert(lower);
        NOTHING
    }

    /// `__kmpc_dispatch_next_4(location, thread, last, lower, upper, stride)`: chunks go round among the threads.
    fn next_rounds(&mut self, site: &Site, a: &[Scalar]) -> Flow {
        let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
        let team = i64::from(self.thread(site).team.1);
        let Some(mut rounds) = self.thread(site).rounds else {
            return NOTHING;
        };
        let beyond = |value: i64| match rounds.step > 0 {
            true => value > rounds.upper,
            false => value < rounds.upper,
        };
        if rounds.step == 0 || beyond(rounds.next) {
            return NOTHING;
        }
        let first = rounds.next;
        let end = first.wrapping_add((rounds.chunk - 1).wrapping_mul(rounds.step));
        let last = if beyond(end) { rounds.upper } else { end };
        let is_last = beyond(last.wrapping_add(rounds.step));
        rounds.current = first;
        let chunk = rounds.chunk.wrapping_mul(rounds.step);
        rounds.next = first.wrapping_add(team.wrapping_mul(chunk));
        let memory = self.memory_mut(site.rank, at(3));
        memory.store(at(3), rounds.size, Scalar::known(first as u64));
        memory.store(at(4), rounds.size, Scalar::known(last as u64));
        memory.store(at(5), rounds.size, Scalar::known(rounds.step as u64));
        self.put_int(site, at(2), i32::from(is_last));
        self.processes[site.rank as usize].threads[site.thread].rounds = Some(rounds);
        Flow::Return(Scalar::known(1))
    }

    /// Whether the rounds before the one that the thread is in are over.
    fn is_turn(&mut self, site: &Site) -> bool {
        let Some(rounds) = self.thread(site).rounds else {
            return true;
        };
        self.team(site)
            .ordered
            .get(&rounds.number)
            .is_none_or(|turn| *turn == rounds.current)
    }

    /// A round of a loop with an ordered region is over: the next one has its turn.
    fn end_round(&mut self, site: &Site) -> Flow {
        if !self.is_turn(site) {
            return Flow::Block;
        }
        let Some(mut rounds) = self.thread(site).rounds else {
            return NOTHING;
        };
        rounds.current = rounds.current.wrapping_add(rounds.step);
        self.team(site).ordered.insert(rounds.number, rounds.current);
        self.processes[site.rank as usize].threads[site.thread].rounds = Some(rounds);
        NOTHING
    }

    fn ordered_object(&self, site: &Site) -> farside_events::ObjectId {
        let own = self.thread(site);
        let number = own.rounds.map_or(0, |rounds| rounds.number);
        object(6, own.team_id << 24 | number & 0xff_ffff)
    }
}

impl Flow {
    pub(super) fn map_return(self, value: u64) -> Self {
        match self {
            Self::Return(_) => Self::Return(Scalar::known(value)),
            other => other,
        }
    }
}
