//! Reports as `farside check` makes them, built in code.

use farside_findings::{
    Arrow, ByteRange, CheckedProgram, Count, Coverage, Creation, Finding, Frame, Gap, Guarantee, Lane,
    LaneEvent, MissingOrder, Party, Place, ReachedSite, Report, Rule, SCHEMA_VERSION, Shortfall,
    ShortfallKind, SimulationEnd, Suggestion, Timeline, UnreachedSite, compare, finding_id, merge,
};

/// The source that [`source_line`] knows.
const HALO: &str = "static void exchange(double *buf, MPI_Win win, int next)
{
\tMPI_Win_lock_all(0, win);
\tMPI_Put(buf, 4, MPI_DOUBLE, next, 0, 4, MPI_DOUBLE, win);
\tbuf[0] = 7.0;   /* too early */
\tMPI_Win_unlock_all(win);
}";

/// Looks up lines 52 to 58 of `src/halo.c`.
pub(crate) fn source_line(place: &Place) -> Option<String> {
    let index = place.line.checked_sub(52)? as usize;
    HALO.lines()
        .nth(index)
        .filter(|_| place.file == "src/halo.c")
        .map(str::to_owned)
}

/// A report with these findings, and nothing left out.
pub(crate) fn report(findings: Vec<Finding>) -> Report {
    Report {
        schema_version: SCHEMA_VERSION,
        tool: "farside 0.1.0".into(),
        program: CheckedProgram {
            command: ["mpirun", "-n", "3", "./halo", "--title", "two words"]
                .map(String::from)
                .into(),
            processes: 3,
            library: "Open MPI 4.1.4".into(),
            ended: "exit status 0".into(),
            status: Some(0),
            folder: "/home/anna/halo exchange".into(),
            hosts: Vec::new(),
        },
        findings: merge(findings),
        causes: Vec::new(),
        suppressed: 0,
        shortfalls: Vec::new(),
        counts: vec![
            Count {
                name: "events".into(),
                value: 1204,
            },
            Count {
                name: "operations".into(),
                value: 30,
            },
            Count {
                name: "spooled_bytes".into(),
                value: 65536,
            },
        ],
        predictions: None,
        coverage: None,
        superfluous: None,
        runs: None,
        is_one_order: false,
        any_ranks: None,
        sources: Vec::new(),
    }
}

/// Four findings, one of each kind, and everything else that a report can say.
pub(crate) fn full() -> Report {
    let mut report = report(vec![
        polling(),
        local_race(),
        remote_race(),
        double_lock(),
        deadlock(),
    ]);
    report.suppressed = 1;
    report.program.ended = "signal 9 (SIGKILL)".into();
    report.program.status = None;
    report.shortfalls = vec![
        Shortfall {
            id: ShortfallKind::NotInstrumented,
            message: "loads and stores of ./halo: build it with `farside cc mpicc -g ...`".into(),
            ranks: vec![0, 1, 2],
        },
        Shortfall {
            id: ShortfallKind::SpoolFull,
            message: "events after the disk was full".into(),
            ranks: vec![2],
        },
    ];
    report
}

/// A report of `farside lint` without findings: three of five calls were not reached, for two reasons.
pub(crate) fn uncovered() -> Report {
    let site = |operation: &str, line, reason: &str| UnreachedSite {
        operation: operation.into(),
        function: "exchange".into(),
        place: Some(place("src/halo.c", line)),
        reason: reason.into(),
    };
    let usage = "the condition on input at src/main.c:41 always led to exit(1) at src/main.c:22";
    let coverage = Coverage {
        sites: 5,
        unreached: vec![
            site("MPI_Win_fence", 54, usage),
            site("MPI_Put", 55, usage),
            site("MPI_Barrier", 90, "nothing calls exchange"),
        ],
        reached: vec![
            ReachedSite {
                place: place("src/halo.c", 40),
                operation: "MPI_Win_fence".into(),
            },
            ReachedSite {
                place: place("src/main.c", 44),
                operation: "MPI_Barrier".into(),
            },
        ],
        ends: vec![SimulationEnd {
            what: "exit(1)".into(),
            place: Some(place("src/main.c", 22)),
            condition: Some(place("src/main.c", 41)),
            from_outside: true,
            simulations: 3,
        }],
    };
    let mut report = report(vec![]);
    report.shortfalls = vec![Shortfall {
        id: ShortfallKind::SitesNotReached,
        message: "3 of 5 one-sided and synchronising call sites were not reached".into(),
        ranks: vec![],
    }];
    report.coverage = Some(coverage);
    report
}

/// The full report beside a report of `farside lint`: a finding that the run confirms, one whose places it came to, one
/// of which that is not known, and one that it did not come to.
pub(crate) fn predicted() -> Report {
    let mut run = full();
    let elsewhere = |rule, lines: [u32; 2]| {
        let mut other = local_race();
        other.rule = rule;
        for (party, line) in other.parties.iter_mut().zip(lines) {
            party.stack = vec![frame("exchange", "/home/me/src/halo.c", line)];
        }
        other.id = finding_id(rule, &other.parties);
        other
    };
    let lint = Report {
        findings: vec![
            local_race(),
            elsewhere(Rule::LocalRace, [55, 57]),
            elsewhere(Rule::RemoteRace, [55, 58]),
            elsewhere(Rule::RemoteRace, [90, 57]),
        ],
        ..Report::default()
    };
    let executed = [place("src/halo.c", 55), place("src/halo.c", 57)];
    run.predictions = Some(compare("lint.json", &lint, &run, &executed));
    run
}

pub(crate) fn place(file: &str, line: u32) -> Place {
    Place {
        file: file.into(),
        line,
        column: None,
    }
}

pub(crate) fn frame(function: &str, file: &str, line: u32) -> Frame {
    Frame {
        function: Some(function.into()),
        place: Some(place(file, line)),
        module: Some("/home/me/halo".into()),
        address: 0x1139 + u64::from(line),
        layer: false,
        shown: false,
    }
}

pub(crate) fn party(
    operation: &str,
    effect: &str,
    rank: u32,
    target: Option<u32>,
    stack: Vec<Frame>,
) -> Party {
    Party {
        operation: operation.into(),
        effect: effect.into(),
        rank,
        host: None,
        thread: 0,
        strand: None,
        target,
        stack,
    }
}

pub(crate) fn finding(rule: Rule, message: &str, parties: Vec<Party>) -> Finding {
    Finding {
        id: finding_id(rule, &parties),
        rule,
        cause: None,
        severity: rule.severity(),
        possible: false,
        arguments: None,
        inputs: None,
        replay: None,
        other_order: false,
        per_node: None,
        message: message.into(),
        parties,
        window: None,
        created: None,
        bytes: None,
        missing: None,
        suggestion: None,
        count: 1,
        ranks: farside_findings::Ranks::default(),
        timeline: None,
        scene: None,
        litmus: None,
    }
}

pub(crate) fn event(order: u32, label: &str, line: u32) -> LaneEvent {
    let place = Some(place("src/halo.c", line));
    LaneEvent {
        order,
        label: label.into(),
        place,
        party: None,
        open_until: None,
    }
}

fn arrow(from: (u32, u32), to: (u32, u32), label: &str) -> Arrow {
    Arrow {
        from,
        to,
        label: label.into(),
    }
}

/// `MPI_Put` whose origin buffer is stored to before the operation is complete: thesis Table 3.1, at the origin.
pub(crate) fn local_race() -> Finding {
    let stack = |line| {
        vec![
            frame("exchange", "src/halo.c", line),
            frame("main", "src/main.c", 21),
        ]
    };
    Finding {
        window: Some("halo".into()),
        created: None,
        bytes: Some(ByteRange {
            rank: 0,
            start: 0x7f00_1000,
            end: 0x7f00_1008,
            in_window: false,
            variable: Some("buf (heap, 32 bytes, allocated at src/main.c:12)".into()),
        }),
        missing: Some(MissingOrder {
            happens_before: false,
            consistency_order: true,
            explanation: "MPI_Put may read its origin buffer until it is complete locally".into(),
        }),
        suggestion: Some(Suggestion {
            call: "MPI_Win_flush_local(1, win)".into(),
            position: "after src/halo.c:55 and before src/halo.c:56, on rank 0".into(),
            after: Some(place("src/halo.c", 55)),
            before: Some(place("src/halo.c", 56)),
            ..Suggestion::default()
        }),
        count: 12,
        ranks: farside_findings::Ranks::default(),
        timeline: Some(Timeline {
            lanes: vec![Lane {
                rank: 0,
                host: None,
                events: vec![
                    event(0, "MPI_Win_lock_all", 54),
                    LaneEvent {
                        party: Some(0),
                        open_until: Some(3),
                        ..event(1, "MPI_Put to 1", 55)
                    },
                    LaneEvent {
                        party: Some(1),
                        ..event(2, "STORE", 56)
                    },
                    event(3, "MPI_Win_unlock_all", 57),
                ],
            }],
            arrows: vec![],
        }),
        ..finding(
            Rule::LocalRace,
            "the store changes bytes that MPI_Put is still reading",
            vec![
                party("MPI_Put", "reads", 0, Some(1), stack(55)),
                party("STORE", "writes", 0, None, stack(56)),
            ],
        )
    }
}

/// Two puts of two ranks to a third, with a message between ranks that orders them, but no completion.
pub(crate) fn remote_race() -> Finding {
    let stack = |line| {
        vec![
            frame("scatter", "src/scatter.c", line),
            frame("main", "src/main.c", 30),
        ]
    };
    Finding {
        window: Some("halo".into()),
        created: Some(Creation {
            call: "MPI_Win_allocate".into(),
            place: place("src/scatter.c", 9),
        }),
        bytes: Some(ByteRange {
            rank: 2,
            start: 0,
            end: 32,
            in_window: true,
            variable: None,
        }),
        missing: Some(MissingOrder {
            happens_before: true,
            consistency_order: true,
            explanation: "the barrier orders rank 0 before rank 1, but not the completion of the first put"
                .into(),
        }),
        suggestion: Some(Suggestion {
            call: "MPI_Win_flush(2, win)".into(),
            position: "after src/scatter.c:31, on rank 0".into(),
            after: Some(place("src/scatter.c", 31)),
            before: None,
            ..Suggestion::default()
        }),
        timeline: Some(Timeline {
            lanes: vec![
                Lane {
                    rank: 0,
                    host: None,
                    events: vec![
                        event(0, "MPI_Win_lock_all", 54),
                        LaneEvent {
                            party: Some(0),
                            open_until: Some(8),
                            place: Some(place("src/scatter.c", 31)),
                            ..event(3, "MPI_Put to 2", 31)
                        },
                        event(4, "MPI_Send to 1", 33),
                        event(8, "MPI_Win_unlock_all", 40),
                    ],
                },
                Lane {
                    rank: 1,
                    host: None,
                    events: vec![
                        event(1, "MPI_Win_lock_all", 54),
                        event(5, "MPI_Recv from 0", 35),
                        LaneEvent {
                            party: Some(1),
                            place: Some(place("src/scatter.c", 36)),
                            ..event(6, "MPI_Put to 2", 36)
                        },
                    ],
                },
                Lane {
                    rank: 2,
                    host: None,
                    events: vec![event(2, "MPI_Win_lock_all", 54), event(7, "MPI_Barrier", 41)],
                },
            ],
            arrows: vec![arrow((0, 4), (1, 5), "message")],
        }),
        ..finding(
            Rule::RemoteRace,
            "two puts write the same bytes of rank 2",
            vec![
                party("MPI_Put", "writes", 0, Some(2), stack(31)),
                party("MPI_Put", "writes", 1, Some(2), stack(36)),
            ],
        )
    }
}

/// A misuse that has one party only.
pub(crate) fn double_lock() -> Finding {
    let stack = vec![
        frame("MPI_Win_lock", "src/lock.f90", 9),
        Frame {
            module: Some("/usr/lib/libc.so.6".into()),
            address: 0x2724a,
            ..Frame::default()
        },
    ];
    let parties = vec![party("MPI_Win_lock", "", 1, Some(0), stack)];
    Finding {
        window: Some("halo".into()),
        created: None,
        ..finding(Rule::DoubleLock, "rank 1 holds the lock of rank 0", parties)
    }
}

/// Three ranks that wait for each other's lock.
pub(crate) fn deadlock() -> Finding {
    let blocked = |rank: u32| {
        let stack = vec![frame("step", "src/ring.c", 18), frame("main", "src/ring.c", 40)];
        party("MPI_Win_lock", "", rank, Some((rank + 1) % 3), stack)
    };
    let lane = |rank: u32| Lane {
        rank,
        host: None,
        events: vec![
            event(rank, &format!("MPI_Win_lock of {rank}"), 17),
            LaneEvent {
                party: Some(rank),
                ..event(rank + 3, &format!("MPI_Win_lock of {}", (rank + 1) % 3), 18)
            },
        ],
    };
    Finding {
        suggestion: Some(Suggestion {
            call: "MPI_Win_unlock(rank, win)".into(),
            position: "before src/ring.c:18, on every rank".into(),
            after: None,
            before: Some(place("src/ring.c", 18)),
            ..Suggestion::default()
        }),
        timeline: Some(Timeline {
            lanes: (0..3).map(lane).collect(),
            arrows: vec![],
        }),
        ..finding(
            Rule::Deadlock,
            "rank 0 waits for rank 1, rank 1 for rank 2, rank 2 for rank 0",
            (0..3).map(blocked).collect(),
        )
    }
}

/// A warning, by a thread other than 0, with nothing known of its code.
pub(crate) fn polling() -> Finding {
    let mut load = party("LOAD", "reads", 1, None, vec![]);
    load.thread = 3;
    let put = party(
        "MPI_Put",
        "writes",
        0,
        Some(1),
        vec![Frame {
            address: 0x4011,
            ..Frame::default()
        }],
    );
    finding(
        Rule::Polling,
        "the load waits for a value that MPI_Put writes",
        vec![put, load],
    )
}

/// As [`remote_race`], at places of its own, among `ranks` ranks.
pub(crate) fn wide_race(number: u32, ranks: u32) -> Finding {
    let (first, second) = (number % ranks, (number * 7 + ranks / 2) % ranks);
    let second = if first == second {
        (first + 1) % ranks
    } else {
        second
    };
    let line = 100 + number;
    let stack = |line| {
        vec![
            frame("update", "src/graph/update.c", line),
            frame("main", "src/main.c", 9),
        ]
    };
    let lanes = (0..ranks).map(|rank| {
        let mut events = vec![event(0, "MPI_Win_fence", 12)];
        let put = format!("MPI_Put to {}", (rank + 1) % ranks);
        let issued = LaneEvent {
            open_until: Some(ranks + 1),
            ..event(rank + 1, &put, line)
        };
        events.push(match rank {
            rank if rank == first => LaneEvent {
                party: Some(0),
                ..issued
            },
            rank if rank == second => LaneEvent {
                party: Some(1),
                ..issued
            },
            _ => issued,
        });
        events.push(event(ranks + 1, "MPI_Win_fence", 19));
        Lane {
            rank,
            host: None,
            events,
        }
    });
    Finding {
        timeline: Some(Timeline {
            lanes: lanes.collect(),
            arrows: vec![],
        }),
        count: u64::from(number) * 3 + 1,
        ranks: farside_findings::Ranks::default(),
        ..{
            let parties = vec![
                party("MPI_Put", "writes", first, Some(0), stack(line)),
                party("MPI_Put", "writes", second, Some(0), stack(line + 1)),
            ];
            let race = remote_race();
            Finding {
                parties,
                suggestion: None,
                ..race
            }
        }
    }
}

/// `number` races with one cause, a missing fence, and a misuse with its own.
pub(crate) fn one_cause(number: u32) -> Report {
    let race = |line: u32| {
        let race = wide_race(line, 4);
        let gap = Gap {
            needs: vec![Guarantee::HappensBefore],
            call: "MPI_Win_fence(0, win)".into(),
            only: false,
            from: vec![frame("main", "src/main.c", line)],
            to: vec![frame("main", "src/main.c", 1000 + line)],
        };
        Finding {
            suggestion: Some(Suggestion {
                call: gap.call.clone(),
                gap: Some(Box::new(gap)),
                ..Suggestion::default()
            }),
            ..race
        }
    };
    let findings = (0..number).map(race).chain([double_lock()]);
    let mut report = report(findings.collect());
    report.find_causes();
    report
}
