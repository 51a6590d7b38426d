//! The queue of a notification, as a suggestion (GASPI 17.1 §8.3): a notification comes after what its rank has written
//! to the same rank on the same queue before, and after nothing else. Where it is posted on another one, it tells too
//! early.
//!
//! Limits: only where the statement that writes and the one that notifies use one queue each in the whole run.

use super::Trials;
use farside_events::{CallKind, ChannelId, EventKind, GaspiArgument, Interface};
use farside_race::{Argument, Name, Places, RawFinding, RawSuggestion, Site, Spot as At, What};
use std::collections::{BTreeMap, BTreeSet};

impl<P: Places> Trials<'_, P> {
    /// Notifications of the rank that writes, to the rank that it writes to, on the queue of the write.
    pub(super) fn queues(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let ([first, _], What::Race(_)) = (finding.parties.as_slice(), &finding.what) else {
            return Vec::new();
        };
        let is_gaspi = finding.interface().unwrap_or(self.interface) == Interface::Gaspi;
        let Some(target) = first.target.filter(|_| is_gaspi) else {
            return Vec::new();
        };
        let write = self.spots.of(first.site, self.places);
        let mut written = BTreeSet::new();
        let mut told: BTreeMap<_, (Site, BTreeSet<u32>)> = BTreeMap::new();
        for next in self.recording.events_until(self.others_until) {
            let Some((_, rank, event)) = next else {
                return Vec::new();
            };
            let EventKind::Operation(operation) = &event.kind else {
                continue;
            };
            if rank != first.site.rank {
                continue;
            }
            let (pc, stack) = (None, operation.stack);
            let site = Site { rank, pc, stack };
            let spot = self.spots.of(site, self.places);
            let ChannelId(channel) = operation.channel;
            if spot == write {
                written.insert(channel);
            } else if operation.target == Some(target) && operation.flag().is_some_and(|flag| flag.follows) {
                let (_, channels) = told.entry(spot).or_insert((site, BTreeSet::new()));
                channels.insert(channel);
            }
        }
        let Some(right) = queue(&written) else {
            return Vec::new();
        };
        let suggestion = |(site, channels): (Site, BTreeSet<u32>)| {
            let given = queue(&channels).filter(|given| *given != right)?;
            let name = Name::Call(CallKind::Notify);
            let [given, right] = [given, right].map(|number| Argument::OfGaspi(GaspiArgument::Queue, number));
            Some(RawSuggestion::on_another_queue([given, right], At { site, name }))
        };
        told.into_values().filter_map(suggestion).collect()
    }
}

/// The number of the one queue that all channels are, if none of that number was deleted.
fn queue(channels: &BTreeSet<u32>) -> Option<u64> {
    let mut channels = channels.iter();
    let (Some(channel), None) = (channels.next(), channels.next()) else {
        return None;
    };
    // 0 is that of what has no queue.
    let number = channel.checked_sub(1)?;
    u8::try_from(number).ok().map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_is_a_queue() {
        let queue = |channels: &[u32]| queue(&channels.iter().copied().collect());
        assert_eq!(queue(&[1]), Some(0));
        assert_eq!(queue(&[8]), Some(7));
        for none in [&[][..], &[0], &[1, 2], &[257]] {
            assert_eq!(queue(none), None, "{none:?}");
        }
    }
}
