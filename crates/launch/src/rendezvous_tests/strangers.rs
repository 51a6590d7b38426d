//! Those who do not keep to the protocol, or are not of the job.

use super::{Job, PATIENCE, boxed, exchange, wait_for};
use crate::client::{Identity, Process};
use crate::protocol::{Ask, Request, VALUE_LIMIT, VERSION, frame};
use crate::registry::News;
use crate::socket::Address;
use farside_fabric::bootstrap::Bootstrap;
use std::io::{Read as _, Write as _};

#[test]
fn garbage_harms_nobody() {
    let job = Job::new(2);
    let processes = job.all();
    let long = u32::MAX.to_le_bytes();
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        &[0; 64],
        &[255; 4096],
        &long,
        b"\x03\0\0\0\x01\x09\x09",
    ] {
        let mut socket = job.raw();
        socket.write_all(garbage).expect("sent");
        // Closed by the server; half a message would wait.
        match socket.read(&mut [0; 64]) {
            Ok(bytes) => assert_eq!(bytes, 0, "closed without a word"),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
    }
    let mut half = job.raw();
    half.write_all(&[9, 0, 0]).expect("sent");
    exchange(&boxed(processes));
}

#[test]
fn a_rank_that_speaks_garbage_is_lost() {
    let job = Job::new(2);
    let zero = job.join(0);
    let mut socket = job.raw();
    let hello = Ask::Hello {
        version: VERSION,
        job: job.name.clone(),
        rank: 1,
        size: 2,
    };
    let hello = frame(&Request {
        number: 1,
        ask: hello,
    })
    .expect("short");
    socket.write_all(&hello).expect("sent");
    assert_eq!((job.next(), job.next()), (News::Joined(0), News::Joined(1)));
    socket.write_all(&[255; 16]).expect("sent");
    assert_eq!(job.next(), News::Lost(1));
    wait_for(|| zero.lost() == Some(1));
}

#[test]
fn a_process_that_does_not_read_its_answers_does_not_stop_others() {
    let job = Job::new(2);
    let zero = job.join(0);
    zero.publish("big", &vec![1; VALUE_LIMIT]).expect("published");
    let mut socket = job.raw();
    let hello = Ask::Hello {
        version: VERSION,
        job: job.name.clone(),
        rank: 1,
        size: 2,
    };
    socket
        .write_all(
            &frame(&Request {
                number: 1,
                ask: hello,
            })
            .expect("short"),
        )
        .expect("sent");
    let ask = Ask::Lookup {
        rank: 0,
        name: "big".into(),
    };
    let ask = frame(&Request { number: 2, ask }).expect("short");
    // 2,000 answers would be 2 GB; the server stops reading long before, and then we cannot write.
    socket.set_nonblocking(true).expect("set");
    for _ in 0..2000 {
        if socket.write(&ask).is_err() {
            break;
        }
    }
    for i in 0..100 {
        zero.publish(&i.to_string(), &[i]).expect("published");
        assert_eq!(zero.lookup(0, &i.to_string()), Ok(vec![i]));
    }
}

#[test]
fn who_is_not_of_the_job_is_told_why() {
    let job = Job::new(2);
    let _zero = job.join(0);
    let refused = |identity: Identity| {
        let error = Process::join(job.server.address(), identity, None, PATIENCE).expect_err("refused");
        error.to_string()
    };
    let mut other = job.identity(1);
    other.job = "another".into();
    assert!(refused(other).contains("another job than another is there"));
    let mut other = job.identity(1);
    other.size = 3;
    assert!(refused(other).contains("rank 1 of 3, but the job has 2 ranks"));
    assert!(refused(job.identity(0)).contains("another process is rank 0 already"));
    let nowhere = Address::Abstract("farside-nowhere".into());
    let error = Process::join(&nowhere, job.identity(1), None, PATIENCE).expect_err("nobody is there");
    assert!(
        error
            .to_string()
            .contains("unix:@farside-nowhere, but nobody answers"),
        "{error}"
    );
}
