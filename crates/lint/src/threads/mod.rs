//! Threads: POSIX and C11 threads, those of C++, and OpenMP.
//!
//! Threads take turns; what orders them is told to the detector by objects that are released and acquired.
//!
//! | what | file |
//! |---|---|
//! | begin and end of threads | here |
//! | what they wait for | `exclusion` |
//! | atomic accesses | `atomic` |
//! | C++'s runtime, exceptions | `cxx` |
//! | OpenMP: regions, loops, tasks | `openmp`, `worksharing`, `task` |

mod atomic;
mod cxx;
mod exclusion;
mod openmp;
mod task;
mod worksharing;

use crate::flow::Flow;
use crate::job::Job;
use crate::layout::function_address;
use crate::layout::function_at;
use crate::process::{Thread, ThreadState};
use crate::site::{At, Site};
use crate::value::{Scalar, Value};
use farside_events::{EventKind, ObjectId};

pub(crate) use atomic::FENCES;

const NOTHING: Flow = Flow::Return(Scalar::known(0));

/// Numbers of objects: the kind in the upper bits.
fn object(kind: u64, number: u64) -> ObjectId {
    ObjectId(kind << 56 | number & ((1 << 56) - 1))
}

impl Job<'_> {
    /// A function of a thread library; `None` if it is none.
    pub(crate) fn thread_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Option<Flow> {
        let at = |index: usize| a.get(index).copied().unwrap_or_default();
        let followed = self
            .exclusion_call(site, name, a)
            .or_else(|| self.openmp_call(site, name, a))
            .or_else(|| self.cxx_call(site, name, a));
        if followed.is_some() {
            return followed;
        }
        Some(match name {
            "pthread_create" => self.create_thread(site, at(0).bits, at(2).bits, at(3))?,
            "thrd_create" => self.create_thread(site, at(0).bits, at(1).bits, at(2))?,
            "pthread_join" | "thrd_join" => self.join(site, at(0).bits as usize),
            "pthread_exit" | "thrd_exit" => {
                let own = self.processes.thread_mut(site.at());
                own.frames.clear();
                self.end_thread(site.at());
                Flow::Ended
            }
            "pthread_self" | "thrd_current" => Flow::Return(Scalar::known(site.thread as u64)),
            "pthread_equal" | "thrd_equal" => {
                Flow::Return(Scalar::known(u64::from(at(0).bits == at(1).bits)))
            }
            "thrd_yield" | "thrd_sleep" | "pthread_yield" => Flow::Poll(Scalar::known(0)),
            _ if SILENT.contains(&name)
                || name.starts_with("pthread_attr_")
                || name.starts_with("pthread_mutexattr_") =>
            {
                NOTHING
            }
            _ if [
                "__kmpc_",
                "pthread_",
                "sem_",
                "thrd_",
                "mtx_",
                "cnd_",
                "_ZNSt6thread15",
            ]
            .iter()
            .any(|start| name.starts_with(start)) =>
            {
                return Some(self.unknown_call(site, name));
            }
            _ => return None,
        })
    }

    fn thread(&self, site: &Site) -> &Thread {
        self.processes.thread(site.at())
    }

    fn start_thread(
        &mut self,
        site: &Site,
        function: u64,
        values: Vec<Value>,
        team: (u32, u32),
        team_id: u64,
    ) -> Option<usize> {
        let index = function_at(function)?;
        let known = self
            .module
            .functions
            .get(index as usize)
            .is_some_and(|function| !function.blocks.is_empty());
        if !known {
            self.unknown_call(site, "a thread's function, by a pointer that is not known,");
            return None;
        }
        debug_assert_eq!(function_address(index), function);
        self.notes.make_thread();
        let threads = &mut self.processes.of_mut(site.rank).threads;
        let thread = threads.len();
        threads.push(Thread {
            team,
            team_id,
            ..Thread::default()
        });
        let start = object(1, thread as u64);
        self.emit(site.at(), EventKind::Release { object: start });
        let other = At { thread, ..site.at() };
        self.enter_function(other, index, values, None, site.stack, false);
        self.emit(other, EventKind::Acquire { object: start });
        Some(thread)
    }

    /// A thread ends: who joins it knows what it did.
    pub(crate) fn release_end(&mut self, at: At) {
        if at.thread != 0 {
            self.emit(
                at,
                EventKind::Release {
                    object: object(2, at.thread as u64),
                },
            );
        }
    }

    fn join(&mut self, site: &Site, thread: usize) -> Flow {
        let threads = &self.processes.of(site.rank).threads;
        match threads.get(thread) {
            Some(other) if other.state == ThreadState::Ended => {
                self.learn_ends(site, [thread]);
                NOTHING
            }
            Some(_) => Flow::Block,
            None => NOTHING,
        }
    }

    fn all_ended(&self, site: &Site, threads: &[usize]) -> bool {
        let known = &self.processes.of(site.rank).threads;
        threads
            .iter()
            .all(|thread| known[*thread].state == ThreadState::Ended)
    }

    /// The thread comes after all that these did.
    fn learn_ends(&mut self, site: &Site, threads: impl IntoIterator<Item = usize>) {
        for thread in threads {
            let object = object(2, thread as u64);
            self.emit(site.at(), EventKind::Acquire { object });
        }
    }
}

/// Functions that order nothing and whose result, zero, means success.
const SILENT: [&str; 18] = [
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_barrier_destroy",
    "pthread_detach",
    "pthread_setname_np",
    "pthread_condattr_init",
    "sem_destroy",
    "mtx_init",
    "mtx_destroy",
    "cnd_init",
    "cnd_destroy",
    "thrd_detach",
];
