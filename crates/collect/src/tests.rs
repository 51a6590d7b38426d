//! Both sides on one machine: two folders, a connection over loopback or the like, and whatever can go wrong with it.
//!
//! Collectors run in threads here; that they come to be, and go, in real jobs on real hosts is tried by
//! `scripts/hosts-agreement`.

use crate::frame::{ToCollector, ToFront, Wire, pack};
use crate::node::collect;
use crate::{Address, Front, SILENCE};
use farside_events::{Event, EventKind, ObjectId, ThreadId};
use farside_spool::Spool;
use farside_spool::agreement::{Decides, Member};
use farside_spool::format::Recording;
use farside_spool::processes::{machine, recording};
use farside_spool::reader::{End, Next, Stream};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Nothing here takes longer, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// A front with its folder.
struct Side {
    front: Front,
    folder: TempDir,
}

impl Side {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            front: Front::listen(folder.path(), false, false).unwrap(),
            folder,
        }
    }

    /// The address, with another port in it.
    fn by(&self, port: u16) -> Address {
        let text = self.front.address().variable().1;
        let mut words: Vec<_> = text.split(' ').map(str::to_string).collect();
        words[3] = port.to_string();
        words[4] = "127.0.0.1".into();
        Address::parse(&words.join(" ")).unwrap()
    }

    fn socket(&self) -> SocketAddr {
        self.front.address().link().sockets().next().unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().flatten();
        entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect()
    }

    /// The times of all events of a recording, and how it ended.
    fn judged(&self, recording: Recording) -> (Vec<u64>, End) {
        let start = Instant::now();
        let chunk = || self.folder.path().join(recording.chunk_name(0)).exists();
        wait(chunk, "the recording begins");
        let mut stream = foreign(self.folder.path(), recording);
        let mut times = Vec::new();
        loop {
            match stream.poll() {
                Next::Event(event) => times.push(event.time),
                Next::Waiting => std::thread::sleep(Duration::from_millis(2)),
                Next::Ended => {
                    assert_eq!(stream.damage(), Vec::<String>::new());
                    return (times, stream.end().unwrap());
                }
            }
            assert!(start.elapsed() < PATIENCE, "{} events", times.len());
        }
    }
}

/// Of another host, as a front sees it: our own would be asked for in `/proc`.
fn foreign(folder: &Path, recording: Recording) -> Stream {
    Stream::new(folder, recording, 0, false).of_another_host()
}

/// A host: a folder, and a collector for it.
struct Node {
    folder: PathBuf,
    collector: JoinHandle<()>,
    _parent: TempDir,
}

impl Node {
    fn new(front: &Address) -> Self {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("node");
        std::fs::create_dir(&folder).unwrap();
        let (of_collector, front) = (folder.clone(), front.clone());
        Self {
            folder,
            collector: std::thread::spawn(move || collect(&of_collector, &front)),
            _parent: parent,
        }
    }

    /// The collector has ended, and left nothing.
    fn ended(self) {
        wait(|| self.collector.is_finished(), "the collector ends");
        self.collector.join().unwrap();
        assert!(!self.folder.exists());
    }
}

fn wait(mut until: impl FnMut() -> bool, what: &str) {
    let start = Instant::now();
    while !until() {
        assert!(start.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn event(time: u64) -> Event {
    Event {
        time,
        thread: ThreadId(0),
        kind: EventKind::Release {
            object: ObjectId(time),
        },
    }
}

fn record(spool: &mut Spool, times: std::ops::Range<u64>) {
    for time in times {
        assert!(spool.append(&event(time)));
    }
}

/// The recording of this process, which lives.
fn living() -> Recording {
    recording(std::process::id(), 0)
}

/// That of a process which is gone.
fn dead() -> Recording {
    Recording {
        started: 1,
        ..living()
    }
}

/// Passes a connection on, until it is cut or falls silent.
struct Cable {
    port: u16,
    cut: Arc<AtomicBool>,
    silent: Arc<AtomicBool>,
}

impl Cable {
    fn to(front: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (cut, silent) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let flags = (Arc::clone(&cut), Arc::clone(&silent));
        std::thread::spawn(move || {
            let near = listener.accept().unwrap().0;
            let far = TcpStream::connect(front).unwrap();
            let ways = [(&near, &far), (&far, &near)].map(|(from, to)| {
                let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                let (cut, silent) = (Arc::clone(&flags.0), Arc::clone(&flags.1));
                std::thread::spawn(move || carry(from, to, &cut, &silent))
            });
            ways.into_iter().for_each(|way| way.join().unwrap());
        });
        Self { port, cut, silent }
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool, silent: &AtomicBool) {
    from.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
    let mut bytes = [0; 4096];
    loop {
        if cut.load(Ordering::Relaxed) {
            let _ = from.shutdown(Shutdown::Both);
            return;
        }
        let came = from.read(&mut bytes);
        let ended = matches!(came, Ok(0));
        match came {
            // What is silent does not say that it ends either.
            Ok(0) if silent.load(Ordering::Relaxed) => std::mem::forget(to.try_clone().unwrap()),
            Ok(0) => _ = to.shutdown(Shutdown::Both),
            Ok(_) if silent.load(Ordering::Relaxed) => {}
            Ok(length) if to.write_all(&bytes[..length]).is_err() => return,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
        if ended {
            return;
        }
    }
}

/// Files of a host are read in pieces; what cannot be read, and a host that is gone, are errors and no waiting.
#[test]
fn files_of_a_host_are_read_where_they_are() {
    let side = Side::new();
    let node = Node::new(side.front.address());
    let host = farside_spool::processes::host_name();
    wait(
        || !side.front.nodes(&host).is_empty(),
        "the collector is connected",
    );
    let number = side.front.nodes(&host)[0];
    assert!(side.front.nodes("another").is_empty());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    // More than one block, and more than are asked for at one time.
    let bytes: Vec<u8> = (0..20_000_000_u32)
        .map(|i| (i.wrapping_mul(0x9e37_79b9) >> 24) as u8)
        .collect();
    std::fs::write(&path, &bytes).unwrap();
    let read = |path: &Path, pieces: &[(u64, u64)]| {
        let mut copy = vec![0; 20_000_100];
        let size = side
            .front
            .read(number, path.to_str().unwrap(), pieces, &mut |offset, bytes| {
                let offset = offset as usize;
                copy[offset..offset + bytes.len()].copy_from_slice(bytes);
                Ok(())
            });
        size.map(|size| (size, copy))
    };
    let (size, copy) = read(&path, &[(0, 20_000_100)]).unwrap();
    assert!(size == 20_000_000 && copy[..20_000_000] == bytes && copy[20_000_000..] == [0; 100]);
    let (_, copy) = read(&path, &[(5, 3), (19_999_999, 50)]).unwrap();
    assert_eq!(copy[4..9], [0, bytes[5], bytes[6], bytes[7], 0]);
    assert_eq!((copy[19_999_998], copy[19_999_999]), (0, bytes[19_999_999]));
    assert_eq!(
        read(&path.join("none"), &[(0, 1)]).unwrap_err().kind(),
        ErrorKind::NotFound
    );
    assert!(read(folder.path(), &[(0, 1)]).is_err());
    // Without a piece nothing is asked.
    assert_eq!(read(&path, &[]).unwrap().0, 0);
    let Side { front, folder: _kept } = side;
    drop(front);
    node.ended();
}

#[test]
fn a_recording_of_many_chunks_arrives_whole() {
    let side = Side::new();
    let node = Node::new(side.front.address());
    let mut spool = Spool::create(node.folder.clone(), living()).unwrap();
    let events = 200_000;
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            record(&mut spool, 0..events);
            // What was not judged is counted, wherever it is; the last chunk is not whole.
            wait(|| spool.unread() == 0, "all whole chunks are judged");
            let last = spool.chunk();
            spool.seal();
            wait(|| !last.exists(), "the last chunk is delivered");
        });
        let (times, end) = side.judged(living());
        assert!(times.into_iter().eq(0..events));
        assert_eq!(end, End::Sealed);
        writer.join().unwrap();
    });
    side.front.finish();
    wait(|| side.front.settled(), "all was delivered");
    assert!(side.front.hosts().iter().all(|host| host.lost.is_none()));
    assert_eq!(side.front.hosts().len(), 1);
    drop(side);
    node.ended();
}

#[test]
fn room_is_given_back_before_anything_is_judged() {
    let side = Side::new();
    let node = Node::new(side.front.address());
    let mut spool = Spool::create(node.folder.clone(), living()).unwrap();
    record(&mut spool, 0..100_000);
    let first = node.folder.join(living().chunk_name(0));
    let emptied = || std::fs::metadata(&first).is_ok_and(|file| file.len() == 0);
    wait(emptied, "the first chunk is emptied");
    assert!(spool.unread() > 0);
    drop(side);
    node.ended();
}

#[test]
fn a_process_that_is_gone_has_lost_its_recording() {
    let side = Side::new();
    let node = Node::new(side.front.address());
    let mut spool = Spool::create(node.folder.clone(), dead()).unwrap();
    record(&mut spool, 0..10);
    let (times, end) = side.judged(dead());
    // It was gone before it wrote: what it wrote until the collector looked is there.
    assert!(times.len() <= 10);
    assert_eq!(end, End::Lost);
    side.front.finish();
    wait(|| side.front.settled(), "nothing more comes");
    drop(side);
    node.ended();
}

#[test]
fn one_that_lives_on_is_not_waited_for() {
    let side = Side::new();
    let node = Node::new(side.front.address());
    let mut spool = Spool::create(node.folder.clone(), living()).unwrap();
    record(&mut spool, 0..10);
    wait(|| !side.front.hosts().is_empty(), "the host is there");
    side.front.finish();
    wait(|| side.front.settled(), "the front settles");
    drop(side);
    node.ended();
}

/// A recording that cannot be opened for a while, as on a disk that keeps its readers waiting: the host is not lost.
#[test]
fn a_collector_that_waits_for_its_disk_says_that_it_lives() {
    let side = Side::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = side.by(listener.local_addr().unwrap().port());
    let node = Node::new(&address);
    let (stream, _) = listener.accept().unwrap();
    let mut wire = Wire::over(stream, Duration::from_millis(25)).unwrap();
    wire.send(&ToCollector::Greeting(address.greeting())).unwrap();
    let mut until = |last: fn(&ToFront) -> bool| {
        let start = Instant::now();
        while !wire.next().unwrap().is_some_and(|message| last(&message)) {
            assert!(start.elapsed() < PATIENCE);
            wire.receive().unwrap();
        }
    };
    until(|message| matches!(message, ToFront::Hello { .. }));
    // Who opens a pipe that nobody writes to waits for a writer.
    let pipe = node.folder.join(living().chunk_name(0));
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, rustix::fs::Mode::RWXU, 0).unwrap();
    until(|message| matches!(message, ToFront::Begin { .. }));
    for _ in 0..2 {
        until(|message| matches!(message, ToFront::Alive));
    }
    drop(std::fs::File::options().write(true).open(&pipe).unwrap());
    until(|message| matches!(message, ToFront::Lost { .. }));
    drop(wire);
    node.ended();
}

#[test]
fn a_connection_that_is_cut_loses_the_host() {
    let side = Side::new();
    let cable = Cable::to(side.socket());
    let node = Node::new(&side.by(cable.port));
    let mut spool = Spool::create(node.folder.clone(), living()).unwrap();
    record(&mut spool, 0..10);
    let began = || side.folder.path().join(living().chunk_name(0)).exists();
    wait(began, "the recording begins");
    cable.cut.store(true, Ordering::Relaxed);
    let (_, end) = side.judged(living());
    assert_eq!(end, End::HostLost);
    wait(|| side.front.settled(), "the front settles");
    assert!(side.front.hosts()[0].lost.is_some());
    node.ended();
}

#[test]
fn a_collector_that_ends_when_all_has_come_loses_nothing() {
    for whole in [true, false] {
        let side = Side::new();
        let token = side.front.address().token();
        let sealed = ToFront::Sealed {
            number: 0,
            more: false,
        };
        let mut said = vec![begin(), data(100)];
        said.extend(whole.then_some(sealed));
        let rogue = Rogue::new(&side, token).says(&said);
        wait(
            || side.names().iter().any(|name| name.ends_with(".chunk")),
            "it comes",
        );
        drop(rogue);
        wait(|| side.front.settled(), "the front settles");
        let [host] = &side.front.hosts()[..] else {
            panic!("one host")
        };
        assert_eq!(host.lost.is_none(), whole, "{host:?}");
    }
}

#[test]
fn one_that_falls_silent_loses_the_host_in_time() {
    let side = Side::new();
    let cable = Cable::to(side.socket());
    let node = Node::new(&side.by(cable.port));
    let _spool = Spool::create(node.folder.clone(), living()).unwrap();
    let began = || side.folder.path().join(living().chunk_name(0)).exists();
    wait(began, "the recording begins");
    cable.silent.store(true, Ordering::Relaxed);
    let start = Instant::now();
    let (_, end) = side.judged(living());
    assert_eq!(end, End::HostLost);
    assert!(start.elapsed() + Duration::from_secs(3) > SILENCE);
    wait(|| side.front.settled(), "the front settles");
    let lost = side.front.hosts()[0].lost.clone().unwrap();
    assert!(lost.contains("nothing was heard"), "{lost}");
    node.ended();
}

#[test]
fn a_front_that_is_not_there() {
    // A port that nobody listens on any more.
    let side = Side::new();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    Node::new(&side.by(port)).ended();
}

#[test]
fn another_front_is_not_told_the_token() {
    let side = Side::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let stranger = std::thread::spawn(move || {
        let mut told = Vec::new();
        let stream = listener.accept().unwrap().0;
        let mut wire = Wire::new(stream.try_clone().unwrap());
        wire.send(&ToCollector::Greeting(1)).unwrap();
        let _ = (&stream).read_to_end(&mut told);
        told
    });
    Node::new(&side.by(port)).ended();
    assert!(stranger.join().unwrap().is_empty());
}

#[test]
fn the_agreement_over_two_folders() {
    let side = Side::new();
    let node = Node::new(side.front.address());
    for (job, missing) in [("whole", false), ("partial", true)] {
        let here = Member::join(side.folder.path(), job, 0, Decides::Here).unwrap();
        let there: Vec<_> = (1..3)
            .map(|slot| Member::join(&node.folder, job, slot, Decides::Elsewhere).unwrap())
            .collect();
        let size = 3 + u32::from(missing);
        let decisions = std::thread::scope(|scope| {
            let members = there.iter().chain([&here]);
            let deciders: Vec<_> = members
                .map(|member| scope.spawn(move || member.all_record(size, Some(1))))
                .collect();
            deciders
                .into_iter()
                .map(|decider| decider.join().unwrap())
                .collect::<Vec<_>>()
        });
        assert_eq!(decisions, [!missing; 3], "{job}");
    }
    // One that cannot record takes all along.
    let here = Member::join(side.folder.path(), "withdrawn", 0, Decides::Here).unwrap();
    let there = Member::join(&node.folder, "withdrawn", 1, Decides::Elsewhere).unwrap();
    there.withdraw();
    let decided = || {
        side.names()
            .iter()
            .filter(|name| name.ends_with("decision"))
            .count()
            == 3
    };
    wait(decided, "the front hears of it");
    assert!(!here.all_record(2, None));
    drop(side);
    node.ended();
}

/// A collector that says what it wants.
struct Rogue(Wire<TcpStream>);

impl Rogue {
    fn new(side: &Side, token: u128) -> Self {
        let stream = TcpStream::connect(side.socket()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut wire = Wire::new(stream);
        wire.send(&ToFront::Hello {
            build: farside_spool::BUILD.into(),
            token,
            host: "rogue".into(),
            machine: machine().to_string(),
        })
        .unwrap();
        Self(wire)
    }

    fn says(mut self, messages: &[ToFront]) -> Self {
        for message in messages {
            // The front may have had enough already.
            let _ = self.0.send(message);
        }
        self
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        let _ = self.0.stream().write_all(bytes);
        self
    }

    /// The front ends the connection.
    fn dropped(mut self) {
        while self.0.receive().is_ok() {}
    }
}

fn begin() -> ToFront {
    ToFront::Begin {
        recording: living().to_string(),
        job: None,
    }
}

fn data(length: u32) -> ToFront {
    ToFront::Data {
        number: 0,
        length,
        packed: pack(&[0; 100]),
    }
}

#[test]
fn without_the_token_nothing_is_written() {
    let side = Side::new();
    let token = side.front.address().token();
    Rogue::new(&side, token ^ 1).says(&[begin()]).dropped();
    assert_eq!(side.names(), Vec::<String>::new());
    assert_eq!(side.front.hosts(), []);
    // Strangers that say nothing, and that say something else.
    drop(TcpStream::connect(side.socket()).unwrap());
    let mut stranger = TcpStream::connect(side.socket()).unwrap();
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let _ = stranger.read_to_end(&mut Vec::new());
    assert_eq!(side.front.hosts(), []);
}

#[test]
fn what_is_said_wrongly_ends_the_connection_and_nothing_else() {
    let other = Recording { pid: 7, ..living() };
    let foreign = format!("{other}").replace(&machine().to_string(), &"0".repeat(48));
    let named = |recording: &str| ToFront::Begin {
        recording: recording.into(),
        job: None,
    };
    let file = |name: &str| ToFront::File { name: name.into() };
    let sealed = |more| ToFront::Sealed { number: 0, more };
    for wrong in [
        &[data(100)][..],
        &[begin(), begin()],
        &[begin(), data(99)],
        &[begin(), data(101)],
        &[begin(), data(u32::MAX)],
        &[begin(), sealed(false), data(100)],
        &[begin(), sealed(false), sealed(true)],
        &[begin(), ToFront::Lost { number: 0 }, ToFront::Lost { number: 0 }],
        &[begin(), ToFront::Lost { number: 1 }],
        &[named("../../etc/passwd")],
        &[named(&foreign)],
        &[file("../x")],
        &[file("0123456789abcdef.0.decision")],
        &[file("owner")],
    ] {
        let side = Side::new();
        let token = side.front.address().token();
        Rogue::new(&side, token).says(wrong).dropped();
        wait(|| side.front.settled(), "the front settles");
        assert!(side.front.hosts()[0].lost.is_some(), "{wrong:?}");
        let ours = |name: &String| farside_spool::folder::is_ours(name) && !name.ends_with("decision");
        assert!(side.names().iter().all(ours), "{:?}", side.names());
    }
}

#[test]
fn frames_that_lie_or_end_early() {
    for (bytes, shut) in [
        (&u32::MAX.to_le_bytes()[..], false),
        (&[1, 0, 0, 0, 250], false),
        (&[200, 0, 0, 0, 1, 2, 3], true),
        (&[9], true),
    ] {
        let side = Side::new();
        let token = side.front.address().token();
        let rogue = Rogue::new(&side, token).says(&[begin(), data(100)]).bytes(bytes);
        if shut {
            rogue.0.stream().shutdown(Shutdown::Write).unwrap();
        }
        rogue.dropped();
        let mut stream = foreign(side.folder.path(), living());
        // A hundred zero bytes are 25 records without a body.
        wait(|| matches!(stream.poll(), Next::Ended), "the recording ends");
        assert_eq!(stream.end(), Some(End::HostLost), "{bytes:?}");
    }
}

#[test]
fn another_build_is_told_as_such() {
    let side = Side::new();
    let mut wire = Wire::new(TcpStream::connect(side.socket()).unwrap());
    wire.send(&ToFront::Hello {
        build: "0.0.0".into(),
        token: side.front.address().token(),
        host: "old".into(),
        machine: machine().to_string(),
    })
    .unwrap();
    Rogue(wire).dropped();
    let hosts = side.front.hosts();
    assert!(hosts[0].name == "old" && hosts[0].lost.as_ref().unwrap().contains("another build"));
    assert!(side.front.settled());
}
