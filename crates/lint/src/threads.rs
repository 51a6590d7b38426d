//! Threads: POSIX threads, and OpenMP as clang compiles it (calls of `__kmpc_*`).
//!
//! Threads take turns; what orders them is told to the detector by objects that are released and acquired.

use crate::execute::{Flow, function_address};
use crate::job::{FUNCTIONS, Job};
use crate::mpi::meeting::Kind;
use crate::thread::{Entered, Site, Thread, ThreadState};
use crate::value::{Scalar, Value};
use farside_events::{EventKind, ObjectId};

const NOTHING: Flow = Flow::Return(Scalar::known(0));
/// Threads of an OpenMP region, where the program does not say how many.
const TEAM: u32 = 2;

/// Numbers of objects: the kind in the upper bits.
fn object(kind: u64, number: u64) -> ObjectId {
    ObjectId(kind << 56 | number & ((1 << 56) - 1))
}

impl Job<'_> {
    /// A function of a thread library; `None` if it is none.
    pub(crate) fn thread_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Option<Flow> {
        let at = |index: usize| a.get(index).copied().unwrap_or_default();
        Some(match name {
            "pthread_create" => {
                let thread = self.start_thread(site, at(2).bits, vec![Value::Scalar(at(3))], (0, 1), 0)?;
                self.memory_mut(site.rank, at(0).bits)
                    .store(at(0).bits, 8, Scalar::known(thread as u64));
                NOTHING
            }
            "pthread_join" => self.join(site, at(0).bits as usize),
            "pthread_mutex_lock" | "omp_set_lock" | "pthread_spin_lock" => self.lock_object(site, at(0).bits),
            "pthread_mutex_unlock" | "omp_unset_lock" | "pthread_spin_unlock" => {
                self.unlock_object(site, at(0).bits)
            }
            "__kmpc_critical" | "__kmpc_critical_with_hint" => self.lock_object(site, at(2).bits),
            "__kmpc_end_critical" => self.unlock_object(site, at(2).bits),
            "pthread_mutex_init"
            | "pthread_mutex_destroy"
            | "omp_init_lock"
            | "omp_destroy_lock"
            | "pthread_attr_init"
            | "pthread_barrier_destroy" => NOTHING,
            "pthread_barrier_init" => {
                self.memory_mut(site.rank, at(0).bits).store(at(0).bits, 4, at(2));
                NOTHING
            }
            "pthread_barrier_wait" => {
                let count = self.int_at(site, at(0).bits).max(1) as usize;
                self.thread_barrier(site, (Kind::Barrier, at(0).bits), count)
            }
            "__kmpc_global_thread_num" | "omp_get_thread_num" => {
                Flow::Return(Scalar::known(u64::from(self.thread(site).team.0)))
            }
            "omp_get_num_threads" => Flow::Return(Scalar::known(u64::from(self.thread(site).team.1))),
            "omp_get_max_threads" => Flow::Return(Scalar::known(u64::from(TEAM))),
            "__kmpc_push_num_threads" => {
                self.processes[site.rank as usize]
                    .locks
                    .insert(u64::MAX - site.thread as u64, at(2).bits as u32);
                NOTHING
            }
            "omp_set_num_threads" => NOTHING,
            "__kmpc_fork_call" => self.region(site, a),
            "__kmpc_serialized_parallel"
            | "__kmpc_end_serialized_parallel"
            | "__kmpc_for_static_fini"
            | "__kmpc_flush" => NOTHING,
            "__kmpc_barrier" => {
                let (team, size) = (self.thread(site).team_id, self.thread(site).team.1);
                self.thread_barrier(site, (Kind::Team, team), size as usize)
            }
            "__kmpc_master" | "__kmpc_masked" => {
                Flow::Return(Scalar::known(u64::from(self.thread(site).team.0 == 0)))
            }
            "__kmpc_end_master" | "__kmpc_end_masked" | "__kmpc_end_single" => NOTHING,
            "__kmpc_single" => {
                // The first thread of the team takes it: which one does is chance.
                Flow::Return(Scalar::known(u64::from(self.thread(site).team.0 == 0)))
            }
            "__kmpc_for_static_init_4" | "__kmpc_for_static_init_4u" => self.static_schedule(site, a, 4),
            "__kmpc_for_static_init_8" | "__kmpc_for_static_init_8u" => self.static_schedule(site, a, 8),
            "__kmpc_reduce" | "__kmpc_reduce_nowait" => self.lock_object(site, at(6).bits).map_return(1),
            "__kmpc_end_reduce" | "__kmpc_end_reduce_nowait" => self.unlock_object(site, at(2).bits),
            _ if name.starts_with("__kmpc_")
                || name.starts_with("pthread_")
                || name.starts_with("sem_")
                || name.starts_with("thrd_") =>
            {
                return Some(self.unknown_call(site, name));
            }
            _ => return None,
        })
    }

    fn thread(&self, site: &Site) -> &Thread {
        &self.processes[site.rank as usize].threads[site.thread]
    }

    fn start_thread(
        &mut self,
        site: &Site,
        function: u64,
        values: Vec<Value>,
        team: (u32, u32),
        team_id: u64,
    ) -> Option<usize> {
        let index = (function.checked_sub(FUNCTIONS)? / 16) as u32;
        let known = self
            .module
            .functions
            .get(index as usize)
            .is_some_and(|function| !function.blocks.is_empty());
        if !known {
            return None;
        }
        debug_assert_eq!(function_address(index), function);
        self.notes.made_threads = true;
        let threads = &mut self.processes[site.rank as usize].threads;
        let thread = threads.len();
        threads.push(Thread {
            team,
            team_id,
            ..Thread::default()
        });
        let start = object(1, thread as u64);
        self.emit(site.rank, site.thread, EventKind::Release { object: start });
        self.enter_function(site.rank, thread, index, values, None, site.stack, false);
        self.emit(site.rank, thread, EventKind::Acquire { object: start });
        Some(thread)
    }

    /// A thread ends: who joins it knows what it did.
    pub(crate) fn release_end(&mut self, rank: u32, thread: usize) {
        if thread != 0 {
            self.emit(
                rank,
                thread,
                EventKind::Release {
                    object: object(2, thread as u64),
                },
            );
        }
    }

    fn join(&mut self, site: &Site, thread: usize) -> Flow {
        let threads = &self.processes[site.rank as usize].threads;
        match threads.get(thread) {
            Some(other) if other.state == ThreadState::Ended => {
                self.emit(
                    site.rank,
                    site.thread,
                    EventKind::Acquire {
                        object: object(2, thread as u64),
                    },
                );
                NOTHING
            }
            Some(_) => Flow::Block,
            None => NOTHING,
        }
    }

    fn lock_object(&mut self, site: &Site, address: u64) -> Flow {
        let owner = site.thread as u32 + 1;
        let locks = &mut self.processes[site.rank as usize].locks;
        if locks
            .get(&address)
            .is_some_and(|holder| *holder != 0 && *holder != owner)
        {
            return Flow::Block;
        }
        locks.insert(address, owner);
        self.emit(
            site.rank,
            site.thread,
            EventKind::Acquire {
                object: object(3, address),
            },
        );
        NOTHING
    }

    fn unlock_object(&mut self, site: &Site, address: u64) -> Flow {
        self.emit(
            site.rank,
            site.thread,
            EventKind::Release {
                object: object(3, address),
            },
        );
        self.processes[site.rank as usize].locks.insert(address, 0);
        NOTHING
    }

    /// An atomic instruction orders the threads that meet at its address.
    pub(crate) fn order_by_atomic(&mut self, rank: u32, thread: usize, address: u64) {
        if self.notes.made_threads && address < crate::job::SHARED {
            self.emit(
                rank,
                thread,
                EventKind::Acquire {
                    object: object(4, address),
                },
            );
            self.emit(
                rank,
                thread,
                EventKind::Release {
                    object: object(4, address),
                },
            );
        }
    }

    fn thread_barrier(&mut self, site: &Site, (kind, number): (Kind, u64), count: usize) -> Flow {
        let Some(Entered::Meeting(key)) = self.entered(site) else {
            let threads = &mut self.processes[site.rank as usize].threads;
            threads[site.thread].team_step += 1;
            // Ranks are apart: the number of the process is part of the key.
            let key = (
                kind,
                number ^ u64::from(site.rank) << 48,
                threads[site.thread].team_step,
            );
            self.emit(
                site.rank,
                site.thread,
                EventKind::Release {
                    object: object(5, key.1.wrapping_mul(31) ^ key.2),
                },
            );
            self.meetings
                .arrive(key, site.thread as u32, Vec::new(), Vec::new());
            self.set_entered(site, Entered::Meeting(key));
            return self.thread_barrier(site, (kind, number), count);
        };
        if self.meetings.so_far(key) < count {
            return Flow::Block;
        }
        self.emit(
            site.rank,
            site.thread,
            EventKind::Acquire {
                object: object(5, key.1.wrapping_mul(31) ^ key.2),
            },
        );
        self.clear_entered(site);
        NOTHING
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
            for thread in first..first + count {
                let end = object(2, thread as u64);
                self.emit(site.rank, site.thread, EventKind::Acquire { object: end });
            }
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
}

impl Flow {
    fn map_return(self, value: u64) -> Self {
        match self {
            Self::Return(_) => Self::Return(Scalar::known(value)),
            other => other,
        }
    }
}
