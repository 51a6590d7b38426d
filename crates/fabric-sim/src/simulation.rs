//! A run: ranks as coroutines, and the scheduler that lets them run in the order of virtual time.

use crate::baton::{Baton, Signal, Stopped, Way};
use crate::choices::{Choices, Random};
use crate::coroutine::{Coroutine, CoroutineResult, DefaultStack, Stack};
use crate::endpoint::SimFabric;
use crate::network::Network;
use crate::outcome::{Error, Outcome};
use crate::time::Time;
use crate::world::{Step, World};
use farside_fabric::Rank;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// A run that is being prepared.
pub struct Simulation {
    network: Network,
    ranks: u32,
    kills: Vec<(Rank, Duration)>,
    limit: Option<Duration>,
    trace: usize,
    stack: usize,
    choices: Option<Box<dyn Choices>>,
}

impl Simulation {
    /// Ranks on a network. Nobody is killed, virtual time has no limit, nothing is traced, decisions are random from
    /// [`Network::seed`], a stack has 256 KiB.
    #[must_use]
    pub fn new(network: &Network, ranks: u32) -> Self {
        Self {
            network: network.clone(),
            ranks,
            kills: Vec::new(),
            limit: None,
            trace: 0,
            stack: 256 << 10,
            choices: None,
        }
    }

    /// Kills a rank at a virtual time, wherever it is then. What it has on its stack is dropped; what it exposed stays;
    /// what it had not sent yet is lost. The others learn of it [`Network::detection`] later.
    #[must_use]
    pub fn kill(mut self, rank: Rank, at: Duration) -> Self {
        self.kills.push((rank, at));
        self
    }

    /// Ends the run with [`Error::TimeLimit`] after so much virtual time. A rank that polls for ever is no deadlock:
    /// only this ends it.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Keeps up to so many events in [`Outcome::trace`].
    #[must_use]
    pub fn trace(mut self, events: usize) -> Self {
        self.trace = events;
        self
    }

    /// Bytes of stack of each rank. Only pages that are used need memory; a rank that needs more ends the process with
    /// SIGSEGV at the guard page.
    #[must_use]
    pub fn stack(mut self, bytes: usize) -> Self {
        self.stack = bytes;
        self
    }

    /// Takes decisions from here in place of the seed.
    #[must_use]
    pub fn choices(mut self, choices: impl Choices + 'static) -> Self {
        self.choices = Some(Box::new(choices));
        self
    }

    /// Runs a program on all ranks, until all have returned.
    ///
    /// # Errors
    /// The network makes no sense, a deadlock, the time limit, or a rank panicked. Then all other ranks are unwound.
    pub fn run<R>(self, program: impl Fn(&SimFabric) -> R) -> Result<Outcome<R>, Error> {
        self.run_until(program, |_| None)
    }

    /// As [`Simulation::run`], for programs that can fail: the first rank that returns an error ends the run.
    ///
    /// # Errors
    /// As there, and [`Error::Failed`].
    pub fn try_run<R, E: Display>(
        self,
        program: impl Fn(&SimFabric) -> Result<R, E>,
    ) -> Result<Outcome<R>, Error> {
        let outcome = self.run_until(program, |result| result.as_ref().err().map(ToString::to_string))?;
        Ok(Outcome {
            results: outcome
                .results
                .into_iter()
                .map(|result| result.and_then(Result::ok))
                .collect(),
            duration: outcome.duration,
            counters: outcome.counters,
            trace: outcome.trace,
        })
    }

    fn world(self) -> Result<World, Error> {
        self.network.validate()?;
        let unknown = self
            .kills
            .iter()
            .map(|(rank, _)| *rank)
            .find(|rank| *rank >= self.ranks);
        if let Some(rank) = unknown.or((self.ranks == 0).then_some(0)) {
            let ranks = self.ranks;
            return Err(Error::RankOutOfRange { rank, ranks });
        }
        let kills: Vec<_> = self
            .kills
            .iter()
            .map(|(rank, at)| (*rank, Time::of(*at)))
            .collect();
        let choices = self
            .choices
            .unwrap_or_else(|| Box::new(Random::new(self.network.seed)));
        let limit = self.limit.map_or(Time::MAX, Time::of);
        Ok(World::new(
            self.network,
            self.ranks,
            choices,
            limit,
            self.trace,
            &kills,
        ))
    }

    fn run_until<R>(
        self,
        program: impl Fn(&SimFabric) -> R,
        is_failure: impl Fn(&R) -> Option<String>,
    ) -> Result<Outcome<R>, Error> {
        let (stack, limit) = (self.stack, self.limit.unwrap_or(Duration::MAX));
        let world = self.world()?;
        let capabilities = Arc::new(world.network.capabilities(world.ranks()));
        let ranks = world.ranks();
        let baton = Arc::new(Baton::new(world));
        // Even if a bug of ours unwinds: no endpoint finds a world that nobody drives.
        let _closing = Closing(&baton);
        let mut crew = Crew {
            baton: &baton,
            members: Vec::new(),
        };
        for rank in 0..ranks {
            let stack = DefaultStack::new(stack).map_err(|error| Error::Stack {
                rank,
                reason: error.to_string(),
            })?;
            let bounds = stack.limit().get()..stack.base().get();
            let endpoint = SimFabric::new(rank, ranks, Arc::clone(&baton), Arc::clone(&capabilities));
            let (baton, program) = (&baton, &program);
            let body = move |way: &Way, signal: Signal| {
                baton.begin(rank, way, bounds.clone());
                match signal {
                    Signal::Go => catch_unwind(AssertUnwindSafe(|| program(&endpoint))),
                    Signal::Stop => Err(Box::new(Stopped) as Box<dyn Any + Send>),
                }
            };
            // SAFETY: `program` and `baton` are borrowed from this call, and `crew`, which owns the coroutine and is
            // never forgotten, is dropped before them: it was made after them.
            let coroutine = unsafe { Coroutine::with_stack_unchecked(stack, body) };
            crew.members.push(Some(coroutine));
        }
        let mut results: Vec<Option<R>> = (0..ranks).map(|_| None).collect();
        let world = |use_it: &dyn Fn(&mut World) -> Error| baton.world(use_it).unwrap_or_else(closed);
        let now = |world: &World| world.now().duration();
        loop {
            match baton.world(World::step).unwrap_or(Step::Done) {
                Step::Run(rank) => match crew.resume(rank, Signal::Go) {
                    None => {}
                    Some(Ok(result)) => {
                        if let Some(reason) = is_failure(&result) {
                            return Err(world(&|world| Error::Failed {
                                rank,
                                at: now(world),
                                reason: reason.clone(),
                            }));
                        }
                        results[rank as usize] = Some(result);
                        baton.world(|world| world.end(rank));
                    }
                    // It died by its own hand.
                    Some(Err(payload)) if payload.is::<Stopped>() => {}
                    Some(Err(payload)) => {
                        return Err(world(&|world| Error::Panicked {
                            rank,
                            at: now(world),
                            message: message(&*payload),
                        }));
                    }
                },
                Step::Stop(rank) => crew.stop(rank),
                Step::Done => break,
                Step::Deadlock => {
                    return Err(world(&|world| Error::Deadlock {
                        at: now(world),
                        waiting: world.waiting(),
                    }));
                }
                Step::TimeLimit => {
                    return Err(world(&|world| Error::TimeLimit {
                        limit,
                        waiting: world.waiting(),
                    }));
                }
            }
        }
        drop(crew);
        let (ended, counters, trace) = baton.close().ok_or_else(closed)?.into_report();
        Ok(Outcome {
            results,
            duration: ended.duration(),
            counters,
            trace,
        })
    }
}

/// The world is there as long as the scheduler runs; if not, there is nothing to run.
fn closed() -> Error {
    Error::RankOutOfRange { rank: 0, ranks: 0 }
}

/// What a panic said.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a value that is not text".to_owned())
}

/// Takes the world away at the end.
struct Closing<'b>(&'b Baton);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        drop(self.0.close());
    }
}

type Ending<R> = std::thread::Result<R>;
type Member<R> = Coroutine<Signal, (), Ending<R>>;

/// The coroutines of all ranks; `None`: it has ended, and its stack is given back.
struct Crew<'b, R> {
    baton: &'b Baton,
    members: Vec<Option<Member<R>>>,
}

impl<R> Crew<'_, R> {
    /// Lets a rank run until it gives way, or ends: then how.
    fn resume(&mut self, rank: Rank, signal: Signal) -> Option<Ending<R>> {
        let member = self.members[rank as usize].as_mut()?;
        self.baton.set_running(Some(rank));
        let result = member.resume(signal);
        self.baton.set_running(None);
        match result {
            CoroutineResult::Yield(()) => None,
            CoroutineResult::Return(ending) => {
                self.members[rank as usize] = None;
                Some(ending)
            }
        }
    }

    /// Unwinds a rank. A panic of a destructor, or a result that comes all the same, is dropped.
    fn stop(&mut self, rank: Rank) {
        // No call gives way any more, so once is enough; the coroutine's own drop would do the rest.
        let _ = self.resume(rank, Signal::Stop);
        self.members[rank as usize] = None;
    }
}

impl<R> Drop for Crew<'_, R> {
    fn drop(&mut self) {
        self.baton.world(|world| world.stopping = true);
        for rank in 0..self.members.len() as Rank {
            if self.members[rank as usize].is_some() {
                self.stop(rank);
            }
        }
    }
}
