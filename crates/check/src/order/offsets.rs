//! How far the clocks of hosts are apart, from what is known to have happened before what.
//!
//! Each cause and its effect bound the offset of two clocks from one side. The bounds of a clock against that of the
//! first host are kept as an interval, which widens with age, for clocks drift. It is used to choose among events of
//! which none waits for another, so that the hosts keep in step; order is never taken from it.

use farside_causes::Moment;

/// Millionths by which two clocks may drift apart: more than the kernel allows a clock to be slewed.
const DRIFT: i64 = 500;

/// The clocks of all hosts.
#[derive(Debug, Default)]
pub(super) struct Offsets(Vec<Clock>);

/// One clock against that of the first host.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// Its time less the first's.
    estimate: i64,
    least: Option<Bound>,
    most: Option<Bound>,
}

/// A bound, and when it was found, by the clock itself.
#[derive(Clone, Copy, Debug)]
struct Bound {
    value: i64,
    at: i64,
}

impl Bound {
    /// How much it has to be moved by now.
    fn age(self, now: i64) -> i64 {
        (now - self.at).abs() / (1_000_000 / DRIFT)
    }
}

impl Clock {
    fn least(&self, now: i64) -> Option<i64> {
        self.least.map(|bound| bound.value - bound.age(now))
    }

    fn most(&self, now: i64) -> Option<i64> {
        self.most.map(|bound| bound.value + bound.age(now))
    }

    /// Estimates anew after a bound was found.
    fn estimate(&mut self, now: i64, least: bool) {
        if let (Some(low), Some(high)) = (self.least(now), self.most(now)) {
            if low <= high {
                self.estimate = low + (high - low) / 2;
                return;
            }
            // The clock was set: what was known of it before is worth nothing.
            if least {
                self.most = None;
            } else {
                self.least = None;
            }
        }
        let low = self.least(now).unwrap_or(i64::MIN);
        let high = self.most(now).unwrap_or(i64::MAX);
        self.estimate = self.estimate.clamp(low, high);
    }
}

impl Offsets {
    /// The clock of the next host, whose first event has this time. Hosts begin together, as far as is known.
    pub(super) fn add(&mut self, first: u64, of_first: u64) {
        let is_first = self.0.is_empty();
        let known = is_first.then_some(Bound { value: 0, at: 0 });
        self.0.push(Clock {
            estimate: if is_first {
                0
            } else {
                signed(first) - signed(of_first)
            },
            least: known,
            most: known,
        });
    }

    /// A moment by the clock of the first host, as far as is known.
    pub(super) fn aligned(&self, moment: Moment) -> i64 {
        signed(moment.time()) - self.0[moment.host()].estimate
    }

    /// How much it may be wrong; `None` if nothing is known.
    pub(super) fn doubt(&self, moment: Moment) -> Option<i64> {
        let (clock, now) = (self.0[moment.host()], signed(moment.time()));
        if moment.host() == 0 {
            return Some(0);
        }
        Some(clock.most(now)? - clock.least(now)?)
    }

    /// The cause came before the effect.
    pub(super) fn learn(&mut self, cause: Moment, effect: Moment) {
        let ((i, a), (j, b)) = (
            (cause.host(), signed(cause.time())),
            (effect.host(), signed(effect.time())),
        );
        if i == j {
            return;
        }
        let most = self.bound(i, a, Clock::most).map(|of_cause| b - a + of_cause);
        let least = self
            .bound(j, b, Clock::least)
            .map(|of_effect| of_effect - (b - a));
        if let Some(value) = most
            && j != 0
            && self.0[j].most(b).is_none_or(|known| value < known)
        {
            self.0[j].most = Some(Bound { value, at: b });
            self.0[j].estimate(b, false);
        }
        if let Some(value) = least
            && i != 0
            && self.0[i].least(a).is_none_or(|known| value > known)
        {
            self.0[i].least = Some(Bound { value, at: a });
            self.0[i].estimate(a, true);
        }
    }

    fn bound(&self, host: usize, now: i64, of: impl Fn(&Clock, i64) -> Option<i64>) -> Option<i64> {
        if host == 0 {
            Some(0)
        } else {
            of(&self.0[host], now)
        }
    }
}

fn signed(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_both_ways_enclose_an_offset() {
        let mut offsets = Offsets::default();
        offsets.add(1_000, 1_000);
        // The second clock is 5,000 ahead; both began to record 300 apart.
        offsets.add(6_300, 1_000);
        assert_eq!(offsets.doubt(Moment::new(1, 7_000)), None);
        // 40 and 60 on the way.
        offsets.learn(Moment::new(0, 2_000), Moment::new(1, 7_040));
        offsets.learn(Moment::new(1, 7_100), Moment::new(0, 2_160));
        assert_eq!(offsets.doubt(Moment::new(1, 7_100)), Some(100));
        assert_eq!(offsets.aligned(Moment::new(1, 7_100)), 2_110);
        // Half a second later either may have drifted by a quarter of a millisecond.
        assert_eq!(offsets.doubt(Moment::new(1, 500_007_100)), Some(500_100));
    }

    #[test]
    fn a_third_clock_is_known_through_the_second() {
        let mut offsets = Offsets::default();
        offsets.add(0, 0);
        offsets.add(900, 0);
        offsets.add(0, 0);
        for (from, to) in [
            ((0, 10), (1, 1_012)),
            ((1, 1_020), (0, 24)),
            ((1, 1_030), (2, 536)),
            ((2, 540), (1, 1_042)),
        ] {
            offsets.learn(Moment::new(from.0, from.1), Moment::new(to.0, to.1));
        }
        // 1,000 and 500 ahead.
        let off =
            |host, time| offsets.aligned(Moment::new(host, time)) - (time as i64 - [0, 1_000, 500][host]);
        assert!(off(1, 1_050).abs() <= 3 && off(2, 550).abs() <= 6);
    }

    #[test]
    fn a_clock_that_is_set_is_learned_anew() {
        let mut offsets = Offsets::default();
        offsets.add(0, 0);
        offsets.add(0, 0);
        offsets.learn(Moment::new(0, 10), Moment::new(1, 12));
        offsets.learn(Moment::new(1, 20), Moment::new(0, 22));
        // It jumps back by a million.
        offsets.learn(Moment::new(0, 2_000_000), Moment::new(1, 1_000_010));
        offsets.learn(Moment::new(1, 1_000_020), Moment::new(0, 2_000_040));
        let aligned = offsets.aligned(Moment::new(1, 1_000_020));
        assert!((aligned - 2_000_020).abs() <= 20, "{aligned}");
    }
}
