//! Short puts in a message: for each a record, and behind it the bytes.

use super::Mark;

/// Bytes of a record.
const RECORD: usize = 24;

/// In the length of a record: a signal goes with the put.
const SIGNALS: u32 = 1 << 31;

/// A put, as it travels with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record<'b> {
    /// Number of the region at its owner.
    pub(crate) region: u32,
    pub(crate) displacement: u64,
    pub(crate) mark: Option<Mark>,
    pub(crate) bytes: &'b [u8],
}

impl Record<'_> {
    /// Bytes of a record of a put of so many: the next one is aligned to a word.
    pub(crate) fn space(bytes: usize) -> usize {
        RECORD + bytes.next_multiple_of(8)
    }

    /// Adds the record to a message. Fewer than 2^31 bytes are put.
    pub(crate) fn append(&self, message: &mut Vec<u8>) {
        let signals = if self.mark.is_some() { SIGNALS } else { 0 };
        message.extend(self.region.to_ne_bytes());
        message.extend((self.bytes.len() as u32 | signals).to_ne_bytes());
        message.extend(self.displacement.to_ne_bytes());
        message.extend(self.mark.map_or(0, |mark| mark.pack(8)).to_ne_bytes());
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
        let length = (short(4) & !SIGNALS) as usize;
        let Some((padded, rest)) = rest.split_at_checked(length.next_multiple_of(8)) else {
            return self.garbage();
        };
        self.0 = rest;
        Some(Ok(Record {
            region: short(0),
            displacement: long(8),
            mark: (short(4) & SIGNALS != 0).then(|| Mark::unpack(long(16), 8)),
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
            region,
            displacement: u64::from(region) << 33,
            mark,
            bytes,
        };
        let (source, number) = (Some(3), u32::MAX);
        let records = [
            put(7, b"12345678", None),
            put(1, b"", Some(Mark::Immediate { source, number })),
            put(0x7FFF_FFFF, b"abc", Some(Mark::Count { region: 9 })),
            put(2, b"123456789", None),
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
