//! A trial of `auto`: which design runs in which epoch, and which of them is the fastest. No communication, no clock of
//! its own.
//!
//! In a *heat* the contenders take turns, several times: what a turn takes depends on how ranks are apart when it
//! begins, and on what else the machine does meanwhile. The latter changes by itself; the former may not, for the
//! design before leaves ranks apart in its own way, so each rank lets some time pass before a turn ([`Trial::delay`]).
//! The mean of the middle half of its turns stands for a design: a turn that was lucky or disturbed decides nothing,
//! and one that comes out either way counts as both. Those that are far slower drop out, and the others run on, longer,
//! for the nearer two designs are, the more epochs it takes to tell them apart (successive halving: Jamieson,
//! Talwalkar, AISTATS 2016).

use std::time::Duration;

/// A heat of a trial.
struct Heat {
    /// How often each contender has its turn.
    turns: usize,
    /// Epochs of a turn that are not measured.
    warm: u32,
    /// Those that are.
    measured: u32,
    /// A design stays in the trial if it takes at the most so much more than the best: parts in a hundred.
    stays: u64,
}

const HEATS: [Heat; 3] = [
    Heat {
        turns: 3,
        warm: 1,
        measured: 3,
        stays: 150,
    },
    Heat {
        turns: 5,
        warm: 2,
        measured: 4,
        stays: 115,
    },
    Heat {
        turns: 9,
        // Ranks that are apart come nearer for some epochs, and a choice is held for hundreds.
        warm: 5,
        measured: 6,
        stays: 100,
    },
];

/// Most that a rank waits before a turn.
const APART: Duration = Duration::from_micros(20);

/// Whether a number is at the most so much more than another: parts in a hundred.
pub(super) fn is_within(time: u64, least: u64, parts: u64) -> bool {
    time.saturating_mul(100) <= least.saturating_mul(parts)
}

/// The mean of the middle half of some times; 0 if there are none.
pub(super) fn middle(times: &mut [u64]) -> u64 {
    times.sort_unstable();
    let cut = (times.len() + 1) / 4;
    let middle = &times[cut..times.len() - cut];
    middle.iter().sum::<u64>() / middle.len().max(1) as u64
}

/// See the module. Candidates are numbers.
pub(super) struct Trial {
    contenders: Vec<usize>,
    heat: usize,
    /// The turn of this contender of the heat, counted over its turns.
    turn: usize,
    /// Epochs of the turn so far.
    epochs: u32,
    began: Duration,
    /// Turns of the trial so far.
    number: u32,
    /// Nanoseconds of each turn of the heat at this rank.
    times: Vec<u64>,
}

/// What follows an epoch.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Another epoch of the same turn.
    On,
    /// The turn of this candidate.
    Turn(usize),
    /// The heat is over: its times are summed up over all ranks, and judged.
    Judge,
}

/// What a heat has shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Another heat begins, with this candidate.
    Heat(usize),
    /// The trial is over. These are left, each with the nanoseconds of an epoch and rank.
    Over(Vec<(usize, u64)>),
}

impl Trial {
    /// Of so many candidates, two or more.
    pub(super) fn new(candidates: usize) -> Self {
        Self {
            contenders: (0..candidates).collect(),
            heat: 0,
            turn: 0,
            epochs: 0,
            began: Duration::ZERO,
            number: 0,
            times: Vec::new(),
        }
    }

    /// Whose turn it is.
    pub(super) fn candidate(&self) -> usize {
        self.contenders[self.turn % self.contenders.len()]
    }

    /// An epoch is over; `now` is asked for the time where a turn begins or ends.
    pub(super) fn advance(&mut self, now: impl Fn() -> Duration) -> Step {
        let heat = &HEATS[self.heat];
        self.epochs += 1;
        if self.epochs == heat.warm {
            self.began = now();
        }
        if self.epochs < heat.warm + heat.measured {
            return Step::On;
        }
        self.times
            .push(now().saturating_sub(self.began).as_nanos() as u64);
        self.epochs = 0;
        self.turn += 1;
        self.number += 1;
        if self.turn == heat.turns * self.contenders.len() {
            return Step::Judge;
        }
        Step::Turn(self.candidate())
    }

    /// How long a rank lets pass before the turn that begins: each another time, and in each turn in another way.
    pub(super) fn delay(&self, rank: u32) -> Duration {
        // Multiples of the golden section, modulo 1, are spread evenly (Knuth, TAOCP 3, §6.4).
        let part = (rank + 1).wrapping_mul(self.number).wrapping_mul(0x9e37_79b9);
        APART.mul_f64(f64::from(part) / f64::from(u32::MAX))
    }

    /// The times of the heat at this rank.
    pub(super) fn take_times(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.times)
    }

    /// Judges a heat by the times of `ranks` ranks, summed up. `results` gets the nanoseconds of an epoch of those that
    /// ran.
    pub(super) fn judge(&mut self, sums: &[u64], ranks: u32, results: &mut [u64]) -> Verdict {
        let heat = &HEATS[self.heat];
        let number = self.contenders.len();
        let share = u64::from(ranks) * u64::from(heat.measured);
        let ran: Vec<(usize, u64)> = (0..)
            .zip(&self.contenders)
            .map(|(place, &candidate)| {
                let mut turns: Vec<u64> = sums.iter().skip(place).step_by(number).copied().collect();
                (candidate, middle(&mut turns) / share)
            })
            .collect();
        for &(candidate, time) in &ran {
            results[candidate] = time;
        }
        let least = ran.iter().map(|&(_, time)| time).min().unwrap_or(0);
        let stay = ran.iter().filter(|(_, time)| is_within(*time, least, heat.stays));
        let stay: Vec<usize> = stay.map(|(candidate, _)| *candidate).collect();
        self.heat += 1;
        self.turn = 0;
        if stay.len() < 2 || self.heat == HEATS.len() {
            return Verdict::Over(ran);
        }
        self.contenders = stay;
        Verdict::Heat(self.candidate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a trial in which an epoch of a candidate takes so many microseconds; `luck` says it for each of its turns.
    fn run(candidates: usize, luck: impl Fn(usize, usize) -> u64) -> (Vec<(usize, u64)>, u32) {
        let (mut trial, mut results) = (Trial::new(candidates), vec![0; candidates]);
        let mut turns = vec![0; candidates];
        let (mut clock, mut epochs) = (Duration::ZERO, 0);
        loop {
            let candidate = trial.candidate();
            clock += Duration::from_micros(luck(candidate, turns[candidate]));
            epochs += 1;
            match trial.advance(|| clock) {
                Step::On => {}
                Step::Turn(next) => {
                    turns[candidate] += 1;
                    assert_eq!(next, trial.candidate());
                }
                Step::Judge => {
                    turns[candidate] += 1;
                    let times = trial.take_times();
                    if let Verdict::Over(ran) = trial.judge(&times, 1, &mut results) {
                        assert!(ran.iter().all(|&(candidate, time)| results[candidate] == time));
                        return (ran, epochs);
                    }
                }
            }
        }
    }

    fn best(ran: &[(usize, u64)]) -> Option<usize> {
        ran.iter()
            .min_by_key(|(_, time)| *time)
            .map(|(candidate, _)| *candidate)
    }

    #[test]
    fn a_turn_that_was_lucky_or_disturbed_decides_nothing() {
        // The second is faster in every third turn, and slower in the others.
        let (ran, _) = run(2, |candidate, turn| match (candidate, turn % 3) {
            (0, _) => 100,
            (_, 0) => 80,
            _ => 110,
        });
        assert_eq!((best(&ran), ran[1].1), (Some(0), 104_000));
        // The first is disturbed now and then.
        let (ran, _) = run(2, |candidate, turn| match (candidate, turn % 4) {
            (0, 1) => 100_000,
            (0, _) => 100,
            _ => 110,
        });
        assert_eq!(best(&ran), Some(0));
    }

    #[test]
    fn the_middle_half_is_what_is_left_without_a_quarter_at_either_end() {
        for (times, mean) in [
            (&mut [][..], 0),
            (&mut [7], 7),
            (&mut [9, 1], 5),
            (&mut [900, 4, 1], 4),
        ] {
            assert_eq!(middle(times), mean);
        }
        assert_eq!(middle(&mut [8, 100, 1, 6, 2, 90, 7, 5]), 6);
    }

    #[test]
    fn ranks_are_apart_in_another_way_in_each_turn() {
        let mut trial = Trial::new(2);
        let mut orders = std::collections::BTreeSet::new();
        for number in 1..=9 {
            trial.number = number;
            let mut ranks: Vec<u32> = (0..8).collect();
            ranks.sort_unstable_by_key(|&rank| trial.delay(rank));
            let delays: Vec<Duration> = ranks.iter().map(|&rank| trial.delay(rank)).collect();
            assert!(delays.windows(2).all(|pair| pair[0] < pair[1]) && delays[7] <= APART);
            orders.insert(ranks);
        }
        assert_eq!(orders.len(), 9);
    }

    #[test]
    fn those_far_behind_drop_out_and_near_ones_run_long() {
        let (ran, epochs) = run(3, |candidate, _| [100, 200, 400][candidate]);
        assert_eq!((best(&ran), ran.len(), epochs), (Some(0), 3, 36));
        let (ran, epochs) = run(3, |candidate, _| [100, 99, 200][candidate]);
        assert_eq!((best(&ran), ran.len(), epochs), (Some(1), 2, 36 + 60 + 198));
    }
}
