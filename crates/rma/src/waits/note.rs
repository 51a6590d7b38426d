//! What ranks tell one another of their waits: lines of text, for it is seldom.

use super::{LockName, Open, Wait};
use crate::Rank;
use crate::error::{Waiting, Waits};
use std::collections::BTreeMap;
use std::time::Duration;

/// A message about waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// The time of the sender is over: what does the receiver wait for? With a number.
    Question(u64),
    /// To the question of that number.
    Answer(u64, Open),
    /// What the sender has found.
    Report(Report),
}

/// Who waits for whom. Who waits for a lock waits for those that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report {
    /// The time of the rank that found it.
    limit: Duration,
    /// Each with the number of the wait.
    waiting: Vec<(u64, Waiting)>,
    silent: Vec<Rank>,
}

impl Report {
    /// Of the waits that are known, of so many ranks.
    pub(super) fn of(limit: Duration, size: u32, open: &BTreeMap<Rank, Open>) -> Self {
        let holders = |lock: LockName| {
            let holds = move |(_, open): &(&Rank, &Open)| open.held.contains(&lock);
            open.iter().filter(holds).map(|(&rank, _)| rank)
        };
        // Who is in the same collective call is there.
        let is_elsewhere =
            |rank, call: &str| open.get(&rank).is_none_or(|open| open.wait.waiting.call != call);
        let waiting = |open: &Open| {
            let mut waiting = open.wait.waiting.clone();
            if let Some(lock) = open.wait.lock {
                waiting.targets = holders(lock).collect();
            }
            if open.wait.collective {
                waiting.targets.retain(|rank| is_elsewhere(*rank, &waiting.call));
            }
            (open.number, waiting)
        };
        Self {
            limit,
            waiting: open.values().map(waiting).collect(),
            silent: (0..size).filter(|rank| !open.contains_key(rank)).collect(),
        }
    }

    /// The time of the rank that found it.
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// The number of the wait of a rank.
    pub(super) fn number_of(&self, rank: Rank) -> Option<u64> {
        let own = |(_, waiting): &&(u64, Waiting)| waiting.rank == rank;
        self.waiting.iter().find(own).map(|(number, _)| *number)
    }

    pub(super) fn waits(&self) -> Waits {
        Waits {
            waiting: self.waiting.iter().map(|(_, waiting)| waiting.clone()).collect(),
            silent: self.silent.clone(),
        }
    }
}

impl Note {
    /// As bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        match self {
            Self::Question(number) => lines.extend(["question".to_owned(), number.to_string()]),
            Self::Answer(number, open) => {
                lines.extend(["answer".to_owned(), number.to_string()]);
                write(open.number, &open.wait.waiting, &mut lines);
                lines.push(locks(open.wait.lock.as_slice()));
                lines.push(open.wait.collective.to_string());
                lines.push(locks(&open.held));
            }
            Self::Report(report) => {
                lines.extend(["report".to_owned(), report.limit.as_nanos().to_string()]);
                lines.push(numbers(&report.silent));
                for (number, waiting) in &report.waiting {
                    write(*number, waiting, &mut lines);
                }
            }
        }
        lines.join("\n").into_bytes()
    }

    /// Reads bytes; `None` if they are no note.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.split('\n').peekable();
        Some(match lines.next()? {
            "question" => Self::Question(lines.next()?.parse().ok()?),
            "answer" => {
                let question = lines.next()?.parse().ok()?;
                let (number, waiting) = read(&mut lines)?;
                let lock = read_locks(lines.next()?)?.first().copied();
                let collective = lines.next()?.parse().ok()?;
                let open = Open {
                    wait: Wait {
                        waiting,
                        lock,
                        collective,
                    },
                    number,
                    held: read_locks(lines.next()?)?,
                };
                Self::Answer(question, open)
            }
            "report" => {
                let limit = Duration::from_nanos(lines.next()?.parse().ok()?);
                let silent = read_numbers(lines.next()?)?;
                let mut waiting = Vec::new();
                while lines.peek().is_some() {
                    waiting.push(read(&mut lines)?);
                }
                Self::Report(Report {
                    limit,
                    waiting,
                    silent,
                })
            }
            _ => return None,
        })
    }
}

fn write(number: u64, waiting: &Waiting, lines: &mut Vec<String>) {
    lines.extend([
        number.to_string(),
        waiting.rank.to_string(),
        waiting.call.clone(),
        waiting.place.clone(),
        numbers(&waiting.targets),
    ]);
}

fn read<'l>(lines: &mut impl Iterator<Item = &'l str>) -> Option<(u64, Waiting)> {
    let number = lines.next()?.parse().ok()?;
    let waiting = Waiting {
        rank: lines.next()?.parse().ok()?,
        call: lines.next()?.to_owned(),
        place: lines.next()?.to_owned(),
        targets: read_numbers(lines.next()?)?,
    };
    Some((number, waiting))
}

fn numbers(ranks: &[Rank]) -> String {
    let ranks: Vec<String> = ranks.iter().map(Rank::to_string).collect();
    ranks.join(" ")
}

fn read_numbers(line: &str) -> Option<Vec<Rank>> {
    line.split_whitespace().map(|rank| rank.parse().ok()).collect()
}

fn locks(locks: &[LockName]) -> String {
    let locks: Vec<String> = locks
        .iter()
        .map(|(window, target)| format!("{window}:{target}"))
        .collect();
    locks.join(" ")
}

fn read_locks(line: &str) -> Option<Vec<LockName>> {
    let lock = |text: &str| {
        let (window, target) = text.split_once(':')?;
        Some((window.parse().ok()?, target.parse().ok()?))
    };
    line.split_whitespace().map(lock).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(rank: Rank, lock: Option<LockName>, held: Vec<LockName>) -> Open {
        let wait = Wait::new(rank, "lock".to_owned(), None, []).at("main.rs:3".to_owned());
        Open {
            wait: Wait { lock, ..wait },
            number: u64::from(rank) + 7,
            held,
        }
    }

    #[test]
    fn notes_are_read_as_they_were_written() {
        let (first, second) = (open(0, Some((5, 1)), vec![(5, 0), (6, 2)]), open(2, None, vec![]));
        let all = [(0, first.clone()), (2, second)].into();
        let report = Report::of(Duration::from_millis(1500), 4, &all);
        assert_eq!(report.number_of(2), Some(9));
        assert_eq!(report.waits().silent, [1, 3]);
        let notes = [Note::Question(3), Note::Answer(3, first), Note::Report(report)];
        for note in notes {
            let bytes = note.bytes();
            assert_eq!(Note::read(&bytes), Some(note));
        }
        assert_eq!(Note::read(b"answer\n3\n1"), None);
        assert_eq!(Note::read(&[0xFF]), None);
    }

    #[test]
    fn who_waits_for_a_lock_waits_for_those_that_hold_it() {
        let all = [
            (0, open(0, Some((5, 1)), vec![(5, 0)])),
            (1, open(1, Some((5, 0)), vec![(5, 1), (6, 0)])),
        ];
        let waits = Report::of(Duration::ZERO, 2, &all.into()).waits();
        assert_eq!(waits.waiting[0].targets, [1]);
        assert_eq!(waits.waiting[1].targets, [0]);
    }
}
