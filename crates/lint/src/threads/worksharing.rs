//! Loops of OpenMP whose rounds the threads of a team share.

use super::{NOTHING, object};
use crate::flow::Flow;
use crate::job::Job;
use crate::process::Rounds;
use crate::site::Site;
use crate::value::{Scalar, signed};

impl Job<'_> {
    /// `__kmpc_for_static_init(location, thread, schedule, last, lower, upper, stride, increment, chunk)`.
    pub(super) fn static_schedule(&mut self, site: &Site, a: &[Scalar], size: u64) -> Flow {
        if a.len() < 9 {
            return NOTHING;
        }
        let (number, team) = self.thread(site).team;
        let value = |job: &Self, at: u64| {
            let bits = job.memory(site.rank, at).load(at, size).bits;
            crate::value::signed(bits, 8 * size as u32)
        };
        let (lower, upper) = (value(self, a[4].bits), value(self, a[5].bits));
        let step = crate::value::signed(a[7].bits, 8 * size as u32).max(1);
        let trips = if upper < lower {
            0
        } else {
            (upper - lower) / step + 1
        };
        let share = trips / i64::from(team);
        let extra = trips % i64::from(team);
        let before = i64::from(number) * share + i64::from(number).min(extra);
        let own = share + i64::from(i64::from(number) < extra);
        let first = lower + before * step;
        let store = |job: &mut Self, at: u64, value: i64| {
            job.memory_mut(site.rank, at)
                .store(at, size, Scalar::known(value as u64))
        };
        store(self, a[4].bits, first);
        store(self, a[5].bits, first + (own - 1) * step);
        store(self, a[6].bits, trips.max(1) * step);
        let last = i32::from(own > 0 && before + own == trips);
        self.put_int(site, a[3].bits, last);
        NOTHING
    }

    /// `__kmpc_dispatch_init_4(location, thread, schedule, lower, upper, stride, chunk)`.
    pub(super) fn begin_rounds(&mut self, site: &Site, a: &[Scalar], size: u64) -> Flow {
        let value = |index: usize| {
            let bits = a.get(index).copied().unwrap_or_default().bits;
            signed(bits, 8 * size as u32)
        };
        let own = self.processes.thread_mut(site.at());
        own.team_step += 1;
        let (step, chunk) = (value(5), value(6).max(1));
        let rounds = Rounds::new(own.team_step, own.team.0, (value(3), value(4)), step, chunk, size);
        own.rounds = Some(rounds);
        self.team(site).begin_loop(&rounds);
        NOTHING
    }

    /// `__kmpc_dispatch_next_4(location, thread, last, lower, upper, stride)`: chunks go round among the threads.
    pub(super) fn next_rounds(&mut self, site: &Site, a: &[Scalar]) -> Flow {
        let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
        let team = self.thread(site).team.1;
        let Some(mut rounds) = self.thread(site).rounds else {
            return NOTHING;
        };
        let Some(chunk) = rounds.next_chunk(team) else {
            return NOTHING;
        };
        let (size, memory) = (rounds.size(), self.memory_mut(site.rank, at(3)));
        memory.store(at(3), size, Scalar::known(chunk.first as u64));
        memory.store(at(4), size, Scalar::known(chunk.last as u64));
        memory.store(at(5), size, Scalar::known(rounds.step() as u64));
        self.put_int(site, at(2), i32::from(chunk.is_last));
        self.processes.thread_mut(site.at()).rounds = Some(rounds);
        Flow::Return(Scalar::known(1))
    }

    /// Whether the rounds before the one that the thread is in are over.
    pub(super) fn is_turn(&mut self, site: &Site) -> bool {
        let Some(rounds) = self.thread(site).rounds else {
            return true;
        };
        self.team(site).is_turn(&rounds)
    }

    /// A round of a loop with an ordered region is over: the next one has its turn.
    pub(super) fn end_round(&mut self, site: &Site) -> Flow {
        if !self.is_turn(site) {
            return Flow::Block;
        }
        let Some(mut rounds) = self.thread(site).rounds else {
            return NOTHING;
        };
        rounds.go_on();
        self.team(site).give_turn(&rounds);
        self.processes.thread_mut(site.at()).rounds = Some(rounds);
        NOTHING
    }

    pub(super) fn ordered_object(&self, site: &Site) -> farside_events::ObjectId {
        let own = self.thread(site);
        let number = own.rounds.map_or(0, |rounds| rounds.number());
        object(6, own.team_id << 24 | number & 0xff_ffff)
    }
}
