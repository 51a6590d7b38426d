//! The same events judged by several.

use farside_events::{Event, EventKind, Interface, Rank};
use farside_race::{
    Counts, Deputy, Detector, Ending, Options, Owners, Part, Post, RawFinding, Seat, Shard, Word, join, seats,
};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// How to judge, the clocks of all processes, and what they did.
pub type Run<'a> = (Options, &'a [u32], &'a [(Rank, Event)]);

/// Two judges, three, and one for each process find what one alone found: each finding with its count, its picture and
/// its advice, in the same order. So they do if all that they tell each other, and what they found, are bytes on their
/// way, and if nobody sees the loads and stores of others.
#[track_caller]
pub fn judge_alike(run: Run<'_>, ending: &Ending, (findings, counts): &(Vec<RawFinding>, Counts)) {
    let (options, clocks, events) = run;
    let ranks = clocks.len();
    let mut numbers = vec![2, 3, ranks];
    numbers.retain(|number| *number <= ranks);
    numbers.sort_unstable();
    numbers.dedup();
    for judges in numbers {
        let owners = Owners::new(ranks as u32, judges, |rank| clocks[rank.0 as usize]);
        let apart = is_of_mpi(events) && !reach_each_other(&owners, events);
        let ways = [Way::Threads, Way::Bytes]
            .into_iter()
            .chain(apart.then_some(Way::Hosts));
        for way in ways {
            let (found, counted) = join(judge(&owners, run, ending, way));
            assert_eq!(&found, findings, "{judges} judges, {way:?}");
            let of = |counts: &Counts| (counts.events, counts.left_open);
            assert_eq!(of(&counted), of(counts), "{judges} judges, {way:?}");
            if !options.first {
                let of = |counts: &Counts| (counts.operations, counts.access_runs);
                assert_eq!(of(&counted), of(counts), "{judges} judges, {way:?}");
            }
        }
    }
}

/// How far judges are from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Threads,
    /// All but the first are in other processes.
    Bytes,
    /// They are, and loads and stores come to the judge of their process only.
    Hosts,
}

/// Whether nobody waits for what is stored without a call.
fn is_of_mpi(events: &[(Rank, Event)]) -> bool {
    events.iter().all(|(_, event)| match &event.kind {
        EventKind::Window(window) => window.interface == Interface::Mpi,
        _ => true,
    })
}

/// Whether processes of several judges share memory.
fn reach_each_other(owners: &Owners, events: &[(Rank, Event)]) -> bool {
    let apart = |rank, owner| owners.of(rank) != owners.of(owner);
    events.iter().any(|(rank, event)| match &event.kind {
        EventKind::Window(window) => window.shared.iter().any(|segment| apart(*rank, segment.owner)),
        EventKind::Mapped { segment, .. } => apart(*rank, segment.owner),
        _ => false,
    })
}

/// As it comes out at the other end of a connection.
fn sent<T: Serialize + DeserializeOwned>(what: &T) -> T {
    let bytes = postcard::to_allocvec(what).expect("it can be written");
    postcard::from_bytes(&bytes).expect("what was written can be read")
}

/// What the judges of a job find, each in a thread of its own.
fn judge(owners: &Owners, (options, clocks, events): Run<'_>, ending: &Ending, way: Way) -> Vec<Part> {
    let of_shard = |shard: Shard, own: u32| {
        let mut detector = Detector::of_shard(options, shard);
        for (rank, clock) in (0..).map(Rank).zip(clocks) {
            detector.set_clock(rank, *clock);
        }
        for (rank, event) in events {
            let elsewhere = way == Way::Hosts && owners.of(*rank) != own;
            match elsewhere.then(|| event.kind.withheld()).flatten() {
                Some(kind) => detector.event(
                    *rank,
                    &Event {
                        kind,
                        ..event.clone()
                    },
                ),
                None => detector.event(*rank, event),
            }
        }
        sent(&detector.part(ending))
    };
    let inboxes: Mutex<Vec<_>> = Mutex::default();
    let all = seats(owners, |judge| {
        (way != Way::Threads && judge > 0).then(|| {
            let (sender, inbox) = channel();
            inboxes.lock().expect("no panic").push(inbox);
            posted(sender)
        })
    });
    let mut inboxes = inboxes.into_inner().expect("no panic").into_iter();
    thread::scope(|scope| {
        let of_shard = &of_shard;
        let mut one = |(own, seat): (u32, Seat)| {
            let shard = match seat {
                Seat::Here(shard) => shard,
                Seat::Elsewhere(deputy) => {
                    let inbox = inboxes.next().expect("one for each that is elsewhere");
                    Shard::elsewhere(own, sent(owners), told(deputy), inbox)
                }
            };
            scope.spawn(move || of_shard(shard, own))
        };
        let judges: Vec<_> = (0..).zip(all).map(&mut one).collect();
        let parts = judges
            .into_iter()
            .map(|judge| judge.join().expect("a judge that ends"));
        parts.collect()
    })
}

/// What a judge elsewhere hears.
fn posted(inbox: Sender<(u32, Word)>) -> Post {
    Arc::new(move |from, word| _ = inbox.send((from, sent(&word))))
}

/// What it tells.
fn told(deputy: Deputy) -> Post {
    Arc::new(move |_, word| deputy.tell(&sent(&word)))
}
