//! Counts the messages that a program and whatever is loaded into it send, by Open MPI's monitoring component.
//!
//! It writes one file a process; its lines of kind E and I (point-to-point, by the program and by the library itself),
//! and S and R (one-sided, sent and received) end in `COUNT msgs sent` (ompi/mca/common/monitoring/README, Open MPI
//! 4.1).

use std::fs;
use std::path::Path;

/// Words for `mpirun` that switch monitoring on, with files `PREFIX.RANK.prof`.
pub(crate) fn options(prefix: &Path) -> Vec<String> {
    let prefix = prefix.display().to_string();
    [
        ["--mca", "pml_monitoring_enable", "2"],
        ["--mca", "pml_monitoring_enable_output", "3"],
        ["--mca", "pml_monitoring_filename", &prefix],
    ]
    .concat()
    .into_iter()
    .map(str::to_owned)
    .collect()
}

/// Messages of all processes, point-to-point and one-sided together; removes the files.
pub(crate) fn messages(prefix: &Path, ranks: u32) -> Option<u64> {
    let mut total = 0;
    for rank in 0..ranks {
        let path = format!("{}.{rank}.prof", prefix.display());
        let text = fs::read_to_string(&path).ok()?;
        // A file that stays is overwritten by the next run.
        let _ = fs::remove_file(&path);
        total += count(&text);
    }
    Some(total)
}

fn count(text: &str) -> u64 {
    let sent = text.lines().filter(|line| line.starts_with(['E', 'I', 'S', 'R']));
    sent.filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let unit = words.iter().position(|&word| word == "msgs")?;
        words.get(unit.checked_sub(1)?)?.parse::<u64>().ok()
    })
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_to_point_and_one_sided_count_but_summaries_of_collectives_do_not() {
        let text = "# POINT TO POINT\nI\t0\t1\t4336 bytes\t70 msgs sent\t43,0\nE\t0\t2\t8 bytes\t1 msgs sent\t1\n\
                    # OSC\nS\t0\t1\t16000 bytes\t20 msgs sent\n# COLLECTIVES\nC\t0\t1\t4360 bytes\t71 msgs sent\n\
                    D\tMPI_COMM_WORLD\tprocs: 0,1\nA2A\t0\t192 bytes\t49 msgs sent\n";
        assert_eq!(count(text), 91);
    }
}
