//! The same events judged by several.

use farside_events::{Event, Rank};
use farside_race::{Counts, Detector, Ending, Options, Owners, Part, RawFinding, join, shards};
use std::thread;

/// How to judge, the clocks of all processes, and what they did.
pub type Run<'a> = (Options, &'a [u32], &'a [(Rank, Event)]);

/// Two judges, three, and one for each process find what one alone found: each finding with its count, its picture and
/// its advice, in the same order.
#[track_caller]
pub fn judge_alike(run: Run<'_>, ending: &Ending, (findings, counts): &(Vec<RawFinding>, Counts)) {
    let (options, clocks, _) = run;
    let ranks = clocks.len();
    let mut numbers = vec![2, 3, ranks];
    numbers.retain(|number| *number <= ranks);
    numbers.sort_unstable();
    numbers.dedup();
    for judges in numbers {
        let owners = Owners::new(ranks as u32, judges, |rank| clocks[rank.0 as usize]);
        let (found, counted) = join(judge(&owners, run, ending));
        assert_eq!(&found, findings, "{judges} judges");
        let of = |counts: &Counts| (counts.events, counts.left_open);
        assert_eq!(of(&counted), of(counts), "{judges} judges");
        if !options.first {
            let of = |counts: &Counts| (counts.operations, counts.access_runs);
            assert_eq!(of(&counted), of(counts), "{judges} judges");
        }
    }
}

/// What the judges of a job find, each in a thread of its own.
fn judge(owners: &Owners, (options, clocks, events): Run<'_>, ending: &Ending) -> Vec<Part> {
    thread::scope(|scope| {
        let one = |shard| {
            scope.spawn(move || {
                let mut detector = Detector::of_shard(options, shard);
                for (rank, clock) in (0..).map(Rank).zip(clocks) {
                    detector.set_clock(rank, *clock);
                }
                for (rank, event) in events {
                    detector.event(*rank, event);
                }
                detector.part(ending)
            })
        };
        let judges: Vec<_> = shards(owners).into_iter().map(one).collect();
        let parts = judges
            .into_iter()
            .map(|judge| judge.join().expect("a judge that ends"));
        parts.collect()
    })
}
