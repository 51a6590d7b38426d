//! Short puts and messages of the user that travel together: for each a record, and after it the bytes.

use super::Mark;

/// Bytes of a record.
const RECORD: usize = 24;

/// In the length of a record: a signal goes with the put.
const SIGNALS: u32 = 1 << 31;

/// In the length of a record: it is a message, and has its tag in place of the displacement.
const MESSAGE: u32 = 1 << 30;

/// A put or a message, as it travels with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record<'b> {
    pub(crate) what: What,
    pub(crate) bytes: &'b [u8],
}

/// What the bytes of a record are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// To be written to a region, which has this number at its owner.
    Put {
        region: u32,
        displacement: u64,
        mark: Option<Mark>,
    },
    /// A message of the user.
    Message { tag: u64 },
}

impl Record<'_> {
    /// Bytes of a record of so many: the next one is aligned to a word.
    pub(crate) fn space(bytes: usize) -> usize {
        RECORD + bytes.next_multiple_of(8)
    }

    /// Adds the record to those of others. It has fewer than 2^30 bytes.
    pub(crate) fn append(&self, message: &mut Vec<u8>) {
        let (region, flag, place, mark) = match self.what {
            What::Put {
                region,
                displacement,
                mark,
            } => {
                let signals = if mark.is_some() { SIGNALS } else { 0 };
                (region, signals, displacement, mark)
            }
            What::Message { tag } => (0, MESSAGE, tag, None),
        };
        message.extend(region.to_ne_bytes());
        message.extend((self.bytes.len() as u32 | flag).to_ne_bytes());
        message.extend(place.to_ne_bytes());
        message.extend(mark.map_or(0, |mark| mark.pack(8)).to_ne_bytes());
        message.extend(self.bytes);
        message.resize(message.len().next_multiple_of(8), 0);
    }
}

/// The records of a message, which begins with a header of whole words.
pub(crate) struct Records<'b>(pub(crate) &'b [u8]);

impl<'b> Iterator for Records<'b> {
    /// An error: the rest of the message is no record.
    type Item = Result<Record<'b>, ()>;

    fn next(&mut self) -> Option<Self::Item> {
        let (record, rest) = match self.0.split_at_checked(RECORD) {
            Some(split) => split,
            None if self.0.is_empty() => return None,
            None => return self.garbage(),
        };
        let short =
            |at: usize| u32::from_ne_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let long = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&record[at..at + 8]);
            u64::from_ne_bytes(word)
        };
        let length = (short(4) & !(SIGNALS | MESSAGE)) as usize;
        let Some((padded, rest)) = rest.split_at_checked(length.next_multiple_of(8)) else {
            return self.garbage();
        };
        self.0 = rest;
        let what = if short(4) & MESSAGE == 0 {
            What::Put {
                region: short(0),
                displacement: long(8),
                mark: (short(4) & SIGNALS != 0).then(|| Mark::unpack(long(16), 8)),
            }
        } else {
            What::Message { tag: long(8) }
        };
        Some(Ok(Record {
            what,
            bytes: &padded[..length],
        }))
    }
}

impl<'b> Records<'b> {
    fn garbage(&mut self) -> Option<Result<Record<'b>, ()>> {
        self.0 = &[];
        Some(Err(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_went() {
        let put = |region: u32, bytes: &'static [u8], mark| Record {
            what: What::Put {
                region,
                displacement: u64::from(region) << 33,
                mark,
            },
            bytes,
        };
        let message = |tag, bytes| Record {
            what: What::Message { tag },
            bytes,
        };
        let (source, number) = (Some(3), u32::MAX);
        let records = [
            put(7, b"12345678", None),
            put(1, b"", Some(Mark::Immediate { source, number })),
            put(0x7FFF_FFFF, b"abc", Some(Mark::Count { region: 9 })),
            put(2, b"123456789", None),
            message(u64::MAX, b"1234567"),
            message(0, b""),
        ];
        let mut message = Vec::new();
        for record in records {
            let before = message.len();
            record.append(&mut message);
            assert_eq!(message.len() - before, Record::space(record.bytes.len()));
        }
        let read: Result<Vec<Record<'_>>, ()> = Records(&message).collect();
        assert_eq!(read.as_deref(), Ok(&records[..]));
        for length in 0..message.len() {
            let read: Vec<_> = Records(&message[..length]).collect();
            let whole = read.iter().flatten().count();
            assert!(read.iter().flatten().eq(&records[..whole]));
            // What is cut within a record is refused, and reading ends there.
            let boundaries: usize = records[..whole]
                .iter()
                .map(|r| Record::space(r.bytes.len()))
                .sum();
            assert_eq!(read.len() > whole, boundaries != length, "{length} bytes");
        }
    }
}
