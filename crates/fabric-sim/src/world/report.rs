//! What the world says of itself: bars and arrows, counts, and who waits for what.

use super::process::{Process, State};
use super::{Call, World};
use crate::outcome::{Counters, Waiting};
use crate::time::Time;
use crate::trace::{Activity, Event, Trace, Travel};
use farside_fabric::Rank;

impl World {
    /// What a rank did until now.
    pub(crate) fn bar(&mut self, rank: Rank, activity: Activity, began: Time) {
        let ended = self.now;
        if ended > began {
            self.trace.push(self.room, || Event::Bar {
                rank,
                activity,
                began: began.duration(),
                ended: ended.duration(),
            });
        }
    }

    /// What arrives now.
    pub(super) fn arrow(&mut self, travel: Travel, from: Rank, to: Rank, bytes: usize, left: Time) {
        let arrived = self.now;
        self.trace.push(self.room, || Event::Arrow {
            travel,
            from,
            to,
            bytes,
            left: left.duration(),
            arrived: arrived.duration(),
        });
    }

    /// Who waits for what.
    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        let blocked = self.processes.iter().zip(0..).filter_map(|(process, rank)| {
            let State::Blocked(call) = process.state else {
                return None;
            };
            Some(Waiting {
                rank,
                call: format!("{}{}", call.name(), self.lacks(rank, process, call)),
            })
        });
        blocked.collect()
    }

    fn lacks(&self, rank: Rank, process: &Process, call: Call) -> String {
        let towards =
            |target: Option<Rank>| target.map_or(String::new(), |target| format!(" to rank {target}"));
        match call {
            Call::Wait => format!(
                ": {} messages and {} notifications not taken, {} operations under way{}",
                process.messages.len(),
                process.notifications.len(),
                process
                    .scopes
                    .values()
                    .map(|scope| scope.remote.number(None))
                    .sum::<u64>(),
                self.not_ready(rank),
            ),
            Call::Flush { scope, target, local } => {
                let pending = process.scopes.get(&scope).map_or(0, |scope| {
                    if local { &scope.local } else { &scope.remote }.number(target)
                });
                format!(
                    ": {pending} operations of scope {scope}{} not complete{}",
                    towards(target),
                    self.not_ready(rank)
                )
            }
            Call::Start => format!(
                ": {} operations are under way{}",
                process.under_way,
                self.not_ready(rank)
            ),
            Call::Send { target } => format!(": rank {target} has no room"),
            Call::Finish => {
                let others: Vec<Rank> = self
                    .processes
                    .iter()
                    .zip(0..)
                    .filter(|(process, _)| !matches!(process.state, State::Blocked(Call::Finish)))
                    .map(|(_, rank)| rank)
                    .take(8)
                    .collect();
                format!(": not there, among others: {others:?}")
            }
        }
    }

    /// What of a source is held up by receivers that are not ready.
    fn not_ready(&self, source: Rank) -> String {
        let held = self.stalls.iter().filter(|((_, from), _)| *from == source);
        let texts: Vec<String> = held
            .map(|((target, _), stall)| format!("{} for rank {target}", stall.number()))
            .collect();
        if texts.is_empty() {
            return String::new();
        }
        format!(", no receive descriptor left for {}", texts.join(", "))
    }

    /// Ends: duration, counters, trace.
    pub(crate) fn into_report(self) -> (Time, Vec<Counters>, Trace) {
        let counters = self.processes.iter().map(|process| process.counters).collect();
        (self.ended, counters, self.trace)
    }

    /// What a rank has sent so far.
    pub(crate) fn counters(&self, rank: Rank) -> Counters {
        self.processes[rank as usize].counters
    }
}
