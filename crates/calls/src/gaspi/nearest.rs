//! Which argument of a call the library did not take, and which value it would have taken.
//!
//! Only where one value is nearer than others: a range that would fit into its segment ends there; one that is larger
//! than its segment, and begins in it, is cut; an offset is rounded down; of numbers that are counted from 0, it is the
//! last. Of a segment, a group or a rank that does not exist, nothing is told.

use super::{Function, Meaning, Notifies};
use farside_events::{GaspiArgument, Nearest};

/// Bytes of what an atomic operation changes.
const ATOMIC: u64 = 8;

/// Whose segment a range lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The rank that calls.
    Local,
    /// Another rank, by its number.
    Remote(u32),
}

/// What the library knows of the job.
pub trait Limits {
    /// The bytes of a segment; `None` if that is not known.
    fn segment(&self, side: Side, number: u8) -> Option<u64>;

    /// The greatest number of a queue.
    fn last_queue(&self) -> Option<u64>;

    /// The greatest number of a notification.
    fn last_notification(&self) -> Option<u64>;
}

impl Function {
    /// Where an argument of the function is, from 0; `None` if it has no such argument.
    #[must_use]
    pub fn place_of(&self, argument: GaspiArgument) -> Option<usize> {
        use GaspiArgument as Is;
        match (self.meaning(), argument) {
            (Meaning::Request(..) | Meaning::PassiveSend, Is::LocalOffset) => Some(1),
            (Meaning::Request(..), Is::RemoteOffset) => Some(4),
            (Meaning::Request(..), Is::Size) => Some(5),
            (Meaning::Request(_, Notifies::Remote | Notifies::Local), Is::NotificationId) => Some(6),
            (Meaning::Request(_, Notifies::Remote), Is::NotificationValue) => Some(7),
            (Meaning::Request(..), Is::Queue) => self.words().checked_sub(2),
            (Meaning::PassiveSend, Is::Size) => Some(3),
            (Meaning::Notify, Is::NotificationId) => Some(2),
            (Meaning::Notify, Is::NotificationValue) => Some(3),
            (Meaning::Notify, Is::Queue) => Some(4),
            (Meaning::Wait, Is::Queue) => Some(0),
            (Meaning::FetchAdd | Meaning::CompareSwap, Is::Offset) => Some(1),
            _ => None,
        }
    }
}

/// What a call would have been right with that returned a code; `word` gives its arguments.
pub fn nearest(
    function: &Function,
    code: i32,
    word: &dyn Fn(usize) -> u64,
    limits: &dyn Limits,
) -> Option<Nearest> {
    let of = |argument| Some((argument, word(function.place_of(argument)?)));
    let (argument, given, right) = match code {
        13 => {
            let (argument, given) = of(GaspiArgument::Queue)?;
            (argument, given, limits.last_queue()?)
        }
        14 => {
            let segment = limits.segment(Side::Local, word(0) as u8)?;
            let offset = of(GaspiArgument::LocalOffset)?;
            within(offset, of(GaspiArgument::Size)?, segment)?
        }
        15 => {
            let remote = Side::Remote(word(2) as u32);
            match of(GaspiArgument::Offset) {
                Some((argument, given)) => {
                    let last = limits.segment(remote, word(0) as u8)?.checked_sub(ATOMIC)?;
                    (argument, given, last - last % ATOMIC)
                }
                None => {
                    let segment = limits.segment(remote, word(3) as u8)?;
                    let offset = of(GaspiArgument::RemoteOffset)?;
                    within(offset, of(GaspiArgument::Size)?, segment)?
                }
            }
        }
        17 => {
            let (argument, given) = of(GaspiArgument::NotificationValue)?;
            (argument, given, 1)
        }
        18 => {
            let (argument, given) = of(GaspiArgument::NotificationId)?;
            (argument, given, limits.last_notification()?)
        }
        24 => {
            let (argument, given) = of(GaspiArgument::Offset)?;
            (argument, given, given - given % ATOMIC)
        }
        _ => return None,
    };
    Nearest::new(argument, given, right)
}

/// The argument of a range that has to be another one, so that it lies in a segment of so many bytes.
fn within(
    (offset, given): (GaspiArgument, u64),
    (size, bytes): (GaspiArgument, u64),
    segment: u64,
) -> Option<(GaspiArgument, u64, u64)> {
    match segment.checked_sub(bytes) {
        Some(last) => Some((offset, given, last)),
        None => Some((size, bytes, segment.checked_sub(given).filter(|left| *left > 0)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::of_name;
    use super::*;

    /// Segments of 64 bytes here and of 80 elsewhere, 8 queues, 16 notifications.
    struct Job;

    impl Limits for Job {
        fn segment(&self, side: Side, _number: u8) -> Option<u64> {
            Some(if side == Side::Local { 64 } else { 80 })
        }

        fn last_queue(&self) -> Option<u64> {
            Some(7)
        }

        fn last_notification(&self) -> Option<u64> {
            Some(15)
        }
    }

    fn told(name: &str, code: i32, words: &[u64]) -> Option<(&'static str, u64, u64)> {
        let function = of_name(name).unwrap();
        let nearest = nearest(function, code, &|place| words[place], &Job)?;
        Some((nearest.argument().name(), nearest.given(), nearest.right()))
    }

    #[test]
    fn a_range_ends_with_its_segment() {
        let write =
            |code, local, remote, size| told("gaspi_write", code, &[0, local, 1, 0, remote, size, 0, 0]);
        assert_eq!(write(14, 60, 0, 8), Some(("offset_local", 60, 56)));
        assert_eq!(write(15, 0, 76, 8), Some(("offset_remote", 76, 72)));
        // What does not fit at all is cut where it begins in the segment.
        assert_eq!(write(14, 16, 0, 72), Some(("size", 72, 48)));
        assert_eq!(write(14, 64, 0, 72), None);
        assert_eq!(write(10, 0, 0, 8), None);
        assert_eq!(
            told("gaspi_passive_send", 14, &[0, 64, 1, 8, 0]),
            Some(("offset_local", 64, 56))
        );
    }

    #[test]
    fn numbers_have_a_last_one() {
        let write = [0, 0, 1, 0, 0, 8, 20, 0, 99, 0];
        assert_eq!(told("gaspi_write_notify", 13, &write), Some(("queue", 99, 7)));
        assert_eq!(
            told("gaspi_write_notify", 17, &write),
            Some(("notification_value", 0, 1))
        );
        assert_eq!(
            told("gaspi_write_notify", 18, &write),
            Some(("notification_id", 20, 15))
        );
        assert_eq!(
            told("gaspi_notify", 18, &[0, 1, 16, 1, 0, 0]),
            Some(("notification_id", 16, 15))
        );
        assert_eq!(told("gaspi_wait", 13, &[9, 0]), Some(("queue", 9, 7)));
    }

    #[test]
    fn what_is_updated_at_once_is_aligned() {
        let add = |code, offset| told("gaspi_atomic_fetch_add", code, &[0, offset, 1, 1, 0, 0]);
        assert_eq!(add(24, 12), Some(("offset", 12, 8)));
        assert_eq!(add(15, 80), Some(("offset", 80, 72)));
    }
}
