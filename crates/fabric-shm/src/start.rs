//! How ranks find one another: each publishes a card, reads all cards, and maps all control segments.

use crate::ShmFabric;
use crate::card::{self, Card};
use crate::control::{Control, MESSAGE_BYTES, NOTIFICATIONS, announce_loss};
use crate::crowd::Crowd;
use crate::doorbell::Fences;
use crate::place::{self, Place};
use crate::watch::Watch;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Capabilities, Error, Progress, Rank, Result};
use std::sync::Arc;

/// The name of a card at the launcher.
const CARD: &str = "shm";

/// The name of what a rank says after it has looked at the memory of the others: nothing, or what is in the way.
const OBSTACLE: &str = "shm-obstacle";

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
        match self.meet(rank, cards) {
            Ok(ranks) => assemble(rank, ranks, cards, bootstrap, false),
            Err((met, error)) => {
                // Those that can be told tell the others: nobody waits for this rank.
                announce_loss(&met, rank, Fences::Symmetric);
                Err(error)
            }
        }
    }

    /// The control segments of all ranks; or those up to the one that cannot be reached, and why not.
    fn meet(self, rank: Rank, cards: &[Card]) -> std::result::Result<Vec<Control>, (Vec<Control>, Error)> {
        let mut own = Some(self.control);
        let mut ranks = Vec::with_capacity(cards.len());
        for (other, card) in (0..).zip(cards) {
            let control = match own.take_if(|_| other == rank) {
                Some(own) => Ok(own),
                None => self.card.meets(other, card).and_then(|()| open(other, card)),
            };
            match control {
                Ok(control) => ranks.push(control),
                Err(error) => return Err((ranks, error)),
            }
        }
        Ok(ranks)
    }
}

/// The endpoint of a rank that has met all.
fn assemble(
    rank: Rank,
    ranks: Vec<Control>,
    cards: &[Card],
    bootstrap: Option<Arc<dyn Bootstrap>>,
    crowded: bool,
) -> Result<ShmFabric> {
    let ranks: Arc<[Control]> = ranks.into();
    let masks: Vec<Vec<u8>> = cards.iter().map(|card| card.processors.clone()).collect();
    let place = match crowded {
        true => Place::IN_A_CROWD,
        false => place::place(&masks, rank),
    };
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

/// Publishes the own card, and reads those of all.
fn show(bootstrap: &dyn Bootstrap) -> Result<(Newcomer, Vec<Card>)> {
    let (rank, size) = (bootstrap.rank(), bootstrap.size());
    if rank >= size {
        return Err(Error::RankOutOfRange { rank, size });
    }
    let newcomer = Newcomer::new()?;
    bootstrap.publish(CARD, &newcomer.card.encode())?;
    bootstrap.fence()?;
    let cards = (0..size).map(|rank| Card::decode(&bootstrap.lookup(rank, CARD)?));
    let cards = cards.collect::<Result<Vec<Card>>>()?;
    Ok((newcomer, cards))
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
        let (newcomer, cards) = show(&*bootstrap)?;
        let fabric = newcomer.join(bootstrap.rank(), &cards, Some(bootstrap))?;
        fabric.pin_where_wanted()?;
        Ok(fabric)
    }

    /// As [`ShmFabric::start`], for ranks of which nobody knows whether they see one another's memory: if one does not
    /// see that of another, all of them get the reason instead of an endpoint, and none is lost. Binds nobody.
    ///
    /// [`Bootstrap::lost`] may name a rank at or above the size, which is none of these: its loss ends calls that wait
    /// here, too, and they name it. `crowded`: others use the processors as well, which these ranks do not know.
    ///
    /// # Errors
    /// The launcher is gone; the system refuses.
    pub fn try_start(
        bootstrap: Arc<dyn Bootstrap>,
        crowded: bool,
    ) -> Result<std::result::Result<Self, String>> {
        let (newcomer, cards) = show(&*bootstrap)?;
        let (rank, size) = (bootstrap.rank(), bootstrap.size());
        let met = newcomer.meet(rank, &cards);
        let obstacle = met.as_ref().err().map(|(_, error)| error.to_string());
        bootstrap.publish(OBSTACLE, obstacle.unwrap_or_default().as_bytes())?;
        bootstrap.fence()?;
        for other in 0..size {
            let obstacle = bootstrap.lookup(other, OBSTACLE)?;
            if !obstacle.is_empty() {
                return Ok(Err(String::from_utf8_lossy(&obstacle).into_owned()));
            }
        }
        match met {
            Ok(ranks) => assemble(rank, ranks, &cards, Some(bootstrap), crowded).map(Ok),
            Err((_, error)) => Ok(Err(error.to_string())),
        }
    }

    /// The endpoint of a rank that shares memory with nobody, under a launcher that numbers it 0 of 1.
    ///
    /// # Errors
    /// The system refuses.
    pub fn alone(bootstrap: Arc<dyn Bootstrap>) -> Result<Self> {
        let newcomer = Newcomer::new()?;
        let card = newcomer.card.clone();
        newcomer.join(0, &[card], Some(bootstrap))
    }

    /// As [`ShmFabric::pin`], unless the environment says `FARSIDE_PIN=none`.
    ///
    /// # Errors
    /// The system refuses.
    pub fn pin_where_wanted(&self) -> Result<()> {
        match place::wanted() {
            true => self.pin().map(drop),
            false => Ok(()),
        }
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
