//! Mutexes, condition variables, semaphores, readers' and writers' locks, barriers, and what is done once.

use super::{NOTHING, object};
use crate::flow::Flow;
use crate::job::Job;
use crate::layout::function_at;
use crate::matching::Kind;
use crate::process::{Entered, Locks};
use crate::site::Site;
use crate::value::{Scalar, Value};
use farside_events::EventKind;

/// `ETIMEDOUT` and `EBUSY` of Linux.
const BUSY: u64 = 16;

impl Job<'_> {
    /// A function that makes threads wait for each other; `None` if it is none.
    pub(super) fn exclusion_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Option<Flow> {
        let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
        Some(match name {
            "pthread_mutex_lock"
            | "pthread_mutex_timedlock"
            | "mtx_lock"
            | "omp_set_lock"
            | "omp_set_nest_lock"
            | "pthread_spin_lock" => self.lock_object(site, at(0)),
            "pthread_mutex_trylock" | "pthread_spin_trylock" | "mtx_trylock" => {
                match self.lock_object(site, at(0)) {
                    Flow::Block => Flow::Poll(Scalar::known(BUSY)),
                    flow => flow,
                }
            }
            "omp_test_lock" | "omp_test_nest_lock" => match self.lock_object(site, at(0)) {
                Flow::Block => Flow::Poll(Scalar::known(0)),
                flow => flow.map_return(1),
            },
            "pthread_mutex_unlock"
            | "mtx_unlock"
            | "omp_unset_lock"
            | "omp_unset_nest_lock"
            | "pthread_spin_unlock" => self.unlock_object(site, at(0)),
            "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_wait" => {
                self.wait_for_condition(site, at(0), at(1))
            }
            "pthread_cond_signal" | "pthread_cond_broadcast" | "cnd_signal" | "cnd_broadcast" => {
                self.signal_condition(site, at(0))
            }
            "sem_init" => {
                self.locks(site).set_count(at(0), at(2) as u32);
                NOTHING
            }
            "sem_wait" | "sem_timedwait" | "sem_trywait" => {
                if self.locks(site).take(at(0)) {
                    self.acquire_object(site, at(0));
                    NOTHING
                } else if name == "sem_trywait" {
                    Flow::Poll(Scalar::known(u64::from(u32::MAX)))
                } else {
                    Flow::Block
                }
            }
            "sem_post" => {
                self.release_object(site, at(0));
                self.locks(site).add(at(0));
                NOTHING
            }
            "pthread_rwlock_rdlock" => {
                if !self.locks(site).read(at(0)) {
                    return Some(Flow::Block);
                }
                self.acquire_object(site, at(0));
                NOTHING
            }
            "pthread_rwlock_wrlock" => self.lock_object(site, at(0)),
            "pthread_rwlock_unlock" => {
                self.release_object(site, at(0));
                self.locks(site).end_read_or_write(at(0));
                NOTHING
            }
            "pthread_barrier_init" => {
                self.memory_mut(site.rank, at(0))
                    .store(at(0), 4, Scalar::known(at(2)));
                NOTHING
            }
            "pthread_barrier_wait" => {
                let count = self.int_at(site, at(0)).max(1) as usize;
                self.thread_barrier(site, (Kind::Barrier, at(0)), count)
            }
            "pthread_once" | "call_once" => self.once(site, at(0), at(1)),
            _ => return None,
        })
    }

    fn locks(&mut self, site: &Site) -> &mut Locks {
        self.processes.of_mut(site.rank).locks()
    }

    pub(super) fn acquire_object(&mut self, site: &Site, address: u64) {
        let object = object(3, address);
        self.emit(site.at(), EventKind::Acquire { object });
    }

    pub(super) fn release_object(&mut self, site: &Site, address: u64) {
        let object = object(3, address);
        self.emit(site.at(), EventKind::Release { object });
    }

    pub(super) fn lock_object(&mut self, site: &Site, address: u64) -> Flow {
        if !self.locks(site).lock(address, site.thread) {
            return Flow::Block;
        }
        self.acquire_object(site, address);
        NOTHING
    }

    pub(super) fn unlock_object(&mut self, site: &Site, address: u64) -> Flow {
        self.release_object(site, address);
        self.locks(site).unlock(address);
        NOTHING
    }

    /// Gives the mutex up, waits until somebody signals, and takes the mutex again, which is all the order that it gives.
    /// Where nobody could go on otherwise it returns unasked, as the standard allows.
    pub(super) fn wait_for_condition(&mut self, site: &Site, condition: u64, mutex: u64) -> Flow {
        match self.entered(site) {
            Some(Entered::Signal(before)) => {
                if before == self.locks(site).signals(condition) && !self.processes.is_stalled() {
                    return Flow::Block;
                }
                let flow = self.lock_object(site, mutex);
                if let Flow::Return(_) = flow {
                    self.clear_entered(site);
                }
                flow
            }
            _ => {
                let before = self.locks(site).signals(condition);
                self.unlock_object(site, mutex);
                self.set_entered(site, Entered::Signal(before));
                Flow::Again
            }
        }
    }

    pub(super) fn signal_condition(&mut self, site: &Site, condition: u64) -> Flow {
        self.locks(site).signal(condition);
        NOTHING
    }

    /// Calls a function at the first call with this control word; the others wait for its end.
    fn once(&mut self, site: &Site, control: u64, function: u64) -> Flow {
        const RUNNING: u64 = 1;
        const DONE: u64 = 2;
        let state = self.memory(site.rank, control).load(control, 4).bits;
        match state {
            DONE => {
                self.acquire_object(site, control);
                NOTHING
            }
            RUNNING if self.locks(site).did_once(control, site.thread) => {
                self.release_object(site, control);
                self.memory_mut(site.rank, control)
                    .store(control, 4, Scalar::known(DONE));
                NOTHING
            }
            RUNNING => Flow::Block,
            _ => {
                self.locks(site).begin_once(control, site.thread);
                self.memory_mut(site.rank, control)
                    .store(control, 4, Scalar::known(RUNNING));
                let Some(index) = self.once_function(site, function) else {
                    return self.once(site, control, function);
                };
                self.enter_function(site.at(), index, Vec::new(), None, site.stack, true);
                Flow::Entered
            }
        }
    }

    /// What is called: `std::call_once` of libstdc++ leaves it in a thread-local variable and names a proxy.
    fn once_function(&mut self, site: &Site, function: u64) -> Option<u32> {
        let module = self.module;
        let known = |address: u64| {
            let index = function_at(address)?;
            let function = module.functions.get(index as usize)?;
            Some((index, function))
        };
        let (index, named) = known(function)?;
        if !named.blocks.is_empty() {
            return Some(index);
        }
        let variable = module
            .globals
            .iter()
            .position(|global| global.name == "_ZSt11__once_call")?;
        let original = self.globals.addresses()[variable];
        let at = self.thread_local(site, original);
        let (index, function) = known(self.memory(site.rank, at).load(at, 8).bits)?;
        (!function.blocks.is_empty()).then_some(index)
    }

    pub(super) fn thread_barrier(&mut self, site: &Site, (kind, number): (Kind, u64), count: usize) -> Flow {
        let Some(Entered::Meeting(key)) = self.entered(site) else {
            let threads = &mut self.processes.of_mut(site.rank).threads;
            threads[site.thread].team_step += 1;
            // Ranks are apart: the number of the process is part of the key.
            let key = (
                kind,
                number ^ u64::from(site.rank) << 48,
                threads[site.thread].team_step,
            );
            let object = object(5, key.1.wrapping_mul(31) ^ key.2);
            self.emit(site.at(), EventKind::Release { object });
            self.meetings
                .arrive(key, site.thread as u32, Vec::new(), Vec::new());
            self.set_entered(site, Entered::Meeting(key));
            return self.thread_barrier(site, (kind, number), count);
        };
        if self.meetings.so_far(key) < count {
            return Flow::Block;
        }
        let object = object(5, key.1.wrapping_mul(31) ^ key.2);
        self.emit(site.at(), EventKind::Acquire { object });
        self.clear_entered(site);
        NOTHING
    }

    /// This thread's copy of a thread-local variable; the first thread has the original.
    pub(crate) fn thread_local(&mut self, site: &Site, original: u64) -> u64 {
        if site.thread == 0 {
            return original;
        }
        let process = self.processes.of_mut(site.rank);
        if let Some(copy) = process.thread_local(site.thread, original) {
            return copy;
        }
        let Some(index) = self.globals.at(original) else {
            return original;
        };
        let global = &self.module.globals[index];
        let copy = process.memory.allocate(global.size.max(8), &global.name);
        process.set_thread_local(site.thread, original, copy);
        self.globals
            .initialize(self.module, &mut process.memory, index, copy);
        copy
    }

    /// Starts a POSIX thread.
    pub(super) fn create_thread(
        &mut self,
        site: &Site,
        result: u64,
        function: u64,
        argument: Scalar,
    ) -> Option<Flow> {
        let thread = self.start_thread(site, function, vec![Value::Scalar(argument)], (0, 1), 0)?;
        self.memory_mut(site.rank, result)
            .store(result, 8, Scalar::known(thread as u64));
        Some(NOTHING)
    }
}
