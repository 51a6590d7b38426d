//! What ranks run on: coroutines of one thread. Miri cannot switch stacks, so under Miri each is a thread, of which one
//! runs at a time: the same order of events, and every access is seen.

#[cfg(not(miri))]
pub(crate) use corosensei::stack::{DefaultStack, Stack};
#[cfg(not(miri))]
pub(crate) use corosensei::{Coroutine, CoroutineResult, Yielder};
#[cfg(miri)]
pub(crate) use threads::{Coroutine, CoroutineResult, DefaultStack, Stack, Yielder};

/// The part of `corosensei` that is used here, by threads that hand over.
#[cfg(miri)]
mod threads {
    use std::io;
    use std::num::NonZero;
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread::JoinHandle;

    /// A stack, of which the system takes care.
    pub(crate) struct DefaultStack;

    impl DefaultStack {
        pub(crate) fn new(_: usize) -> io::Result<Self> {
            Ok(Self)
        }
    }

    /// Its bounds: the whole address space.
    pub(crate) trait Stack {
        fn base(&self) -> NonZero<usize> {
            NonZero::<usize>::MAX
        }

        fn limit(&self) -> NonZero<usize> {
            NonZero::<usize>::MIN
        }
    }

    impl Stack for DefaultStack {}

    /// What goes from thread to thread.
    struct Force<T>(T);

    // SAFETY: one thread of a run runs at a time, and a lock is passed in between; as with coroutines of one thread,
    // but for variables of a thread, which the transport has none of that matter.
    unsafe impl<T> Send for Force<T> {}

    /// How a coroutine gives way, or ends.
    pub(crate) enum CoroutineResult<Y, R> {
        Yield(Y),
        Return(R),
    }

    struct Board<I, Y, R> {
        input: Option<Force<I>>,
        output: Option<Force<CoroutineResult<Y, R>>>,
    }

    struct Door<I, Y, R> {
        board: Mutex<Board<I, Y, R>>,
        changed: Condvar,
    }

    impl<I, Y, R> Door<I, Y, R> {
        fn put(&self, fill: impl FnOnce(&mut Board<I, Y, R>)) {
            fill(&mut self.board.lock().expect("nobody panics here"));
            self.changed.notify_all();
        }

        fn take<T>(&self, mut take: impl FnMut(&mut Board<I, Y, R>) -> Option<T>) -> T {
            let mut board = self.board.lock().expect("nobody panics here");
            loop {
                if let Some(value) = take(&mut board) {
                    return value;
                }
                board = self.changed.wait(board).expect("nobody panics here");
            }
        }

        fn input(&self) -> I {
            self.take(|board| board.input.take()).0
        }
    }

    /// How a coroutine gives way.
    pub(crate) struct Yielder<I, Y> {
        give_way: Box<dyn Fn(Y) -> I>,
    }

    impl<I, Y> Yielder<I, Y> {
        pub(crate) fn suspend(&self, value: Y) -> I {
            (self.give_way)(value)
        }
    }

    pub(crate) struct Coroutine<I, Y, R> {
        door: Arc<Door<I, Y, R>>,
        thread: Option<JoinHandle<()>>,
    }

    impl<I: 'static, Y: 'static, R> Coroutine<I, Y, R> {
        /// # Safety
        /// What `body` borrows outlives the coroutine, which is resumed until it returns.
        pub(crate) unsafe fn with_stack_unchecked(
            _: DefaultStack,
            body: impl FnOnce(&Yielder<I, Y>, I) -> R,
        ) -> Self {
            let door = Arc::new(Door {
                board: Mutex::new(Board {
                    input: None,
                    output: None,
                }),
                changed: Condvar::new(),
            });
            let own = Force(Arc::clone(&door));
            let run: Box<dyn FnOnce()> = Box::new(move || {
                let own = own;
                // SAFETY: the door outlives the thread, which holds it; only its lifetime in names is shortened.
                let away: Arc<Door<I, Y, R>> = Arc::clone(&own.0);
                let give_way: Box<dyn Fn(Y) -> I + '_> = Box::new(move |value| {
                    away.put(|board| board.output = Some(Force(CoroutineResult::Yield(value))));
                    away.input()
                });
                // SAFETY: the yielder is dropped below, in this function.
                let give_way: Box<dyn Fn(Y) -> I> = unsafe { std::mem::transmute(give_way) };
                let result = body(&Yielder { give_way }, own.0.input());
                own.0
                    .put(|board| board.output = Some(Force(CoroutineResult::Return(result))));
            });
            // SAFETY: what it borrows outlives the coroutine, by the caller's promise; `resume` joins the thread.
            let run: Box<dyn FnOnce() + 'static> = unsafe { std::mem::transmute(run) };
            let run = Force(run);
            let thread = std::thread::spawn(move || {
                let run = run;
                (run.0)();
            });
            Self {
                door,
                thread: Some(thread),
            }
        }

        /// Lets it run until it gives way or ends.
        pub(crate) fn resume(&mut self, input: I) -> CoroutineResult<Y, R> {
            self.door.put(|board| board.input = Some(Force(input)));
            let output = self.door.take(|board| board.output.take()).0;
            if let CoroutineResult::Return(_) = output
                && let Some(thread) = self.thread.take()
            {
                thread.join().expect("the body does not unwind");
            }
            output
        }
    }
}
