//! The protocol against a small mpirun of our own; the real one is in `tests/launchers.rs`.

use super::conversation::Line;
use super::*;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixStream;
use std::thread::JoinHandle;

/// Answers one process, with these limits, until it goes away; returns all lines it got.
fn mpirun(stream: UnixStream, keylen: usize, vallen: usize) -> JoinHandle<Vec<String>> {
    std::thread::spawn(move || {
        let mut space = BTreeMap::new();
        let mut seen = Vec::new();
        for line in BufReader::new(stream.try_clone().expect("a clone")).lines() {
            let Ok(line) = line else { break };
            let parsed = Line(line.clone());
            let word = |key| parsed.get(key).unwrap_or_default().to_owned();
            let answer = match word("cmd").as_str() {
                "init" => "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0".to_owned(),
                "get_maxes" => format!("cmd=maxes kvsname_max=256 keylen_max={keylen} vallen_max={vallen}"),
                "get_my_kvsname" => "cmd=my_kvsname kvsname=kvs_1_0".to_owned(),
                "put" => {
                    assert!(word("key").len() < keylen && word("value").len() < vallen && line.len() < 1024);
                    match space.insert(word("key"), word("value")) {
                        None => "cmd=put_result rc=0 msg=success".to_owned(),
                        Some(_) => "cmd=put_result rc=-1 msg=duplicate_key".to_owned(),
                    }
                }
                "get" => match space.get(&word("key")) {
                    Some(value) => format!("cmd=get_result rc=0 msg=success value={value}"),
                    None => "cmd=get_result rc=-1 msg=key_not_found value=unknown".to_owned(),
                },
                "barrier_in" => "cmd=barrier_out".to_owned(),
                "finalize" => "cmd=finalize_ack".to_owned(),
                other => panic!("{other}"),
            };
            seen.push(line);
            (&stream)
                .write_all(format!("{answer}\n").as_bytes())
                .expect("sent");
        }
        seen
    })
}

fn process(keylen: usize, vallen: usize) -> (Pmi1<UnixStream>, JoinHandle<Vec<String>>) {
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    let mpirun = mpirun(theirs, keylen, vallen);
    let process = Pmi1::start(ours, 0, 1).and_then(Pmi1::name).expect("joined");
    (process, mpirun)
}

#[test]
fn values_of_any_length_come_back() {
    for (keylen, vallen) in [(64, 1024), (64, 4096), (32, 30)] {
        let (process, mpirun) = process(keylen, vallen);
        for bytes in [0, 1, 7, 8, 9, 490, 491, 492, 4096, 10_000] {
            let value: Vec<u8> = (0..bytes).map(|i| (i * 7) as u8).collect();
            let name = format!("v{bytes}");
            process.publish(&name, &value).expect("published");
            assert_eq!(process.lookup(0, &name).expect("found"), value);
        }
        process.finish().expect("finished");
        drop(process);
        let seen = mpirun.join().expect("no panic");
        assert_eq!(seen[0], "cmd=init pmi_version=1 pmi_subversion=1");
        assert_eq!(seen.last().expect("lines"), "cmd=finalize");
    }
}

#[test]
fn names_may_hold_anything_that_fits() {
    let (process, _mpirun) = process(64, 1024);
    process.publish("a b=c\n", b"odd").expect("published");
    assert_eq!(process.lookup(0, "a b=c\n").expect("found"), b"odd");
    let long = process.publish(&"n".repeat(64), b"x").expect_err("too long");
    assert!(matches!(long, FabricError::TooLong { limit: 64, .. }));
}

#[test]
fn what_is_not_there_or_there_already_is_an_error() {
    let (process, _mpirun) = process(64, 1024);
    let missing = process.lookup(0, "x").expect_err("not there").to_string();
    assert!(
        missing.contains("rank 0 published no `x`") && missing.contains("key_not_found"),
        "{missing}"
    );
    assert!(matches!(
        process.lookup(1, "x"),
        Err(FabricError::RankOutOfRange { rank: 1, size: 1 })
    ));
    process.publish("x", b"1").expect("published");
    let again = process
        .publish("x", b"2")
        .expect_err("a name is given once")
        .to_string();
    assert!(again.contains("duplicate_key"), "{again}");
    assert!(process.job().starts_with("pmi-"));
}

#[test]
fn a_launcher_that_talks_nonsense_or_goes_away_is_an_error() {
    for (said, words) in [
        (&b"hello\n"[..], "cmd=response_to_init was expected"),
        (
            b"cmd=response_to_init pmi_version=2 rc=-1\n",
            "a launcher that speaks PMI-1",
        ),
        (b"cmd=response_to_init pmi_ver", "mpirun is gone"),
        (b"", "mpirun is gone"),
        (
            b"cmd=response_to_init pmi_version=1\ncmd=maxes keylen_max=x\n",
            "keylen_max was expected",
        ),
    ] {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        (&theirs).write_all(said).expect("sent");
        theirs.shutdown(std::net::Shutdown::Write).expect("shut down");
        let error = Pmi1::start(ours, 0, 1).expect_err("nonsense").to_string();
        assert!(error.contains(words), "{error}");
    }
}
