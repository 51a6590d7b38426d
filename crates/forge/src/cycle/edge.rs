//! Edges of cycles, and their words.

use crate::Kind;
use std::fmt;
use std::str::FromStr;

/// An edge between two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Why the first one comes before the second one.
    pub order: Between,
    /// What they are, where the word says so.
    pub between: [Option<Kind>; 2],
}

/// Why an access comes before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Between {
    /// They are statements of one process.
    Program {
        /// At another location.
        different: bool,
        /// What stands between them.
        completion: Option<Completion>,
    },
    /// They are accesses of one location.
    Communication {
        /// Which relation holds.
        relation: Relation,
        /// Between two processes.
        external: bool,
    },
}

/// A statement that completes operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Completion {
    /// `flush(1)`
    Flush,
    /// `flush_local(1)`
    FlushLocal,
    /// `wait_queue(0)`
    Wait,
}

/// A relation between accesses of one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// Reads-from: a read returns what a write wrote.
    Rf,
    /// From-reads: a read returns what was there before a write.
    Fr,
    /// The order in which two writes take effect.
    Co,
}

/// A word that is no edge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is no edge: {why}")]
pub struct EdgeError {
    word: String,
    why: &'static str,
}

const WORDS: &str = "edges are Rf, Fr, Co with e (another process) or i (the same one), as in Rfe, and Po, Flush, \
                     FlushLocal, Wait with d (another location) or s (the same one) and two letters for the accesses, \
                     as in PodPG (R load, W store, G get, P put, A rga)";

impl Between {
    /// Within one process.
    #[must_use]
    pub fn is_program_order(self) -> bool {
        matches!(self, Self::Program { .. })
    }

    /// Between two processes.
    #[must_use]
    pub fn is_external(self) -> bool {
        matches!(self, Self::Communication { external: true, .. })
    }

    /// Between two locations.
    #[must_use]
    pub fn changes_location(self) -> bool {
        matches!(self, Self::Program { different: true, .. })
    }

    /// What the two accesses are at least: a load for a read, a store for a write.
    pub(super) fn usual(self) -> [Option<Kind>; 2] {
        match self {
            Self::Program { .. } => [None, None],
            Self::Communication {
                relation: Relation::Rf,
                ..
            } => [Some(Kind::Store), Some(Kind::Load)],
            Self::Communication {
                relation: Relation::Fr,
                ..
            } => [Some(Kind::Load), Some(Kind::Store)],
            Self::Communication {
                relation: Relation::Co,
                ..
            } => [Some(Kind::Store), Some(Kind::Store)],
        }
    }
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Load => "R",
        Kind::Store => "W",
        Kind::Get => "G",
        Kind::Put => "P",
        Kind::Rga => "A",
        // No word of an edge has these.
        Kind::Cas | Kind::Flush => "",
    }
}

fn access(letter: char) -> Option<Kind> {
    [Kind::Load, Kind::Store, Kind::Get, Kind::Put, Kind::Rga]
        .into_iter()
        .find(|&kind| self::letter(kind).starts_with(letter))
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.order {
            Between::Program { completion: None, .. } => "Po",
            Between::Program {
                completion: Some(Completion::Flush),
                ..
            } => "Flush",
            Between::Program {
                completion: Some(Completion::FlushLocal),
                ..
            } => "FlushLocal",
            Between::Program {
                completion: Some(Completion::Wait),
                ..
            } => "Wait",
            Between::Communication {
                relation: Relation::Rf,
                ..
            } => "Rf",
            Between::Communication {
                relation: Relation::Fr,
                ..
            } => "Fr",
            Between::Communication {
                relation: Relation::Co,
                ..
            } => "Co",
        })?;
        f.write_str(match self.order {
            Between::Program { different: true, .. } => "d",
            Between::Program { different: false, .. } => "s",
            Between::Communication { external: true, .. } => "e",
            Between::Communication { external: false, .. } => "i",
        })?;
        match self.between {
            [Some(from), Some(to)] => write!(f, "{}{}", letter(from), letter(to)),
            _ => Ok(()),
        }
    }
}

impl FromStr for Edge {
    type Err = EdgeError;

    fn from_str(word: &str) -> Result<Self, EdgeError> {
        let refuse = |why| EdgeError {
            word: word.to_owned(),
            why,
        };
        let relation = |relation| move |external| Between::Communication { relation, external };
        let program = |completion| {
            move |different| Between::Program {
                different,
                completion,
            }
        };
        type Order<'a> = &'a dyn Fn(bool) -> Between;
        let words: [(&str, Order<'_>, char, char); 7] = [
            ("FlushLocal", &program(Some(Completion::FlushLocal)), 'd', 's'),
            ("Flush", &program(Some(Completion::Flush)), 'd', 's'),
            ("Wait", &program(Some(Completion::Wait)), 'd', 's'),
            ("Po", &program(None), 'd', 's'),
            ("Rf", &relation(Relation::Rf), 'e', 'i'),
            ("Fr", &relation(Relation::Fr), 'e', 'i'),
            ("Co", &relation(Relation::Co), 'e', 'i'),
        ];
        let found = words.iter().find_map(|(name, order, yes, no)| {
            let mut rest = word.strip_prefix(name)?.chars();
            match rest.next()? {
                letter if letter == *yes => Some((order(true), rest)),
                letter if letter == *no => Some((order(false), rest)),
                _ => None,
            }
        });
        let Some((order, rest)) = found else {
            return Err(refuse(WORDS));
        };
        let letters: Vec<char> = rest.collect();
        let between = match letters[..] {
            [] if !order.is_program_order() => [None, None],
            [from, to] => {
                let both = [access(from), access(to)];
                if both.contains(&None) {
                    return Err(refuse("accesses are R load, W store, G get, P put and A rga"));
                }
                both
            }
            _ => return Err(refuse("two letters say what its accesses are, as in PodPG")),
        };
        let fits = order
            .usual()
            .iter()
            .zip(&between)
            .all(|(usual, kind)| match (usual, kind) {
                (Some(usual), Some(kind)) => super::does(*kind, *usual),
                _ => true,
            });
        match fits {
            true => Ok(Self { order, between }),
            false => Err(refuse(
                "Rf leads from a write to a read, Fr from a read to a write, Co from a write to a write",
            )),
        }
    }
}
