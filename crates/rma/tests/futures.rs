//! Requests and notices as futures, by an executor of fifteen lines and by tokio.

use farside::{CollectiveRequest, Error, Lock, Operation, Result, Window};
use std::future::{Future, IntoFuture};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

/// Wakes an executor. The ranks of a simulation share a thread, so each has a flag of its own.
struct Woken {
    thread: Thread,
    flag: AtomicBool,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.flag.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// All that a future of this crate needs.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let (thread, flag) = (std::thread::current(), AtomicBool::new(true));
    let woken = Arc::new(Woken { thread, flag });
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        while !woken.flag.swap(false, Ordering::Acquire) {
            std::thread::park();
        }
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
    }
}

/// Both are polled until both are ready.
async fn both<A: Future, B: Future>(first: A, second: B) -> (A::Output, B::Output) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    let (mut one, mut two) = (None, None);
    std::future::poll_fn(move |context| {
        if one.is_none()
            && let Poll::Ready(output) = first.as_mut().poll(context)
        {
            one = Some(output);
        }
        if two.is_none()
            && let Poll::Ready(output) = second.as_mut().poll(context)
        {
            two = Some(output);
        }
        match (one.take(), two.take()) {
            (Some(first), Some(second)) => Poll::Ready((first, second)),
            (first, second) => {
                (one, two) = (first, second);
                Poll::Pending
            }
        }
    })
    .await
}

#[test]
#[cfg(feature = "sim")]
fn requests_are_awaited() -> Result<()> {
    farside::simulate(3, |world| {
        let next = (world.rank() + 1) % world.size();
        let mut window = Window::create(world, vec![world.rank(); 8])?.into_passive()?;
        window.lock_all(|epoch| {
            block_on(async {
                let mut lent = [9; 4];
                let owned = epoch.rget(vec![9; 4], next, 0)?;
                assert_eq!(owned.await?, [next; 4]);
                epoch.rput(vec![7], next, 4)?.await?;
                let before = epoch.fetch(Operation::Sum, 1, next, 5)?.await?;
                assert_eq!(before, next);
                let parts = [epoch.rget(vec![9; 2], next, 0)?, epoch.rget(vec![9; 2], next, 2)?];
                let [first, second] = parts.map(IntoFuture::into_future);
                let (first, second) = both(first, second).await;
                assert_eq!((first?, second?), (vec![next; 2], vec![next; 2]));
                lent.fill(0);
                Ok(())
            })
        })?;
        let window = window.into_active()?;
        let me = world.rank();
        assert_eq!(window.local()?, [me, me, me, me, 7, me + 1, me, me]);
        window.free()
    })?;
    Ok(())
}

/// A future that is dropped leaves its buffer to the window; one that is forgotten, too.
#[test]
#[cfg(feature = "sim")]
fn futures_that_nobody_awaits_to_the_end_leave_their_buffers() -> Result<()> {
    farside::simulate(2, |world| {
        let other = 1 - world.rank();
        let mut window = Window::<u32>::allocate(world, 1000)?.into_passive()?;
        window.lock_all(|epoch| {
            for is_dropped in [true, false] {
                let mut get = epoch.rget(vec![0; 1000], other, 0)?.into_future();
                let polled = Pin::new(&mut get).poll(&mut Context::from_waker(Waker::noop()));
                assert!(polled.is_pending());
                match is_dropped {
                    true => drop(get),
                    // Miri tells a leak, which it is.
                    false if cfg!(miri) => drop(get),
                    false => std::mem::forget(get),
                }
            }
            // They complete all the same.
            let last = block_on(epoch.rget(vec![9; 1], other, 999)?.into_future())?;
            assert_eq!(last, [0]);
            epoch.flush_all()
        })?;
        window.free()
    })?;
    Ok(())
}

/// Each rank awaits its two calls in another order.
#[test]
#[cfg(feature = "sim")]
fn collective_calls_are_awaited_in_any_order() -> Result<()> {
    let sums = farside::simulate(4, |world| {
        let first: CollectiveRequest<_> = world.iallreduce(Operation::Sum, vec![world.rank()])?;
        let second = world.iallreduce(Operation::Max, vec![world.rank()])?;
        block_on(async {
            if world.rank() % 2 == 0 {
                let second = second.await?;
                return Ok((first.await?, second));
            }
            let (first, second) = both(first.into_future(), second.into_future()).await;
            Ok((first?, second?))
        })
    })?;
    assert!(sums.iter().all(|sums| *sums == (vec![6], vec![3])), "{sums:?}");
    Ok(())
}

/// Both ranks await a notice that nobody sends: the one whose time is over first says so of both.
#[test]
#[cfg(feature = "sim")]
#[cfg_attr(miri, ignore = "too many polls")]
fn what_never_comes_ends_with_who_waits_for_whom() -> Result<()> {
    let limit = Duration::from_secs(5000);
    let errors = farside::simulate(2, |world| {
        world.set_time_limit(Some(limit));
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let error = window.lock_all(|epoch| {
            let both = both(epoch.next_notice(Some(1)), epoch.next_notice(Some(2)));
            let (first, second) = block_on(both);
            assert!(matches!(second, Err(Error::TimeOut { .. })), "{second:?}");
            Ok(first.expect_err("nobody notifies"))
        })?;
        // The other one has not given up yet, and the window is whole: nothing was lent to it.
        window.into_active()?.free()?;
        Ok(error)
    })?;
    for error in errors {
        let Error::TimeOut { limit: given, waits } = error else {
            panic!("{error}");
        };
        assert_eq!(given, limit);
        let text = waits.to_string();
        for rank in ["rank 0", "rank 1"] {
            let line = format!(
                "{rank} waits in next_notice on window 0 of the world, at crates/rma/tests/futures.rs:"
            );
            assert!(text.contains(&line), "{text}");
        }
    }
    Ok(())
}

/// The same of a lock's holder and a collective call.
#[test]
#[cfg(feature = "sim")]
#[cfg_attr(miri, ignore = "too many polls")]
fn a_collective_call_that_never_ends_says_who_is_missing() -> Result<()> {
    let result = farside::simulate(2, |world| {
        world.set_time_limit(Some(Duration::from_secs(5000)));
        let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        if world.rank() == 0 {
            return block_on(world.ibarrier()?.into_future());
        }
        window.lock(1, Lock::Exclusive, |epoch| {
            block_on(epoch.next_notice(None)).map(drop)
        })
    });
    let Err(Error::TimeOut { waits, .. }) = result else {
        panic!("{result:?}");
    };
    let text = waits.to_string();
    assert!(text.contains("rank 0 waits in ibarrier"), "{text}");
    assert!(text.contains("rank 1 waits in next_notice"), "{text}");
    Ok(())
}

/// While a rank awaits a notice, its executor does other things, and does not spin.
#[cfg(feature = "shm")]
mod tokio_runs_them {
    use super::*;
    use farside::World;
    use std::cell::Cell;
    use std::time::Instant;

    /// Counts how often a future is polled.
    struct Counted<'c, F>(F, &'c Cell<u32>);

    impl<F: Future + Unpin> Future for Counted<'_, F> {
        type Output = F::Output;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
            self.1.set(self.1.get() + 1);
            Pin::new(&mut self.0).poll(context)
        }
    }

    /// The second rank notifies after a time in which the first one's timer ticks.
    fn program(world: &World) -> Result<(u32, u32, Duration)> {
        const TICKS: u32 = 20;
        let tick = Duration::from_millis(5);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let (polls, ticks) = (Cell::new(0), Cell::new(0));
        let began = Instant::now();
        window.lock_all(|epoch| {
            if world.rank() == 1 {
                std::thread::sleep(tick * TICKS);
                return epoch.put_notify(&[42], 0, 0, 7);
            }
            if world.rank() == 0 {
                let ticking = async {
                    loop {
                        tokio::time::sleep(tick).await;
                        ticks.set(ticks.get() + 1);
                    }
                };
                let notice = runtime.block_on(async {
                    tokio::select! {
                        notice = Counted(Box::pin(epoch.next_notice(Some(7))), &polls) => notice,
                        () = ticking => unreachable!("it ticks for ever"),
                    }
                })?;
                assert_eq!((notice.number, epoch.direct(0)?.load(0)?), (7, 42));
            }
            Ok(())
        })?;
        let waited = began.elapsed();
        window.free()?;
        Ok((ticks.get(), polls.get(), waited))
    }

    #[test]
    fn beside_other_futures_and_without_spinning() -> Result<()> {
        let (ticks, polls, waited) = farside::threads(2, program)?[0];
        assert!(ticks >= 5, "{ticks} ticks");
        // Pauses grow to 50 us within some polls; an executor that spins polls several times as often.
        let most = 100 + waited.as_micros() / 40;
        assert!(u128::from(polls) < most, "{polls} polls in {waited:?}");
        Ok(())
    }

    /// Tasks of their own, of one thread.
    #[test]
    fn collective_requests_are_tasks() -> Result<()> {
        let sums = farside::threads(2, |world| {
            let request = world.iallreduce(Operation::Sum, vec![world.rank() + 1])?;
            let runtime = tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime");
            let tasks = tokio::task::LocalSet::new();
            let task = tasks.spawn_local(request.into_future());
            Ok(tasks.block_on(&runtime, task).expect("no panic")?[0])
        })?;
        assert_eq!(sums, [3, 3]);
        Ok(())
    }
}
