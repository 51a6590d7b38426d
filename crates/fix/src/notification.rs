//! A notification of GASPI that tells a write's target that the data is there: posted after the write, and awaited
//! before what relies on it. Both calls are one change.
//!
//! What the suggestion leaves open is filled in: the segment, the target and the queue from the write; the number is
//! one that the sources name nowhere. A notification that was not taken is overwritten by the next one (GASPI 17.1
//! §8.3), so neither call may stand in a loop; the wait stands before one that has no calls.

use crate::call::Call;
use crate::edit::{Edit, Side, beside};
use crate::refusal::Refusal;
use crate::source::{Source, names};
use crate::statement::{Kind, Step};
use crate::template::Template;

/// More than any program uses; every segment has so many (GASPI 17.1 §8.1).
const LAST: u32 = 65_535;

/// What the write tells of the notification.
pub(crate) struct Notification {
    segment: String,
    rank: String,
    queue: String,
    number: u32,
}

impl Notification {
    /// Of a write; `seed` chooses among the numbers that the sources do not name.
    ///
    /// # Errors
    /// The call does not say what the notification needs, or its number may be that of another one.
    pub(crate) fn of(write: &Call, sources: [&Source; 2], seed: u32) -> Result<Self, Refusal> {
        let unknown = |what: &str| Refusal::Placeholder(what.to_owned(), "gaspi_notify".to_owned());
        let argument = |at: usize| write.arguments().get(at).map(|(text, _)| text.as_str());
        let (rank, segment) = match write.name() {
            "gaspi_write" | "gaspi_write_notify" => (2, argument(3).map(str::to_owned)),
            name if name.starts_with("gaspi_write_list") => {
                (3, argument(4).map(|segments| format!("({segments})[0]")))
            }
            _ => return Err(unknown("segment")),
        };
        let queue = write.arguments().len().checked_sub(2).and_then(argument);
        Ok(Self {
            segment: segment.ok_or_else(|| unknown("segment"))?,
            rank: argument(rank).ok_or_else(|| unknown("rank"))?.to_owned(),
            queue: queue.ok_or_else(|| unknown("queue"))?.to_owned(),
            number: number(sources, seed).ok_or_else(|| unknown("notification"))?,
        })
    }

    /// One that a call posts already; what waits for it says its number.
    ///
    /// # Errors
    /// The call does not say in which segment it is.
    pub(crate) fn posted(post: &Call, wait: &Template) -> Result<Self, Refusal> {
        let unknown = |what: &str| Refusal::Placeholder(what.to_owned(), wait.text().to_owned());
        let argument = |at: usize| post.arguments().get(at).map(|(text, _)| text.clone());
        let (segment, rank) = match post.name() {
            "gaspi_notify" => (argument(0), argument(1)),
            "gaspi_write_notify" => (argument(3), argument(2)),
            "gaspi_write_list_notify" => (argument(7), argument(3)),
            _ => (None, None),
        };
        let queue = post.arguments().len().checked_sub(2).and_then(argument);
        Ok(Self {
            segment: segment.ok_or_else(|| unknown("segment"))?,
            rank: rank.ok_or_else(|| unknown("rank"))?,
            queue: queue.ok_or_else(|| unknown("queue"))?,
            number: wait.number(1).ok_or_else(|| unknown("notification"))?,
        })
    }

    /// The same, if nothing else in these sources may have that number.
    pub(crate) fn alone_in(self, sources: [&Source; 2]) -> Option<Self> {
        taken(sources)
            .is_some_and(|taken| !taken.contains(&self.number))
            .then_some(self)
    }

    /// Posts it beside the write.
    ///
    /// # Errors
    /// The write stands in a loop.
    pub(crate) fn post(&self, source: &Source, path: &[Step<'_>]) -> Result<Vec<Edit>, Refusal> {
        let step = once(source, path)?;
        let Self {
            segment,
            rank,
            queue,
            number,
        } = self;
        let call = format!("gaspi_notify({segment}, {rank}, {number}, 1, {queue}, GASPI_BLOCK);");
        Ok(beside(source, step, Side::After, &[call]))
    }

    /// Waits for it before a statement, or before the loops that it is in, and makes its number free again.
    ///
    /// # Errors
    /// A loop around the statement has calls, which may have to come first; or the segment is not known there.
    pub(crate) fn wait(&self, source: &Source, path: &[Step<'_>]) -> Result<Vec<Edit>, Refusal> {
        let outermost = path
            .iter()
            .position(|step| step.statement().kind() == Kind::Loop && !calls(source, step));
        let step = match outermost {
            Some(at) => once(source, &path[..at]).map(|_| &path[at])?,
            None => once(source, path)?,
        };
        let Self { segment, number, .. } = self;
        if !source.knows(segment, step.statement().range().start) {
            return Err(Refusal::Unknown(segment.clone(), source.file().to_owned()));
        }
        let level = source.level(source.indentation(step.statement().range().start));
        let calls = block("{".to_owned(), level, (segment, *number));
        Ok(beside(source, step, Side::Before, &calls))
    }

    /// What its target alone does to wait for it, and to make its number free again; in the function of an offset.
    ///
    /// # Errors
    /// The write does not give its target as a number, or the sources do not say who has which number.
    pub(crate) fn awaited_by_its_target(&self, source: &Source, at: usize) -> Result<Vec<String>, Refusal> {
        let unknown = |what: &str| Refusal::Placeholder(what.to_owned(), "gaspi_notify_waitsome".to_owned());
        if !self.rank.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(unknown(&self.rank));
        }
        let asks = |name: &str| name == "gaspi_proc_rank";
        let asked = Call::find(source, 0..source.text().len(), &asks);
        let variable = asked
            .as_ref()
            .and_then(|call| call.arguments().first())
            .map(|(text, _)| text.trim_start_matches('&').trim().to_owned());
        let variable = variable.filter(|name| source.knows(name, at) && source.knows(&self.segment, at));
        let variable = variable.ok_or_else(|| unknown("rank"))?;
        let level = source.level(source.indentation(at));
        let head = format!("if ({variable} == {}) {{", self.rank);
        Ok(block(head, level, (&self.segment, self.number)))
    }
}

/// A block in which a notification is awaited and its number made free.
fn block(head: String, level: &str, (segment, number): (&str, u32)) -> Vec<String> {
    vec![
        head,
        format!("{level}gaspi_notification_id_t notified;"),
        format!("{level}gaspi_notification_t notified_by;"),
        format!("{level}gaspi_notify_waitsome({segment}, {number}, 1, &notified, GASPI_BLOCK);"),
        format!("{level}gaspi_notify_reset({segment}, notified, &notified_by);"),
        "}".to_owned(),
    ]
}

/// Whether something in a statement may meet other processes.
fn calls(source: &Source, step: &Step<'_>) -> bool {
    let code = String::from_utf8_lossy(source.code(step.statement().range())).into_owned();
    let call = |name: &str| {
        ["gaspi_", "MPI_", "shmem_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    };
    names(&code).any(call)
}

/// The last statement of a way that leads through no loop.
fn once<'p, 's>(source: &Source, path: &'p [Step<'s>]) -> Result<&'p Step<'s>, Refusal> {
    let file = || source.file().to_owned();
    if path.iter().any(|step| step.statement().kind() == Kind::Loop) {
        return Err(Refusal::InLoop("gaspi_notify".to_owned()));
    }
    path.last().ok_or_else(|| Refusal::NotUnderstood(file()))
}

/// A number that no source names, if no call waits for a range that the text does not tell.
fn number(sources: [&Source; 2], seed: u32) -> Option<u32> {
    let taken = taken(sources)?;
    let highest = LAST - seed % (LAST / 8);
    (LAST / 2..=highest).rev().find(|number| !taken.contains(number))
}

/// The numbers that may be those of notifications; `None` if a call waits for a range that the text does not tell.
fn taken(sources: [&Source; 2]) -> Option<Vec<u32>> {
    let literal = |text: &str| text.parse::<u32>().ok();
    let mut taken: Vec<u32> = Vec::new();
    for source in sources {
        let code = String::from_utf8_lossy(source.code(0..source.text().len())).into_owned();
        let words = code.split(|c: char| !c.is_ascii_alphanumeric());
        taken.extend(words.filter_map(literal));
        let waits = |name: &str| name.starts_with("gaspi_notify_waitsome");
        for call in Call::all(source, 0..source.text().len(), &waits) {
            let arguments = call.arguments();
            let range = [1, 2].map(|at| arguments.get(at).map(|(text, _)| text.as_str()));
            let [Some(first), Some(count)] = range else {
                return None;
            };
            let count = literal(count)?;
            match literal(first) {
                Some(first) => taken.extend((first..first.saturating_add(count)).take(LAST as usize)),
                // Whatever it begins with, it does not reach the last ones.
                None if count <= LAST / 4 => {}
                None => return None,
            }
        }
    }
    Some(taken)
}
