//! Which ranks of a job share a node.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Rank, Result};

/// Under this name a rank publishes where it is.
const CARD: &str = "node";

/// What the launcher calls the node of a rank: ranks with different values share none, even on one machine.
const NODE: &str = "FARSIDE_NODE";

/// The ranks of a job by their nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// The node of each rank, numbered in the order of their first ranks.
    of: Vec<u32>,
    /// The machine of each rank, in the same way.
    machine_of: Vec<u32>,
    /// What the user should know of it, at the rank that is to say so.
    remarks: Vec<String>,
}

impl Nodes {
    /// Asks all ranks of a job, which all call this. The launcher names the node of this rank by `FARSIDE_NODE`, if it
    /// wants to.
    ///
    /// # Errors
    /// The launcher is gone; `/proc` is not mounted.
    pub fn meet(job: &dyn Bootstrap) -> Result<Self> {
        let name = std::env::var_os(NODE).unwrap_or_default();
        Self::meet_as(job, name.as_encoded_bytes())
    }

    /// As [`Nodes::meet`], with a name of the node of this rank: ranks with different names share none, even on one
    /// machine.
    ///
    /// # Errors
    /// As there.
    pub fn meet_as(job: &dyn Bootstrap, name: &[u8]) -> Result<Self> {
        let own = Card {
            machine: farside_fabric_shm::machine()?,
            namespace: farside_fabric_shm::namespace()?,
            name: name.to_vec(),
        };
        job.publish(CARD, &own.encode())?;
        job.fence()?;
        let cards = (0..job.size()).map(|rank| job.lookup(rank, CARD).map(|bytes| Card::decode(&bytes)));
        let cards = cards.collect::<Result<Vec<Card>>>()?;
        Ok(Self::of_cards(&cards, job.rank()))
    }

    fn of_cards(cards: &[Card], own: Rank) -> Self {
        let of = numbered(cards.iter());
        let machine_of = numbered(cards.iter().map(|card| card.machine));
        let ranks_like = |like: &dyn Fn(&Card) -> bool| -> Vec<Rank> {
            let ranks = (0..).zip(cards).filter(|(_, card)| like(card));
            ranks.map(|(rank, _)| rank).collect()
        };
        let mut remarks = Vec::new();
        if let Some(here) = cards.get(own as usize) {
            let near = ranks_like(&|card| card.machine == here.machine && card.name == here.name);
            let apart = ranks_like(&|card| {
                card.machine == here.machine && card.name == here.name && card.namespace != here.namespace
            });
            if near.first() == Some(&own) && !apart.is_empty() {
                remarks.push(format!(
                    "ranks {} run on the machine of rank {own}, but in other pid namespaces: they do not see its \
                     memory, and are reached by network; start all in one container to spare that",
                    listed(&apart)
                ));
            }
        }
        Self {
            of,
            machine_of,
            remarks,
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.of.iter().max().map_or(0, |last| last + 1)
    }

    /// The node of a rank; that of no rank is none.
    #[must_use]
    pub fn of(&self, rank: Rank) -> Option<u32> {
        self.of.get(rank as usize).copied()
    }

    /// Whether two ranks share a node.
    #[must_use]
    pub fn are_shared(&self) -> bool {
        (self.number() as usize) < self.of.len()
    }

    /// What the user should hear of it from this rank.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The ranks that share the node of one, with it.
    pub(crate) fn around(&self, rank: Rank) -> Vec<Rank> {
        let node = self.of(rank);
        let ranks = (0..self.of.len() as Rank).filter(|&other| self.of(other) == node);
        ranks.collect()
    }

    /// Whether another node is on the machine of a rank.
    pub(crate) fn shares_machine(&self, rank: Rank) -> bool {
        let machine = |rank: Rank| self.machine_of.get(rank as usize);
        (0..self.of.len() as Rank)
            .any(|other| machine(other) == machine(rank) && self.of(other) != self.of(rank))
    }

    /// Makes a node of its own of each rank that turned out to share no memory. `met` says so of all, by rank.
    pub(crate) fn dissolve(&mut self, met: &[bool]) {
        let marked = (0..).zip(self.of.iter().zip(met));
        let keys: Vec<(u32, Rank)> = marked
            .map(|(rank, (&node, &met)): (Rank, _)| (node, if met { 0 } else { rank + 1 }))
            .collect();
        self.of = numbered(keys.iter());
    }

    pub(crate) fn remark(&mut self, remark: String) {
        self.remarks.push(remark);
    }
}

/// Numbers for values, in the order in which they come first.
fn numbered<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<u32> {
    let mut seen: Vec<T> = Vec::new();
    values
        .map(|value| match seen.iter().position(|other| *other == value) {
            Some(number) => number as u32,
            None => {
                seen.push(value);
                seen.len() as u32 - 1
            }
        })
        .collect()
}

pub(crate) fn listed(ranks: &[Rank]) -> String {
    let numbers: Vec<String> = ranks.iter().map(Rank::to_string).collect();
    numbers.join(", ")
}

/// Where a rank is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Card {
    machine: [u8; 16],
    namespace: u64,
    /// As the launcher says.
    name: Vec<u8>,
}

impl Card {
    fn encode(&self) -> Vec<u8> {
        [&self.machine[..], &self.namespace.to_le_bytes(), &self.name].concat()
    }

    /// Bytes that are too short are those of another version: a place where nobody else is.
    fn decode(bytes: &[u8]) -> Self {
        let mut fixed = [0; 24];
        let there = bytes.len().min(24);
        fixed[..there].copy_from_slice(&bytes[..there]);
        let (mut machine, mut namespace) = ([0; 16], [0; 8]);
        machine.copy_from_slice(&fixed[..16]);
        namespace.copy_from_slice(&fixed[16..]);
        Self {
            machine,
            namespace: u64::from_le_bytes(namespace),
            name: bytes[there..].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(machine: u8, namespace: u64, name: &str) -> Card {
        Card {
            machine: [machine; 16],
            namespace,
            name: name.into(),
        }
    }

    #[test]
    fn a_node_is_a_machine_a_namespace_and_a_name() {
        let cards = [
            card(1, 7, ""),
            card(2, 7, ""),
            card(1, 7, ""),
            card(1, 7, "b"),
            card(1, 8, ""),
            card(2, 7, ""),
        ];
        for card in &cards {
            assert_eq!(Card::decode(&card.encode()), *card);
        }
        let nodes = Nodes::of_cards(&cards, 0);
        assert_eq!(nodes.of, [0, 1, 0, 2, 3, 1]);
        assert_eq!((nodes.number(), nodes.are_shared()), (4, true));
        assert_eq!(nodes.around(5), [1, 5]);
        assert!(nodes.shares_machine(0) && nodes.shares_machine(3) && !nodes.shares_machine(1));
        assert!(nodes.remarks()[0].starts_with("ranks 4 run on the machine of rank 0"));
        for other in 1..6 {
            assert!(
                Nodes::of_cards(&cards, other).remarks().is_empty(),
                "rank {other}"
            );
        }
    }

    #[test]
    fn ranks_that_do_not_meet_are_nodes_of_their_own() {
        let cards: Vec<Card> = [1, 1, 2, 2].map(|machine| card(machine, 0, "")).into();
        let mut nodes = Nodes::of_cards(&cards, 0);
        assert_eq!(nodes.of, [0, 0, 1, 1]);
        nodes.dissolve(&[false, false, true, true]);
        assert_eq!(nodes.of, [0, 1, 2, 2]);
        nodes.dissolve(&[false; 4]);
        assert!(!nodes.are_shared());
    }
}
