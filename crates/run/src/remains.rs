//! What libraries leave of ranks that were killed: files in `/dev/shm` that name their process.
//!
//! libfabric's provider `shm` makes one of 16 MiB a rank, `PID:DOMAIN:ENDPOINT`, and removes it when the endpoint is
//! closed. It is removed here for each process that we have waited for, so that no process of another job is mistaken
//! for it.
//!
//! Limits: processes that somebody else waited for, such as a shell that a rank is run by, keep their files; so do all
//! if this process itself is killed.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Where they are.
const FOLDER: &str = "/dev/shm";

/// Removes what processes that have ended left there.
pub(crate) fn remove(ended: &[u32]) {
    remove_from(Path::new(FOLDER), ended);
}

fn remove_from(folder: &Path, ended: &[u32]) {
    let own = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(process_of) else {
            continue;
        };
        // The number may belong to another process by now, which lives.
        let over = ended.contains(&pid) && !Path::new("/proc").join(pid.to_string()).exists();
        if over
            && entry
                .metadata()
                .is_ok_and(|file| file.is_file() && file.uid() == own)
        {
            // What cannot be removed stays; the job is over.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The process that a name such as `4711:0:0` belongs to.
fn process_of(name: &str) -> Option<u32> {
    let mut parts = name.split(':').map(str::parse::<u32>);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(Ok(pid)), Some(Ok(_)), Some(Ok(_)), None) => Some(pid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_processes_stay() {
        let folder = tempfile::tempdir().unwrap();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let gone = ended.id();
        ended.wait().unwrap();
        let living = std::process::id();
        let names = [
            format!("{gone}:0:0"),
            format!("{living}:0:0"),
            format!("{gone}:0"),
            format!("{gone}:0:0:0"),
            format!("{gone}:0:x"),
            "4711:0:0".to_owned(),
        ];
        for name in &names {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        remove_from(folder.path(), &[gone, living]);
        let left = |name: &String| folder.path().join(name).exists();
        assert_eq!(
            names.iter().map(left).collect::<Vec<_>>(),
            [false, true, true, true, true, true]
        );
    }
}
