//! One event to bytes and back.

use super::Error;
use farside_events::Event;

/// Appends the record of `event` to `out`.
///
/// # Errors
/// [`Error::Damaged`] never occurs in practice: it stands for an event that the encoder refuses.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let taken = std::mem::take(out);
    *out = postcard::to_extend(event, taken).map_err(|_| Error::Damaged { offset: start })?;
    let length = u32::try_from(out.len() - start - 4).map_err(|_| Error::Damaged { offset: start })?;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

/// Iterates over the whole records of a records area.
///
/// Ends at an incomplete record; [`Records::consumed`] says how far it came, so that a reader can go on there when
/// more bytes have been committed.
pub struct Records<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Records<'a> {
    /// Starts at the first record of `bytes` (the area after the header, cut at the committed length).
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Bytes of whole records read so far.
    pub fn consumed(&self) -> usize {
        self.position
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.bytes[self.position..];
        let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
        let body = rest.get(4..4usize.checked_add(length)?)?;
        let offset = self.position;
        self.position += 4 + length;
        Some(postcard::from_bytes(body).map_err(|_| Error::Damaged { offset }))
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
    fn garbage_is_an_error_not_a_panic() {
        let bytes = [3, 0, 0, 0, 0xff, 0xff, 0xff];
        assert_eq!(
            Records::new(&bytes).next(),
            Some(Err(Error::Damaged { offset: 0 }))
        );
    }
}
