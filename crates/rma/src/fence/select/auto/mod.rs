//! `auto`: tries the designs that the transport allows, takes the fastest, and looks again when the pattern changes.
//!
//! A [`trial`] is a race: the designs take turns, and the ranks add up their times, so that all decide the same; those
//! that are far slower drop out, and the others run on. The choice holds as long as the pattern does: the number of
//! targets, the bytes, and the time of an epoch, which holds its computation. Ranks ask one another after 64 epochs,
//! then after twice as many, up to 1,024; if one of them has seen another pattern in most of them, there is a new
//! trial. What is held is given up only for a design that is better by a twentieth (hysteresis).
//!
//! Not among them are [`neighbour`](crate::fence::neighbour), which needs a promise of the program,
//! [`imm_naive`](crate::fence::imm_naive), which is never faster than [`imm_opt`](crate::fence::imm_opt), and
//! [`fold`](crate::fence::fold): with one barrier it is `flush`, with two phases it is `count`, and which of them a
//! trial meets is chance.
//!
//! Where memory is mapped, puts are stores, and there is nothing to choose: [`flush`](crate::fence::flush).
//!
//! Limits: a trial takes 12 to 141 epochs a design, of which the slowest design has 12; a program of fewer epochs than
//! a trial gets no choice, but the designs of the trial. A pattern that changes from epoch to epoch is answered by what
//! was best over a trial.

mod trial;
mod watch;

use crate::fence::way::Way;
use crate::fence::{Fence, FenceDesign, Next};
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use crate::{Operation, Result};
use farside_fabric::Signal;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use trial::{Step, Trial, Verdict, is_within};
use watch::{Pattern, Watch};

/// Epochs until the ranks ask one another: at first, and at the most.
const CHECK: (u32, u32) = (64, 1024);

/// What is held stays if it takes at the most so much more than the best: parts in a hundred.
const HYSTERESIS: u64 = 105;

/// See the module.
pub(crate) struct Auto {
    candidates: Vec<Fence>,
    current: RefCell<Box<dyn FenceDesign>>,
    state: RefCell<State>,
    /// The last trial's result: nanoseconds an epoch and rank, in the order of the candidates, each in its last heat.
    results: RefCell<Vec<u64>>,
    held: Cell<Fence>,
    /// The pattern of the trial.
    pattern: Cell<Pattern>,
    trials: Cell<u32>,
}

/// What it is doing.
enum State {
    /// There is nothing to choose.
    Only,
    /// Tries the candidates.
    Trial(Trial),
    /// Holds a choice.
    Hold(Watch),
}

impl Auto {
    pub(crate) fn new(window: &WindowCore) -> Result<Self> {
        let capabilities = window.fabric().capabilities();
        let all = if capabilities.mapped {
            vec![Fence::Flush]
        } else {
            let by_signal = if capabilities.counts {
                Fence::Count
            } else {
                Fence::ImmRi
            };
            vec![
                Fence::Flush,
                Fence::Hierarchical,
                by_signal,
                Fence::ImmOpt,
                Fence::Deferred,
            ]
        };
        let candidates: Vec<Fence> = all
            .into_iter()
            .filter(|fence| window.group.fence_refusal(*fence).is_none())
            .filter(|fence| *fence != Fence::ImmRi || window.slot.is_some())
            .collect();
        let state = if candidates.len() > 1 {
            State::Trial(Trial::new(candidates.len()))
        } else {
            State::Only
        };
        Ok(Self {
            results: RefCell::new(vec![0; candidates.len()]),
            candidates,
            current: RefCell::new(super::make(window, Fence::Flush)?),
            state: RefCell::new(state),
            held: Cell::new(Fence::Flush),
            pattern: Cell::default(),
            trials: Cell::new(0),
        })
    }

    /// An epoch is over. Whether the design changed.
    fn advance(&self, window: &WindowCore, pattern: Pattern) -> Result<bool> {
        let state = &mut *self.state.borrow_mut();
        let now = || window.fabric().now();
        match state {
            State::Only => Ok(false),
            State::Trial(trial) => {
                let step = trial.advance(now);
                let delay = trial.delay(window.group.rank());
                let candidate = match step {
                    Step::On => return Ok(false),
                    Step::Turn(candidate) => candidate,
                    Step::Judge => {
                        self.pattern.set(pattern);
                        let mut sums = trial.take_times();
                        window.group.allreduce(Operation::Sum, &mut sums)?;
                        let results = &mut *self.results.borrow_mut();
                        match trial.judge(&sums, window.group.size(), results) {
                            Verdict::Heat(candidate) => candidate,
                            Verdict::Over(ran) => {
                                let candidate = self.choose(&ran);
                                *state = State::Hold(Watch::new(CHECK.0, now()));
                                candidate
                            }
                        }
                    }
                };
                window.fabric().compute(delay);
                self.turn_to(window, self.candidates[candidate])
            }
            State::Hold(watch) => {
                watch.advance(pattern.differs(self.pattern.get()), now);
                if watch.epochs < watch.period {
                    return Ok(false);
                }
                if !self.is_another(window, watch)? {
                    *watch = Watch::new((2 * watch.period).min(CHECK.1), now());
                    return Ok(false);
                }
                *state = State::Trial(Trial::new(self.candidates.len()));
                self.turn_to(window, self.candidates[0])
            }
        }
    }

    /// The candidate that is held from now on, of those that were left at the end of a trial.
    fn choose(&self, ran: &[(usize, u64)]) -> usize {
        let least = ran.iter().map(|(_, time)| *time).min().unwrap_or(0);
        let held = ran.iter().find(|(candidate, time)| {
            self.candidates[*candidate] == self.held.get() && is_within(*time, least, HYSTERESIS)
        });
        let best = ran.iter().min_by_key(|(_, time)| *time);
        let chosen = held.filter(|_| self.trials.get() > 0).or(best);
        let candidate = chosen.map_or(0, |(candidate, _)| *candidate);
        self.held.set(self.candidates[candidate]);
        self.trials.set(self.trials.get() + 1);
        candidate
    }

    /// Whether some rank has seen another pattern, in numbers or in time.
    fn is_another(&self, window: &WindowCore, watch: &mut Watch) -> Result<bool> {
        let time = watch.time();
        let place = self.candidates.iter().position(|&fence| fence == self.held.get());
        let before = place
            .and_then(|place| self.results.borrow().get(place).copied())
            .unwrap_or(0);
        let slower = time > 2 * before || 2 * time < before;
        let mut changed = [u32::from(slower || watch.others > watch.period / 2)];
        window.group.allreduce(Operation::Max, &mut changed)?;
        Ok(changed[0] != 0)
    }

    fn turn_to(&self, window: &WindowCore, fence: Fence) -> Result<bool> {
        if self.current.borrow().fence() == fence {
            return Ok(false);
        }
        *self.current.borrow_mut() = super::make(window, fence)?;
        Ok(true)
    }
}

impl FenceDesign for Auto {
    fn fence(&self) -> Fence {
        Fence::Auto
    }

    fn way(&self) -> Way {
        match self.current.borrow().way() {
            // The pattern is wanted, if there is a choice.
            Way::Direct if self.candidates.len() > 1 => Way::Recorded(Signal::None),
            way => way,
        }
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        self.current.borrow().begin(window, meeting)
    }

    fn complete(&self, window: &WindowCore, meeting: Meeting) -> Result<Next> {
        let (targets, bytes) = window.record.pattern();
        let next = self.current.borrow().complete(window, meeting)?;
        window.record.take();
        if self.advance(window, Pattern { targets, bytes })? {
            return Ok(Next::ToBegin);
        }
        Ok(next)
    }

    fn settled(&self) -> Option<Fence> {
        (!matches!(*self.state.borrow(), State::Trial(_))).then(|| self.held.get())
    }

    fn explain(&self) -> Option<String> {
        if self.candidates.len() < 2 {
            return Some(format!(
                "{}: memory is mapped, so puts are stores and nothing is left to wait for",
                self.held.get()
            ));
        }
        if self.trials.get() == 0 {
            return Some(format!(
                "{}: the first trial is not over",
                self.current.borrow().fence()
            ));
        }
        let results = self.results.borrow();
        let times: Vec<String> = self
            .candidates
            .iter()
            .zip(&*results)
            .map(|(fence, &time)| format!("{fence} {:.2} us", Duration::from_nanos(time).as_secs_f64() * 1e6))
            .collect();
        let Pattern { targets, bytes } = self.pattern.get();
        Some(format!(
            "{}: an epoch took {} with {targets} targets and {bytes} bytes a rank; trial {}",
            self.held.get(),
            times.join(", "),
            self.trials.get()
        ))
    }
}
