//! What the mutexes and semaphores of an interpreter tell, without what is known already.
//!
//! Python gives its lock up and takes it again hundreds of times a second, and each `with lock:` is a semaphore.
//! Most of that says nothing: a thread that has recorded nothing since it last released an object leaves nothing
//! new there, and one that nobody has released the object for since it acquired it learns nothing.
//!
//! Promise: the order that is recorded is the same with and without this module; a property test compares clocks.
//! It is used for the interpreter's own calls alone: of a program's mutexes each is recorded, since a suggested lock
//! is refused where another one is taken within it.

use super::{acquire, observes, release};
use crate::{recorder, stacks};
use farside_events::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

static TOLD: LazyLock<Mutex<Told>> = LazyLock::new(Mutex::default);

/// Code at `caller` is about to release the object.
pub(super) fn releases(object: ObjectId, caller: usize) {
    if !observes(object) || !stacks::is_known_interpreter(caller) {
        return release(object);
    }
    let thread = recorder::thread_id();
    if told().is_news_to_leave(object, thread, recorder::said()) {
        release(object);
        // Before the real call: who acquires the object because of it finds this said.
        told().left(object, thread, recorder::said());
    }
}

/// Code at `caller` has acquired the object.
pub(super) fn acquires(object: ObjectId, caller: usize) {
    if !observes(object) || !stacks::is_known_interpreter(caller) {
        return acquire(object);
    }
    // Noted before it is recorded: what is left there in between is not known to have been learnt.
    let is_news = told().learns(object, recorder::thread_id());
    if is_news {
        acquire(object);
    }
}

fn told() -> MutexGuard<'static, Told> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was recorded of each object.
#[derive(Debug, Default)]
struct Told {
    objects: FxHashMap<ObjectId, Object>,
}

/// What was recorded of an object.
#[derive(Debug, Default)]
struct Object {
    /// Who released it last, and how much that thread had said then.
    left: Option<(ThreadId, u64)>,
    /// Who knows all that was left there.
    informed: Vec<ThreadId>,
}

impl Told {
    /// Whether the thread would leave something there; `said` is how much it has recorded, if it has recorded all.
    fn is_news_to_leave(&self, object: ObjectId, thread: ThreadId, said: Option<u64>) -> bool {
        let known = self.objects.get(&object);
        said.is_none_or(|said| known.is_none_or(|known| known.left != Some((thread, said))))
    }

    /// The thread has left what it knows, and had then recorded so much.
    fn left(&mut self, object: ObjectId, thread: ThreadId, said: Option<u64>) {
        let known = self.objects.entry(object).or_default();
        known.left = said.map(|said| (thread, said));
        // Itself too, if it knew the rest.
        known.informed.retain(|&informed| informed == thread);
    }

    /// The thread takes what was left there; whether it may not know it yet.
    fn learns(&mut self, object: ObjectId, thread: ThreadId) -> bool {
        let known = self.objects.entry(object).or_default();
        let is_news = !known.informed.contains(&thread);
        if is_news {
            known.informed.push(thread);
        }
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Access,
        Release(u64),
        Acquire(u64),
    }

    /// Clocks of threads and objects.
    #[derive(Default)]
    struct Clocks {
        threads: [[u64; THREADS]; THREADS],
        objects: FxHashMap<ObjectId, [u64; THREADS]>,
    }

    const THREADS: usize = 3;

    impl Clocks {
        fn join(into: &mut [u64; THREADS], other: [u64; THREADS]) {
            for (own, other) in into.iter_mut().zip(other) {
                *own = (*own).max(other);
            }
        }

        fn release(&mut self, object: ObjectId, thread: usize) {
            Self::join(self.objects.entry(object).or_default(), self.threads[thread]);
        }

        fn acquire(&mut self, object: ObjectId, thread: usize) {
            let known = self.objects.get(&object).copied().unwrap_or_default();
            Self::join(&mut self.threads[thread], known);
        }
    }

    fn steps() -> impl Strategy<Value = Vec<(usize, Step)>> {
        let step = prop_oneof![
            Just(Step::Access),
            (0..2u64).prop_map(Step::Release),
            (0..2u64).prop_map(Step::Acquire),
        ];
        prop::collection::vec((0..THREADS, step), 0..60)
    }

    proptest! {
        #[test]
        fn clocks_are_those_of_all_that_happened(steps in steps()) {
            let (mut all, mut some) = (Clocks::default(), Clocks::default());
            let mut told = Told::default();
            let mut said = [0; THREADS];
            for (thread, step) in steps {
                let id = ThreadId(thread as _);
                match step {
                    Step::Access => {
                        said[thread] += 1;
                        all.threads[thread][thread] += 1;
                        some.threads[thread][thread] += 1;
                    }
                    Step::Release(object) => {
                        let object = ObjectId(object);
                        all.release(object, thread);
                        if told.is_news_to_leave(object, id, Some(said[thread])) {
                            some.release(object, thread);
                            told.left(object, id, Some(said[thread]));
                        }
                    }
                    Step::Acquire(object) => {
                        let object = ObjectId(object);
                        all.acquire(object, thread);
                        if told.learns(object, id) {
                            some.acquire(object, thread);
                            said[thread] += 1;
                        }
                    }
                }
                prop_assert_eq!(all.threads, some.threads);
            }
        }
    }

    #[test]
    fn a_thread_alone_tells_an_object_once() {
        let (object, thread) = (ObjectId(1), ThreadId(0));
        let mut told = Told::default();
        assert!(told.learns(object, thread) && told.is_news_to_leave(object, thread, Some(1)));
        told.left(object, thread, Some(1));
        assert!(!told.learns(object, thread) && !told.is_news_to_leave(object, thread, Some(1)));
        // It did something since, or has yet to tell what it did.
        assert!(told.is_news_to_leave(object, thread, Some(2)));
        assert!(told.is_news_to_leave(object, thread, None));
        // Another one has to learn it, and what that leaves is news to the first.
        assert!(told.learns(object, ThreadId(1)));
        told.left(object, ThreadId(1), Some(1));
        assert!(told.learns(object, thread));
    }
}
