//! How ranks find one another: each publishes a card, reads all cards, and maps all control segments.

use crate::ShmFabric;
use crate::card::{self, Card};
use crate::control::{Control, MESSAGE_BYTES, NOTIFICATIONS, announce_loss};
use crate::crowd::Crowd;
use crate::doorbell::Fences;
use crate::place;
use crate::watch::Watch;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Capabilities, Error, Progress, Rank, Result};
use std::sync::Arc;

/// The name of a card at the launcher.
const CARD: &str = "shm";

/// A rank that nobody knows yet.
struct Newcomer {
    control: Control,
    card: Card,
}

impl Newcomer {
    fn new() -> Result<Self> {
        let control = Control::create()?;
        let own = std::process::id();
        let card = Card {
            control: control.address().ok_or(Error::Stale("the control segment"))?,
            fenced: Fences::register() == Fences::Asymmetric,
            began: farside_processes::start_time(own).ok_or_else(|| {
                Error::Bootstrap(format!("/proc/{own}/stat cannot be read: is /proc mounted?"))
            })?,
            clock: card::clock(),
            namespace: card::namespace()?,
            machine: card::machine()?,
            processors: place::own_mask()?,
        };
        Ok(Self { control, card })
    }

    fn join(self, rank: Rank, cards: &[Card], bootstrap: Option<Arc<dyn Bootstrap>>) -> Result<ShmFabric> {
        let mut own = Some(self.control);
        let mut ranks = Vec::with_capacity(cards.len());
        for (other, card) in (0..).zip(cards) {
            let control = match own.take_if(|_| other == rank) {
                Some(own) => Ok(own),
                None => self.card.meets(other, card).and_then(|()| open(other, card)),
            };
            match control {
                Ok(control) => ranks.push(control),
                Err(error) => {
                    // Those that can be told tell the others: nobody waits for this rank.
                    announce_loss(&ranks, rank, Fences::Symmetric);
                    return Err(error);
                }
            }
        }
        let ranks: Arc<[Control]> = ranks.into();
        let masks: Vec<Vec<u8>> = cards.iter().map(|card| card.processors.clone()).collect();
        let place = place::place(&masks, rank);
        // In a crowd ranks sleep often, and the fence of a put is the least that they wait for.
        let fences = match place.dedicated && cards.iter().all(|card| card.fenced) {
            true => Fences::Asymmetric,
            false => Fences::Symmetric,
        };
        let watch = Watch::start(&ranks, cards, fences, bootstrap.clone())?;
        Ok(ShmFabric {
            rank,
            processes: cards.iter().map(|card| card.control.process).collect(),
            crowd: Crowd::new(&place),
            place,
            ranks,
            fences,
            capabilities: capabilities(),
            notifications: crate::inbox::Inbox::default(),
            messages: crate::inbox::Inbox::default(),
            regions: crate::regions::Regions::default(),
            scopes: std::sync::Mutex::default(),
            began: cards.first().map_or(0, |card| card.clock),
            bootstrap,
            watch,
        })
    }
}

fn open(rank: Rank, card: &Card) -> Result<Control> {
    Control::open(card.control)
        .map_err(|error| Error::Bootstrap(format!("the memory of rank {rank}: {error}")))
}

fn capabilities() -> Capabilities {
    Capabilities {
        transport: "shm".into(),
        write_after_write: true,
        message_after_write: true,
        immediate_after_write: true,
        read_after_write: true,
        whole_words: true,
        immediate_bits: 32,
        notification_depth: NOTIFICATIONS,
        counts: true,
        message_bytes: MESSAGE_BYTES,
        operation_bytes: isize::MAX as usize,
        progress: Progress::Passive,
        mapped: true,
        virtual_time: false,
    }
}

impl ShmFabric {
    /// Joins the job that a launcher began: all ranks call it, each in its process. Binds the calling thread to the
    /// rank's share of the processors, if there is one for each rank, and the environment does not say
    /// `FARSIDE_PIN=none`.
    ///
    /// # Errors
    /// The launcher is gone; a rank is on another machine, or its memory cannot be opened; the system refuses. The
    /// message says what to do.
    pub fn start(bootstrap: Arc<dyn Bootstrap>) -> Result<Self> {
        let (rank, size) = (bootstrap.rank(), bootstrap.size());
        if rank >= size {
            return Err(Error::RankOutOfRange { rank, size });
        }
        let newcomer = Newcomer::new()?;
        bootstrap.publish(CARD, &newcomer.card.encode())?;
        bootstrap.fence()?;
        let cards = (0..size)
            .map(|rank| Card::decode(&bootstrap.lookup(rank, CARD)?))
            .collect::<Result<Vec<Card>>>()?;
        let fabric = newcomer.join(rank, &cards, Some(bootstrap))?;
        if place::wanted() {
            fabric.pin()?;
        }
        Ok(fabric)
    }

    /// The endpoints of a job with ranks in this process, one for each thread of the caller's: for tests, and for
    /// programs that are one process. Binds nobody; see [`ShmFabric::pin`].
    ///
    /// # Errors
    /// The system refuses so many mappings or files.
    pub fn threads(size: u32) -> Result<Vec<Self>> {
        let newcomers = (0..size).map(|_| Newcomer::new()).collect::<Result<Vec<_>>>()?;
        let cards: Vec<Card> = newcomers.iter().map(|newcomer| newcomer.card.clone()).collect();
        (0..)
            .zip(newcomers)
            .map(|(rank, newcomer)| newcomer.join(rank, &cards, None))
            .collect()
    }

    /// Binds the calling thread, and those that it starts from now on, to the processors of this rank. Says which;
    /// `None` if there are fewer processors than ranks, or a launcher has bound ranks already, or the rank is alone.
    ///
    /// # Errors
    /// The system refuses.
    pub fn pin(&self) -> Result<Option<&[usize]>> {
        match &self.place.share {
            None => Ok(None),
            Some(share) => {
                place::bind(share)?;
                self.crowd.bound();
                Ok(Some(share))
            }
        }
    }
}
