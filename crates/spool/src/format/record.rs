//! One event to bytes and back.

use super::Error;
use super::repeats::{Difference, ROOM, Repeats, has_numbers, later_only};
use farside_events::{Event, EventKind, ThreadId};
use postcard::ser_flavors::Flavor;
use serde::Serialize;

/// Set in the length of a record that holds what its event has of its own.
const DIFFERENCE: u32 = 1 << 31;

/// Appends the record of `event` to `out`, as it stands by itself.
///
/// # Errors
/// [`Error::Damaged`] never occurs in practice: it stands for an event that the encoder refuses.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    let mut room = TYPICAL;
    loop {
        out.resize(start + room, 0);
        match encode_whole(&Parts::from(event), &mut out[start..]) {
            Ok(Some(length)) => {
                out.truncate(start + length);
                return Ok(());
            }
            Ok(None) => room *= 4,
            Err(_) => {
                out.truncate(start);
                return Err(Error::Damaged { offset: start });
            }
        }
    }
}

/// Bytes that suffice for nearly all records.
const TYPICAL: usize = 256;

/// Writes the records of one chunk.
#[derive(Debug, Default)]
pub struct Encoder {
    repeats: Repeats,
}

impl Encoder {
    /// A new chunk begins.
    pub fn restart(&mut self) {
        self.repeats.clear();
    }

    /// Writes the record of `event` to the start of `room`, and says how long it is. `None` if it does not fit: then
    /// the bytes of `room` mean nothing, and the event was not written.
    ///
    /// # Errors
    /// [`Error::Damaged`] as in [`encode`].
    pub fn encode(&mut self, event: &Event, room: &mut [u8]) -> Result<Option<usize>, Error> {
        let Event { time, thread, kind } = event;
        self.encode_kind((*time, *thread), kind, room)
    }

    /// As [`Self::encode`], for an event that is not in one place.
    ///
    /// # Errors
    /// [`Error::Damaged`] as in [`encode`].
    #[inline]
    pub fn encode_kind(
        &mut self,
        (time, thread): (u64, ThreadId),
        kind: &EventKind,
        room: &mut [u8],
    ) -> Result<Option<usize>, Error> {
        if let Some(like) = self.repeats.like(time, thread, kind) {
            if !has_numbers(kind) {
                let length = write_short(&later_only(like), room);
                if length.is_some() {
                    self.repeats.remember_later(like.1);
                }
                return Ok(length);
            }
            let difference = self.repeats.difference(like, kind);
            let length = write_difference(&difference, room);
            if length.is_some() {
                self.repeats.remember_like(&difference);
            }
            return Ok(length);
        }
        let length = encode_whole(&Parts { time, thread, kind }, room)?;
        if length.is_some() {
            self.repeats.remember(time, thread, kind);
        }
        Ok(length)
    }
}

/// An event, written as [`Event`] is.
#[derive(Serialize)]
struct Parts<'a> {
    time: u64,
    thread: ThreadId,
    kind: &'a EventKind,
}

impl<'a> From<&'a Event> for Parts<'a> {
    fn from(event: &'a Event) -> Self {
        let Event { time, thread, kind } = event;
        Self {
            time: *time,
            thread: *thread,
            kind,
        }
    }
}

/// Writes the record of a difference, and says how long it is; `None` if it does not fit.
#[inline]
fn write_difference(difference: &Difference, room: &mut [u8]) -> Option<usize> {
    let Some(body) = room.get_mut(4..).and_then(|room| room.first_chunk_mut()) else {
        let mut bytes = [0; ROOM];
        let length = difference.write(&mut bytes);
        return write_short(&bytes[..length], room);
    };
    let length = difference.write(body);
    write_head(length, room)
}

/// Writes the record of a difference that has these bytes.
#[inline]
fn write_short(bytes: &[u8], room: &mut [u8]) -> Option<usize> {
    room.get_mut(4..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
    write_head(bytes.len(), room)
}

/// Writes the length of a record of a difference, and says how long all of it is.
#[inline]
fn write_head(length: usize, room: &mut [u8]) -> Option<usize> {
    *room.first_chunk_mut()? = (length as u32 | DIFFERENCE).to_le_bytes();
    Some(length + 4)
}

#[cold]
fn encode_whole(event: &Parts<'_>, room: &mut [u8]) -> Result<Option<usize>, Error> {
    framed(room, 0, |body| postcard::serialize_with_flavor(event, body))
}

/// Writes a record of a body, and says how long it is; `None` if it does not fit.
fn framed<'a>(
    room: &'a mut [u8],
    mark: u32,
    write: impl FnOnce(Body<'a>) -> postcard::Result<usize>,
) -> Result<Option<usize>, Error> {
    let Some((head, bytes)) = room.split_at_mut_checked(4) else {
        return Ok(None);
    };
    match write(Body { bytes, used: 0 }) {
        Ok(length) => {
            let told = u32::try_from(length)
                .ok()
                .filter(|length| length & DIFFERENCE == 0);
            head.copy_from_slice(&(told.ok_or(Error::Damaged { offset: 0 })? | mark).to_le_bytes());
            Ok(Some(length + 4))
        }
        Err(postcard::Error::SerializeBufferFull) => Ok(None),
        Err(_) => Err(Error::Damaged { offset: 0 }),
    }
}

/// The body of a record that is being written. Numbers are a few bytes each: they are stored one by one, since a call
/// of `memcpy` costs more, and in a checked process goes through a hook.
struct Body<'a> {
    bytes: &'a mut [u8],
    used: usize,
}

impl Flavor for Body<'_> {
    /// The length.
    type Output = usize;

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        let place = self.bytes.get_mut(self.used);
        *place.ok_or(postcard::Error::SerializeBufferFull)? = byte;
        self.used += 1;
        Ok(())
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        if bytes.len() <= LONGEST_NUMBER {
            return bytes.iter().try_for_each(|&byte| self.try_push(byte));
        }
        let rest = self
            .bytes
            .get_mut(self.used..)
            .and_then(|rest| rest.get_mut(..bytes.len()));
        rest.ok_or(postcard::Error::SerializeBufferFull)?
            .copy_from_slice(bytes);
        self.used += bytes.len();
        Ok(())
    }

    fn finalize(self) -> postcard::Result<usize> {
        Ok(self.used)
    }
}

/// Bytes of a 64-bit number, seven bits in each.
const LONGEST_NUMBER: usize = 10;

/// Reads the records of one chunk.
#[derive(Debug, Default)]
pub struct Decoder {
    repeats: Repeats,
    last: Last,
}

/// The event that was read last.
#[derive(Debug, Default)]
enum Last {
    /// There is none, or it was taken.
    #[default]
    Gone,
    /// It is remembered in a slot.
    Remembered(usize),
    /// It is here.
    Alone(Box<Event>),
}

impl Decoder {
    /// A new chunk begins.
    pub fn restart(&mut self) {
        self.repeats.clear();
        self.last = Last::Gone;
    }

    /// The bytes of the first record of `bytes`, whole or not; `None` if not even its length is there.
    #[inline]
    pub fn length(bytes: &[u8]) -> Option<usize> {
        let told = u32::from_le_bytes(*bytes.first_chunk()?);
        usize::try_from(told & !DIFFERENCE).ok()?.checked_add(4)
    }

    /// Takes the first record of `bytes`; `None` if it is not whole.
    ///
    /// # Errors
    /// It is damaged, and was taken; `offset` is 0.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Option<Result<Event, Error>> {
        let read = self.read(bytes)?;
        Some(read.and_then(|()| self.take().ok_or(Error::Damaged { offset: 0 })))
    }

    /// As [`Self::next`]; the event is then the [last](Self::last).
    ///
    /// # Errors
    /// As [`Self::next`].
    #[inline]
    pub fn read(&mut self, bytes: &mut &[u8]) -> Option<Result<(), Error>> {
        let (record, rest) = bytes.split_at_checked(Self::length(bytes)?)?;
        *bytes = rest;
        let (head, body) = record.split_at(4);
        let last = match head[3] & 0x80 {
            0 => self.whole(body),
            _ => self.like(body),
        };
        let Some(last) = last else {
            self.last = Last::Gone;
            self.repeats.forget();
            return Some(Err(Error::Damaged { offset: 0 }));
        };
        self.last = last;
        Some(Ok(()))
    }

    /// The event that was read last, if it was read well and not taken.
    #[inline]
    pub fn last(&self) -> Option<&Event> {
        match &self.last {
            Last::Gone => None,
            Last::Remembered(slot) => self.repeats.said(*slot),
            Last::Alone(event) => Some(event),
        }
    }

    /// Takes the event that was read last.
    pub fn take(&mut self) -> Option<Event> {
        match std::mem::take(&mut self.last) {
            Last::Gone => None,
            Last::Remembered(slot) => self.repeats.said(slot).cloned(),
            Last::Alone(event) => Some(*event),
        }
    }

    #[cold]
    fn whole(&mut self, body: &[u8]) -> Option<Last> {
        let event: Event = postcard::from_bytes(body).ok()?;
        Some(match self.repeats.keep(event) {
            Ok(slot) => Last::Remembered(slot),
            Err(event) => Last::Alone(event),
        })
    }

    #[inline]
    fn like(&mut self, body: &[u8]) -> Option<Last> {
        self.repeats
            .restore(&Difference::read(body)?)
            .map(Last::Remembered)
    }
}

/// Iterates over the whole records of a chunk.
///
/// Ends at an incomplete record.
pub struct Records<'a> {
    bytes: &'a [u8],
    length: usize,
    decoder: Decoder,
}

impl<'a> Records<'a> {
    /// Starts at the first record of `bytes` (the area after the header, cut at the committed length).
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            length: bytes.len(),
            decoder: Decoder::default(),
        }
    }

    /// Bytes of whole records read so far.
    pub fn consumed(&self) -> usize {
        self.length - self.bytes.len()
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.consumed();
        let event = self.decoder.next(&mut self.bytes)?;
        Some(event.map_err(|_| Error::Damaged { offset }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::ObjectId;

    fn event(time: u64) -> Event {
        Event {
            time,
            thread: ThreadId(0),
            kind: EventKind::Release { object: ObjectId(7) },
        }
    }

    #[test]
    fn round_trip_and_partial_tail() {
        let mut bytes = Vec::new();
        encode(&event(1), &mut bytes).unwrap();
        encode(&event(2), &mut bytes).unwrap();
        let whole = bytes.len();
        encode(&event(3), &mut bytes).unwrap();
        let mut records = Records::new(&bytes[..bytes.len() - 1]);
        assert_eq!(records.next(), Some(Ok(event(1))));
        assert_eq!(records.next(), Some(Ok(event(2))));
        assert_eq!(records.next(), None);
        assert_eq!(records.consumed(), whole);
    }

    #[test]
    fn a_record_fits_or_says_that_it_does_not() {
        let mut whole = Vec::new();
        let long = Event {
            time: u64::MAX,
            thread: ThreadId(7),
            kind: EventKind::Stack {
                id: farside_events::StackId(u64::MAX),
                frames: (0..400).map(|n| u64::MAX - n).collect(),
            },
        };
        encode(&long, &mut whole).unwrap();
        assert_eq!(Records::new(&whole).collect::<Vec<_>>(), [Ok(long.clone())]);
        for room in 0..whole.len() {
            assert_eq!(Encoder::default().encode(&long, &mut vec![0; room]), Ok(None));
        }
        let mut exact = vec![0; whole.len()];
        assert_eq!(
            Encoder::default().encode(&long, &mut exact),
            Ok(Some(whole.len()))
        );
        assert_eq!(exact, whole);
    }

    #[test]
    fn garbage_is_an_error_not_a_panic() {
        let bytes = [3, 0, 0, 0, 0xff, 0xff, 0xff];
        assert_eq!(
            Records::new(&bytes).next(),
            Some(Err(Error::Damaged { offset: 0 }))
        );
    }
}
