//! Prints the events of a spool folder as text, process by process: `dump FOLDER`.

use farside_spool::format::{CHUNK_HEADER, COMMITTED_OFFSET, Recording, Records, check_header};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: dump FOLDER")?;
    let mut chunks = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if let Some(number) = Recording::parse_chunk_name(&name) {
            chunks.push((number, path));
        }
    }
    chunks.sort();
    for ((recording, number), path) in chunks {
        let bytes = std::fs::read(path)?;
        check_header(&bytes)?;
        let committed = bytes[COMMITTED_OFFSET..COMMITTED_OFFSET + 8].try_into()?;
        let end = CHUNK_HEADER + usize::try_from(u64::from_le_bytes(committed))?;
        println!(
            "== process {}, chunk {number}, sealed {}",
            recording.pid, bytes[24]
        );
        for event in Records::new(&bytes[CHUNK_HEADER..end]) {
            let event = event?;
            println!("{} t{} {:?}", event.time, event.thread.0, event.kind);
        }
    }
    Ok(())
}
