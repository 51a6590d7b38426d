//! `fence-neighbour`: each rank says once to whom it will ever put; a fence concerns these only.
//!
//! Source: ours; the handshake is that of post, start, complete and wait (MPI-4.1 §12.5.2), with counted puts in place
//! of the round trip of a flush. Compare the notified access of Belli and Hoefler (IPDPS 2015).
//!
//! ```text
//! origin                 target
//!   |-- put, counted ---->| counter + 1            as they are called
//!   |-- number of puts -->|                        to each target, also if there was no put
//!   |                     | hears from each origin, waits for the counter
//!   |<-------------- post-|                        to each origin: the next epoch
//! ```
//!
//! It is no barrier: ranks that are not connected by targets do not wait for one another. An epoch gives access to the
//! targets of the rank only. Needs counted puts. Messages a rank: its targets, and its origins.

use super::count::Counter;
use super::told::Partners;
use super::way::Way;
use super::{Fence, FenceDesign, Next, exchange};
use crate::flags::Meeting;
use crate::mailbox::{self, Purpose};
use crate::message::to_values;
use crate::window::core::WindowCore;
use crate::{Rank, Result};
use farside_fabric::{Message, Signal};
use std::cell::Cell;

/// See the module.
pub(crate) struct Neighbour {
    counter: Counter,
    /// Sorted.
    targets: Box<[Rank]>,
    origins: Box<[Rank]>,
    /// Number of handshakes.
    count: Cell<u32>,
}

/// What a message of a handshake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Finish = 0,
    Post = 1,
}

impl Neighbour {
    /// Collective: ranks learn who their origins are. `targets` is sorted.
    pub(crate) fn new(window: &WindowCore, targets: &[Rank]) -> Result<Self> {
        let me = window.group.rank();
        let numbers = targets.iter().map(|&target| (target, me)).collect();
        let (mut origins, _) = exchange::route(&window.group, numbers, false)?;
        origins.sort_unstable();
        Ok(Self {
            counter: Counter::new(window)?,
            targets: targets.into(),
            origins: origins.into(),
            count: Cell::new(0),
        })
    }

    fn tag(window: &WindowCore) -> u64 {
        mailbox::tag(Purpose::Fence, window.group.context(), window.name as u32)
    }

    fn send(&self, window: &WindowCore, target: Rank, step: Step, number: u32) -> Result<()> {
        let words = [self.count.get(), step as u32, number];
        window.group.send_step(target, Self::tag(window), &words)
    }

    /// Waits for a message from each of the ranks; the sum of their numbers.
    fn receive(&self, window: &WindowCore, from: &[Rank], step: Step) -> Result<u64> {
        let (core, tag) = (window.core(), Self::tag(window));
        let head = [self.count.get(), step as u32];
        let (mut missing, mut sum) = (from.len(), 0);
        core.wait(|| {
            while missing > 0 {
                let is_wanted = |message: &Message| {
                    message.tag == tag && message.bytes.starts_with(bytemuck::bytes_of(&head))
                };
                let Some(message) = core.mailbox.take(core.fabric(), &is_wanted)? else {
                    return Ok(false);
                };
                missing -= 1;
                sum += u64::from(to_values::<u32>(&message.bytes)?.last().copied().unwrap_or(0));
            }
            Ok(true)
        })?;
        Ok(sum)
    }
}

impl FenceDesign for Neighbour {
    fn fence(&self) -> Fence {
        Fence::Neighbour
    }

    fn way(&self) -> Way {
        Way::Recorded(Signal::Count)
    }

    fn begin(&self, window: &WindowCore, _: Meeting) -> Result<()> {
        for &origin in &self.origins {
            self.send(window, origin, Step::Post, 0)?;
        }
        self.receive(window, &self.targets, Step::Post)?;
        self.count.set(self.count.get().wrapping_add(1));
        Ok(())
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        let mut puts = window.record.take();
        puts.sort_unstable();
        // Gets are complete before their targets hear that this rank is done.
        window.complete_unsignalled()?;
        for &target in &self.targets {
            let found = puts.binary_search_by_key(&target, |&(rank, _)| rank);
            self.send(
                window,
                target,
                Step::Finish,
                found.map_or(0, |place| puts[place].1),
            )?;
        }
        let expected = self.receive(window, &self.origins, Step::Finish)?;
        self.counter.wait(window, expected)?;
        Ok(Next::ToBegin)
    }

    fn partners(&self) -> Option<Partners<'_>> {
        Some(Partners::new(&self.targets, &self.origins))
    }
}
