//! One event to bytes and back.

use super::Error;
use super::repeats::{Difference, Repeats};
use farside_events::Event;
use postcard::ser_flavors::Flavor;

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
        match encode_whole(event, &mut out[start..]) {
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
        if let Some(difference) = self.repeats.difference(event) {
            let length = framed(room, DIFFERENCE, |mut body| {
                body.try_extend(difference.form().bytes())?;
                body.finalize()
            })?;
            if length.is_some() {
                self.repeats.remember_like(&difference, event);
            }
            return Ok(length);
        }
        let length = encode_whole(event, room)?;
        if length.is_some() {
            self.repeats.remember(event);
        }
        Ok(length)
    }
}

fn encode_whole(event: &Event, room: &mut [u8]) -> Result<Option<usize>, Error> {
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
}

impl Decoder {
    /// A new chunk begins.
    pub fn restart(&mut self) {
        self.repeats.clear();
    }

    /// The bytes of the first record of `bytes`, whole or not; `None` if not even its length is there.
    pub fn length(bytes: &[u8]) -> Option<usize> {
        let told = u32::from_le_bytes(*bytes.first_chunk()?);
        usize::try_from(told & !DIFFERENCE).ok()?.checked_add(4)
    }

    /// Takes the first record of `bytes`; `None` if it is not whole.
    ///
    /// # Errors
    /// It is damaged, and was taken; `offset` is 0.
    #[inline]
    pub fn next(&mut self, bytes: &mut &[u8]) -> Option<Result<Event, Error>> {
        let (record, rest) = bytes.split_at_checked(Self::length(bytes)?)?;
        *bytes = rest;
        let (head, body) = record.split_at(4);
        let event = match head[3] & 0x80 {
            0 => self.whole(body),
            _ => self.like(body),
        };
        if event.is_none() {
            self.repeats.forget();
        }
        Some(event.ok_or(Error::Damaged { offset: 0 }))
    }

    fn whole(&mut self, body: &[u8]) -> Option<Event> {
        let event = postcard::from_bytes(body).ok()?;
        self.repeats.remember(&event);
        Some(event)
    }

    #[inline]
    fn like(&mut self, body: &[u8]) -> Option<Event> {
        self.repeats.restore(&Difference::read(body)?)
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
    use farside_events::{EventKind, ObjectId, ThreadId};

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
