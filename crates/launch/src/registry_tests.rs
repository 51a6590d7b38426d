//! The registry, question by question.

use crate::protocol::{Answer, Ask, RANK_LIMIT, Request, VALUE_LIMIT, VERSION};
use crate::registry::{News, Outbox, Registry, Worlds};

/// A registry, and what came out of it last.
struct Table {
    registry: Registry,
    number: u64,
}

impl Table {
    fn new(size: u32) -> Self {
        Self {
            registry: Registry::new("job", size),
            number: 0,
        }
    }

    fn ask(&mut self, client: u64, ask: Ask) -> Outbox {
        self.number += 1;
        let number = self.number;
        self.registry.asked(client, Request { number, ask })
    }

    /// Client `rank` joins as that rank.
    fn join(&mut self, rank: u32, size: u32) {
        let out = self.ask(u64::from(rank), hello(rank, size));
        assert!(matches!(
            out.replies[0].1.answer,
            Answer::Welcome { generation: 0 }
        ));
        assert_eq!(out.news, [News::Joined(rank)]);
    }

    fn everybody(size: u32) -> Self {
        let mut table = Self::new(size);
        (0..size).for_each(|rank| table.join(rank, size));
        table
    }
}

fn hello(rank: u32, size: u32) -> Ask {
    Ask::Hello {
        version: VERSION,
        job: "job".into(),
        rank,
        size,
    }
}

fn publish(name: &str, bytes: usize) -> Ask {
    Ask::Publish {
        name: name.into(),
        bytes: vec![7; bytes],
    }
}

fn lookup(rank: u32, name: &str) -> Ask {
    Ask::Lookup {
        rank,
        name: name.into(),
    }
}

/// What was published in so many bytes, and nothing else.
fn value(bytes: usize) -> Answer {
    Answer::Bytes {
        bytes: vec![7; bytes],
        others: Vec::new(),
    }
}

/// The answers, each with its receiver.
fn answers(out: &Outbox) -> Vec<(u64, &Answer)> {
    out.replies
        .iter()
        .map(|(client, reply)| (*client, &reply.answer))
        .collect()
}

#[test]
fn a_lookup_waits_for_what_is_published_later() {
    let mut table = Table::everybody(2);
    assert!(table.ask(0, lookup(1, "x")).replies.is_empty());
    let out = table.ask(1, publish("x", 3));
    assert_eq!(answers(&out), [(0, &value(3)), (1, &Answer::Done)]);
    // The reply carries the number of the look-up, which was the third question.
    assert_eq!(out.replies[0].1.number, 3);
    assert_eq!(answers(&table.ask(0, lookup(1, "x"))), [(0, &value(3))]);
}

#[test]
fn a_fence_opens_for_all_at_once() {
    let mut table = Table::everybody(3);
    for _ in 0..2 {
        assert!(table.ask(2, Ask::Fence).replies.is_empty());
        assert!(table.ask(0, Ask::Fence).replies.is_empty());
        assert_eq!(table.ask(1, Ask::Fence).replies.len(), 3);
    }
}

#[test]
fn a_lost_rank_is_news_to_all_and_ends_what_waits_for_it() {
    let mut table = Table::everybody(4);
    table.ask(0, Ask::Fence);
    table.ask(1, lookup(3, "never"));
    table.ask(2, lookup(1, "later"));
    let out = table.registry.gone(3);
    assert_eq!(out.news, [News::Lost(3)]);
    let lost = &Answer::Lost(3);
    assert_eq!(
        answers(&out),
        [(0, lost), (1, lost), (2, lost), (0, lost), (1, lost)]
    );
    assert_eq!(
        out.replies.iter().filter(|(_, reply)| reply.number == 0).count(),
        3
    );
    // Living ranks can still be looked up; fences are over.
    assert_eq!(table.ask(1, publish("later", 1)).replies.len(), 2);
    assert_eq!(answers(&table.ask(2, Ask::Fence)), [(2, lost)]);
    assert_eq!(answers(&table.ask(2, lookup(3, "y"))), [(2, lost)]);
    // Lost once.
    assert!(table.registry.ended(3, true).news.is_empty());
}

#[test]
fn a_rank_that_finishes_is_not_lost_but_cannot_be_waited_for() {
    let mut table = Table::everybody(3);
    table.ask(1, publish("x", 1));
    table.ask(0, Ask::Fence);
    table.ask(2, lookup(1, "y"));
    let out = table.ask(1, Ask::Finish);
    assert_eq!(out.news, [News::Finished(1)]);
    let refused = |client| {
        out.replies.iter().any(|(to, reply)| {
            *to == client
                && matches!(&reply.answer, Answer::Refused(why) if why.contains("rank 1 has finished"))
        })
    };
    assert!(refused(0) && refused(2));
    assert!(table.registry.gone(1).news.is_empty());
    // What it has published stays.
    assert_eq!(answers(&table.ask(2, lookup(1, "x"))), [(2, &value(1))]);
    assert!(matches!(
        table.ask(2, Ask::Fence).replies[0].1.answer,
        Answer::Refused(_)
    ));
}

#[test]
fn an_ended_process_that_never_joined_is_lost_to_those_who_did() {
    // It ends after the others have joined.
    let mut table = Table::new(2);
    table.join(0, 2);
    table.ask(0, Ask::Fence);
    assert_eq!(table.registry.ended(1, false).news, [News::Lost(1)]);
    // It ends before.
    let mut table = Table::new(2);
    assert!(table.registry.ended(1, false).news.is_empty());
    let out = table.ask(0, hello(0, 2));
    assert_eq!(out.news, [News::Joined(0), News::Lost(1)]);
    assert!(matches!(out.replies[0].1.answer, Answer::Welcome { .. }));
    assert_eq!(out.replies[1].1.answer, Answer::Lost(1));
    // Programs that never ask are no business of ours.
    let mut table = Table::new(2);
    assert!(table.registry.ended(0, false).news.is_empty() && table.registry.ended(1, false).news.is_empty());
}

#[test]
fn a_process_that_finished_and_ended_is_not_lost() {
    let mut table = Table::everybody(2);
    table.ask(1, Ask::Finish);
    let out = table.registry.ended(1, false);
    assert!(out.news.is_empty() && out.replies.is_empty());
    // But one that failed after its finish is.
    let mut table = Table::everybody(2);
    table.ask(1, Ask::Finish);
    assert_eq!(table.registry.ended(1, true).news, [News::Lost(1)]);
}

#[test]
fn the_next_program_of_a_job_has_names_of_its_own() {
    let mut table = Table::everybody(2);
    table.ask(0, publish("x", 1));
    table.ask(0, Ask::Finish);
    // Rank 0 goes ahead.
    let out = table.ask(10, hello(0, 2));
    assert_eq!(answers(&out), [(10, &Answer::Welcome { generation: 1 })]);
    assert_eq!(answers(&table.ask(10, publish("x", 2))), [(10, &Answer::Done)]);
    assert_eq!(answers(&table.ask(1, lookup(0, "x"))), [(1, &value(1))]);
    table.ask(1, Ask::Finish);
    table.ask(11, hello(1, 2));
    assert_eq!(answers(&table.ask(11, lookup(0, "x"))), [(11, &value(2))]);
    // A loss in the second program is none of the first.
    assert_eq!(table.registry.gone(10).news, [News::Lost(0)]);
}

#[test]
fn no_rank_runs_far_ahead() {
    let mut table = Table::everybody(2);
    let mut client = 0;
    let refused = (1..100).find(|_| {
        table.ask(client, Ask::Finish);
        client = client.max(1) + 1;
        let out = table.ask(client, hello(0, 2));
        matches!(&out.replies[0].1.answer, Answer::Refused(why) if why.contains("16 programs ahead"))
    });
    // The first of the 16 is the one that rank 1 still runs.
    assert_eq!(refused, Some(16));
}

#[test]
fn who_does_not_belong_here_is_refused_with_the_reason() {
    let with = |version, job: &str, rank, size| Ask::Hello {
        version,
        job: job.into(),
        rank,
        size,
    };
    for (ask, words) in [
        (with(VERSION + 1, "job", 0, 2), "build both"),
        (with(VERSION, "job", 2, 2), "rank 2 of 2"),
        (with(VERSION, "job", 0, 3), "rank 0 of 3, but the job has 2"),
        (Ask::Fence, "has not joined"),
    ] {
        let mut table = Table::new(2);
        let out = table.ask(9, ask);
        assert!(
            matches!(&out.replies[0].1.answer, Answer::Refused(why) if why.contains(words)),
            "{out:?}"
        );
        assert_eq!(out.dismissed, [9]);
        assert!(out.news.is_empty() && !table.registry.knows(9));
    }
    let mut table = Table::new(2);
    let out = table.ask(9, with(VERSION, "other", 0, 2));
    assert_eq!(
        (answers(&out), &out.dismissed),
        (vec![(9, &Answer::OtherJob)], &vec![9])
    );
    let mut table = Table::everybody(2);
    let out = table.ask(9, hello(1, 2));
    assert!(
        matches!(&out.replies[0].1.answer, Answer::Refused(why) if why.contains("another process is rank 1"))
    );
}

#[test]
fn limits_hold() {
    let mut table = Table::everybody(1);
    let refused = |out: &Outbox| {
        matches!(
            out.replies.last().expect("an answer").1.answer,
            Answer::Refused(_)
        )
    };
    assert!(refused(&table.ask(0, publish("long", VALUE_LIMIT + 1))));
    assert!(refused(&table.ask(0, publish(&"n".repeat(257), 1))));
    assert!(refused(&table.ask(0, lookup(1, "x"))));
    assert!(!refused(&table.ask(0, publish("once", 1))));
    assert!(refused(&table.ask(0, publish("once", 1))));
    let kept = (0..100)
        .take_while(|i| !refused(&table.ask(0, publish(&i.to_string(), VALUE_LIMIT))))
        .count();
    assert_eq!(kept, RANK_LIMIT / VALUE_LIMIT - 1);
    let waiting = (0..2000)
        .take_while(|i| table.ask(0, lookup(0, &format!("w{i}"))).replies.is_empty())
        .count();
    assert_eq!(waiting, 1024);
}

#[test]
fn a_lookup_brings_what_other_ranks_have_under_the_same_name() {
    let mut table = Table::everybody(4);
    for (rank, bytes) in [(0, 10), (1, 11), (2, 100_000), (3, 50_000)] {
        table.ask(rank, publish("x", bytes));
        table.ask(rank, publish("y", 1));
    }
    let others = |out: Outbox| match out.replies.into_iter().next().expect("an answer").1.answer {
        Answer::Bytes { others, .. } => others
            .into_iter()
            .map(|(rank, bytes)| (rank, bytes.len()))
            .collect(),
        other => panic!("{other:?}"),
    };
    let list: Vec<(u32, usize)> = others(table.ask(0, lookup(3, "x")));
    assert_eq!(list, [(2, 100_000), (1, 11), (0, 10)]);
    // The nearest ones, as far as there is room.
    assert_eq!(others(table.ask(0, lookup(1, "x"))), [(2, 100_000), (0, 10)]);
}

/// The rank that fails for a loss is not taken for the one that failed first, whoever's connection is closed first.
#[test]
fn a_loss_that_another_rank_has_seen_is_known_before_its_connection_ends() {
    let mut table = Table::everybody(3);
    let out = table.ask(1, Ask::Lost(0));
    assert_eq!(out.news, [News::Lost(0)]);
    assert_eq!(
        answers(&out),
        [
            (0, &Answer::Lost(0)),
            (1, &Answer::Lost(0)),
            (2, &Answer::Lost(0)),
            (1, &Answer::Done)
        ]
    );
    assert_eq!(table.registry.gone(1).news, [News::Lost(1)]);
    assert_eq!(table.registry.gone(0).news, []);
}

#[test]
fn nobody_loses_who_has_finished_or_does_not_exist() {
    let mut table = Table::everybody(3);
    table.ask(0, Ask::Finish);
    for rank in [0, 3, u32::MAX] {
        let out = table.ask(1, Ask::Lost(rank));
        assert_eq!(
            (out.news.as_slice(), answers(&out)),
            (&[][..], vec![(1, &Answer::Done)])
        );
    }
}

#[test]
fn who_was_let_go_and_never_comes_is_lost_to_the_others() {
    let mut worlds = Worlds::new("job", 3);
    let mut number = 0;
    let mut ask = |worlds: &mut Worlds, client, ask| {
        number += 1;
        worlds.asked(client, Request { number, ask })
    };
    (0..3).for_each(|rank| drop(ask(&mut worlds, u64::from(rank), hello(rank, 3))));
    assert_eq!(worlds.gone(1).news, [News::Lost(1)]);
    assert!(ask(&mut worlds, 2, Ask::Shrink).replies.is_empty());
    let out = ask(&mut worlds, 0, Ask::Shrink);
    let job = "job-1".to_owned();
    let shrunk = Answer::Shrunk {
        job: job.clone(),
        former: vec![0, 2],
    };
    assert_eq!(answers(&out), [(0, &shrunk), (2, &shrunk)]);
    let hello = Ask::Hello {
        version: VERSION,
        job,
        rank: 0,
        size: 2,
    };
    assert_eq!(ask(&mut worlds, 10, hello).news, [News::Joined(0)]);
    assert!(ask(&mut worlds, 10, Ask::Fence).replies.is_empty());
    // It dies on its way from one job to the other: the old connection goes, and no new one came.
    let out = worlds.gone(2);
    assert_eq!(out.news, [News::Lost(2)]);
    assert!(answers(&out).contains(&(10, &Answer::Lost(1))), "{out:?}");
    // The old connection of the rank that came says nothing.
    assert!(worlds.gone(0).news.is_empty());
}

#[test]
fn all_get_one_answer_whoever_dies_and_who_shrinks_has_not_agreed() {
    let mut table = Table::everybody(4);
    assert!(table.ask(0, Ask::Agree(true)).replies.is_empty());
    assert!(table.ask(1, Ask::Agree(true)).replies.is_empty());
    assert!(table.ask(2, Ask::Agree(false)).replies.is_empty());
    // A no of a rank that dies does not count.
    assert_eq!(table.registry.gone(2).news, [News::Lost(2)]);
    let yes = &Answer::Agreed(true);
    let out = table.ask(3, Ask::Agree(true));
    assert_eq!(answers(&out), [(0, yes), (1, yes), (3, yes)]);
    // One shrinks, and waits until the others come to that.
    assert!(table.ask(0, Ask::Shrink).replies.is_empty());
    assert!(table.ask(1, Ask::Agree(true)).replies.is_empty());
    let no = &Answer::Agreed(false);
    assert_eq!(answers(&table.ask(3, Ask::Agree(true))), [(1, no), (3, no)]);
    assert!(table.ask(3, Ask::Shrink).replies.is_empty());
    // The last one finishes: then the others are all that are left.
    let out = table.ask(1, Ask::Finish);
    assert_eq!(answers(&out), [(1, &Answer::Done)]);
    assert!(!table.registry.knows(0) && !table.registry.knows(3));
}
