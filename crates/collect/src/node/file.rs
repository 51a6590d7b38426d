//! A piece of a file of this host, for the front.

use crate::frame::{BLOCK, ToFront, pack};
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

/// The answer to the front's question: what is there of the piece, or that the file cannot be read.
pub(super) fn read(request: u64, path: &str, offset: u64, length: u32) -> ToFront {
    let (size, block) = match piece(path, offset, length) {
        Ok((size, block)) => (Some(size), block),
        Err(_) => (None, Vec::new()),
    };
    ToFront::Bytes {
        request,
        size,
        length: u32::try_from(block.len()).unwrap_or(0),
        packed: pack(&block),
    }
}

fn piece(path: &str, offset: u64, length: u32) -> io::Result<(u64, Vec<u8>)> {
    // A pipe must not hold the collector up.
    let options = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(options).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let left = found.len().saturating_sub(offset);
    let length = u64::from(length).min(left).min(BLOCK as u64);
    let mut block = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact_at(&mut block, offset)?;
    Ok((found.len(), block))
}
