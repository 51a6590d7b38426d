//! Files of shards are one run, or are refused with the reason.

use farside_shards::{Parts, Run, Shard, Writer};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn run(pieces: usize, shards: u32) -> Run {
    Run {
        build: "b".into(),
        arguments: vec!["litmus".into(), "x.litmus".into()],
        question: "q".into(),
        inputs: "i".into(),
        pieces,
        shards,
    }
}

/// The file of a shard whose results are its pieces' numbers; `keep` of them.
fn write(folder: &Path, name: &str, number: u32, run: &Run, keep: usize, finish: bool) -> PathBuf {
    let path = folder.join(name);
    let shard: Shard = format!("{number}/{}", run.shards).parse().unwrap();
    let mut writer = Writer::create(&path, shard, run.clone()).unwrap();
    for (piece, result) in shard.of_all(0..run.pieces).take(keep) {
        writer.take(piece, &result).unwrap();
    }
    if finish {
        writer.finish().unwrap();
    }
    path
}

fn whole(folder: &Path, run: &Run) -> Vec<PathBuf> {
    let all = 1..=run.shards;
    all.map(|number| write(folder, &format!("part-{number}"), number, run, usize::MAX, true))
        .collect()
}

fn refused(paths: &[PathBuf]) -> String {
    Parts::open(paths).unwrap_err().to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_shards_in_any_order_are_the_run(pieces in 0_usize..40, shards in 1_u32..12, turn in 0_usize..12) {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = whole(folder.path(), &run(pieces, shards));
        paths.rotate_left(turn % shards as usize);
        let read: Vec<usize> = Parts::open(&paths).unwrap().rest().unwrap();
        prop_assert_eq!(read, (0..pieces).collect::<Vec<_>>());
    }

    /// A file that was cut anywhere is never taken for whole.
    #[test]
    fn a_file_cut_anywhere_is_refused(cut in 0_f64..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let paths = whole(folder.path(), &run(9, 2));
        let bytes = fs::read(&paths[1]).unwrap();
        fs::write(&paths[1], &bytes[..(bytes.len() as f64 * cut) as usize]).unwrap();
        prop_assert!(Parts::open(&paths).is_err());
    }

    /// Nor is one in which a byte was changed.
    #[test]
    fn a_changed_byte_is_refused(at in 0_f64..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let paths = whole(folder.path(), &run(9, 2));
        let mut bytes = fs::read(&paths[1]).unwrap();
        let at = (bytes.len() as f64 * at) as usize;
        bytes[at] ^= 4;
        fs::write(&paths[1], &bytes).unwrap();
        prop_assert!(Parts::open(&paths).is_err());
    }
}

#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(20, 8);
    let paths = whole(folder.path(), &run);
    let some = [&paths[..2], &paths[4..5], &paths[6..7]].concat();
    let said = refused(&some);
    assert!(
        said.contains("not all 8 shards") && said.contains("shard 3-4,6,8"),
        "{said}"
    );
    // Killed midway: two of its three pieces are there.
    write(folder.path(), "part-2", 2, &run, 2, false);
    let said = refused(&paths);
    assert!(said.contains("shard 2 ended midway, 2 of its 3 pieces"), "{said}");
    // Killed before it began.
    fs::write(&paths[1], "").unwrap();
    let said = refused(&paths);
    assert!(said.contains("part-2 is not the file of a shard"), "{said}");
}

#[test]
fn what_does_not_belong_together_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(6, 2);
    let paths = whole(folder.path(), &run);
    let twice = write(folder.path(), "again", 2, &run, usize::MAX, true);
    let said = refused(&[&paths[..], &[twice]].concat());
    assert!(
        said.contains("shard 2 is there twice") && said.contains("again"),
        "{said}"
    );
    type Change = fn(&mut Run);
    let changes: [(Change, &str); 5] = [
        (|run| run.build.push('x'), "two builds"),
        (|run| run.question.push('x'), "options differ"),
        (|run| run.inputs.push('x'), "what they read differs"),
        (|run| run.shards = 3, "2 shards, one into 3"),
        (|run| run.pieces = 7, "6 pieces, one 7"),
    ];
    for (change, why) in changes {
        let mut other = run.clone();
        change(&mut other);
        let other = write(folder.path(), "other", 2, &other, usize::MAX, true);
        let said = refused(&[paths[0].clone(), other]);
        assert!(said.contains("of two runs") && said.contains(why), "{said}");
    }
    let text = folder.path().join("text");
    fs::write(&text, "Test A Allowed\n").unwrap();
    let said = refused(&[text]);
    assert!(said.contains("is not the file of a shard"), "{said}");
}
