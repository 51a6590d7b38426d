//! `auto`: tries the designs that the transport allows, takes the fastest, and looks again when the pattern changes.
//!
//! A *trial* is a race: each design gets some epochs, and the ranks add up their times, so that all decide the same; those that
//! are far behind drop out, and the others run on, longer each time, for the nearer two designs are, the more epochs it
//! takes to tell them apart (successive halving: Jamieson, Talwalkar, AISTATS 2016). The choice holds as long as the pattern does: the number of targets, the bytes, and the time of an epoch, which holds its computation. Ranks ask
//! one another after 64 epochs, then after twice as many, up to 1,024; if one of them has seen another pattern in most of
//! them, there is a new trial. What is held is given up only for a design that is better by a twentieth (hysteresis).
//!
//! Where memory is mapped, puts are stores, and there is nothing to choose: [`flush`](super::flush).
//!
//! Limits: a trial takes 8 to 72 epochs a design, of which the slowest design has 8; a program of fewer epochs than a trial gets no
//! choice, but the design of the trial. A pattern that changes from epoch to epoch is answered by what was best over a trial.

use super::record::Way;
use super::{Fence, FenceDesign, Next, select};
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use crate::{Operation, Result};
use farside_fabric::Signal;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// A heat of a trial.
struct Heat {
    /// Epochs of a design that are not measured.
    warm: u32,
    /// Those that are.
    measured: u32,
    /// A design stays in the trial if it takes at the most so much more than the best: parts in a hundred.
    stays: u64,
}

const HEATS: [Heat; 3] = [
    Heat {
        warm: 2,
        measured: 6,
        stays: 150,
    },
    Heat {
        warm: 4,
        measured: 16,
        stays: 115,
    },
    Heat {
        warm: 4,
        measured: 40,
        stays: 100,
    },
];

/// Epochs until the ranks ask one another: at first, and at the most.
const CHECK: (u32, u32) = (64, 1024);

/// What is held stays if it takes at the most so much more than the best: parts in a hundred.
const HYSTERESIS: u64 = 105;

/// See the module.
pub(crate) struct Auto {
    candidates: Vec<Fence>,
    current: RefCell<Box<dyn FenceDesign>>,
    state: Cell<State>,
    /// Epochs of the state so far.
    epochs: Cell<u32>,
    began: Cell<Duration>,
    /// Those that are still in the trial, by their number.
    contenders: RefCell<Vec<usize>>,
    /// Time of each contender in this heat, of this rank.
    times: RefCell<Vec<u64>>,
    /// The last trial's result: nanoseconds an epoch and rank, in the order of the candidates, each in its last heat.
    results: RefCell<Vec<u64>>,
    held: Cell<Fence>,
    /// The pattern of the trial, and the number of epochs since the last check that had another one.
    pattern: Cell<Pattern>,
    others: Cell<u32>,
    trials: Cell<u32>,
}

/// What it is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Of this heat, the contender of this place runs.
    Trial { heat: usize, place: usize },
    /// Holds a choice; asks after so many epochs.
    Hold(u32),
}

/// What an epoch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pattern {
    targets: usize,
    bytes: u64,
}

impl Pattern {
    /// Whether a design could be better for one than for the other: numbers differ by a factor of 4 or so.
    fn differs(self, other: Self) -> bool {
        let far = |left: u64, right: u64| (left + 1).ilog2().abs_diff((right + 1).ilog2()) > 1;
        (self.targets == 0) != (other.targets == 0)
            || far(self.targets as u64, other.targets as u64)
            || far(self.bytes, other.bytes)
    }
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
                Fence::Fold,
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
            State::Trial { heat: 0, place: 0 }
        } else {
            State::Hold(u32::MAX)
        };
        Ok(Self {
            contenders: RefCell::new((0..candidates.len()).collect()),
            times: RefCell::default(),
            results: RefCell::new(vec![0; candidates.len()]),
            candidates,
            current: RefCell::new(select::make(window, Fence::Flush)?),
            state: Cell::new(state),
            epochs: Cell::new(0),
            began: Cell::new(Duration::ZERO),
            held: Cell::new(Fence::Flush),
            pattern: Cell::default(),
            others: Cell::new(0),
            trials: Cell::new(0),
        })
    }

    /// An epoch is over. Whether the design changed.
    fn advance(&self, window: &WindowCore, pattern: Pattern) -> Result<bool> {
        let epochs = self.epochs.get() + 1;
        self.epochs.set(epochs);
        match self.state.get() {
            State::Trial { heat, .. } if epochs == HEATS[heat].warm => {
                self.began.set(window.fabric().now());
                Ok(false)
            }
            State::Trial { heat, place } if epochs == HEATS[heat].warm + HEATS[heat].measured => {
                let time = window.fabric().now().saturating_sub(self.began.get());
                self.times.borrow_mut().push(time.as_nanos() as u64);
                self.pattern.set(pattern);
                let next = self.contenders.borrow().get(place + 1).copied();
                match next {
                    Some(next) => {
                        let place = place + 1;
                        self.turn_to(window, self.candidates[next], State::Trial { heat, place })
                    }
                    None => self.judge(window, heat),
                }
            }
            State::Trial { .. } => Ok(false),
            State::Hold(period) => {
                if pattern.differs(self.pattern.get()) {
                    self.others.set(self.others.get() + 1);
                }
                if epochs < period || self.candidates.len() < 2 {
                    return Ok(false);
                }
                self.check(window, period)
            }
        }
    }

    /// The end of a heat: all ranks judge the same.
    fn judge(&self, window: &WindowCore, heat: usize) -> Result<bool> {
        let mut sums = self.times.take();
        window.group.allreduce(Operation::Sum, &mut sums)?;
        let share = u64::from(window.group.size()) * u64::from(HEATS[heat].measured);
        let least = sums.iter().copied().min().unwrap_or(0);
        let within = |sum: u64, parts: u64| sum.saturating_mul(100) <= least.saturating_mul(parts);
        let contenders = self.contenders.take();
        let ran: Vec<(usize, u64)> = contenders.into_iter().zip(sums).collect();
        for &(candidate, sum) in &ran {
            self.results.borrow_mut()[candidate] = sum / share;
        }
        let stay = ran.iter().filter(|(_, sum)| within(*sum, HEATS[heat].stays));
        let stay: Vec<usize> = stay.map(|(candidate, _)| *candidate).collect();
        if stay.len() > 1 && heat + 1 < HEATS.len() {
            let first = self.candidates[stay[0]];
            *self.contenders.borrow_mut() = stay;
            let heat = heat + 1;
            return self.turn_to(window, first, State::Trial { heat, place: 0 });
        }
        let held = ran
            .iter()
            .find(|(candidate, _)| self.candidates[*candidate] == self.held.get());
        let held = held.filter(|(_, sum)| self.trials.get() > 0 && within(*sum, HYSTERESIS));
        let best = ran.iter().min_by_key(|(_, sum)| *sum);
        let chosen = held
            .or(best)
            .map_or(self.held.get(), |(candidate, _)| self.candidates[*candidate]);
        self.held.set(chosen);
        self.trials.set(self.trials.get() + 1);
        self.began.set(window.fabric().now());
        self.others.set(0);
        self.turn_to(window, chosen, State::Hold(CHECK.0))
    }

    /// Whether some rank has seen another pattern.
    fn check(&self, window: &WindowCore, period: u32) -> Result<bool> {
        let now = window.fabric().now();
        let time = now.saturating_sub(self.began.get()).as_nanos() as u64 / u64::from(period);
        self.began.set(now);
        let place = self.candidates.iter().position(|&fence| fence == self.held.get());
        let before = place
            .and_then(|place| self.results.borrow().get(place).copied())
            .unwrap_or(0);
        let slower = time > 2 * before || 2 * time < before;
        let mut changed = [u32::from(slower || self.others.get() > period / 2)];
        window.group.allreduce(Operation::Max, &mut changed)?;
        self.others.set(0);
        self.epochs.set(0);
        if changed[0] == 0 {
            self.state.set(State::Hold((2 * period).min(CHECK.1)));
            return Ok(false);
        }
        *self.contenders.borrow_mut() = (0..self.candidates.len()).collect();
        self.turn_to(window, self.candidates[0], State::Trial { heat: 0, place: 0 })
    }

    fn turn_to(&self, window: &WindowCore, fence: Fence, state: State) -> Result<bool> {
        self.state.set(state);
        self.epochs.set(0);
        if self.current.borrow().fence() == fence {
            return Ok(false);
        }
        *self.current.borrow_mut() = select::make(window, fence)?;
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
        matches!(self.state.get(), State::Hold(_)).then(|| self.held.get())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_differ_by_order_of_magnitude() {
        let pattern = |targets, bytes| Pattern { targets, bytes };
        assert!(!pattern(8, 4096).differs(pattern(10, 8192)));
        assert!(pattern(1, 16).differs(pattern(8, 16)));
        assert!(pattern(1, 16).differs(pattern(1, 65536)));
        assert!(pattern(0, 0).differs(pattern(1, 0)));
    }
}
