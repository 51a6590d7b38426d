//! Several hosts, and very many ranks: every form names hosts, and stays small enough to be read.

use crate::reports::{event, finding, frame, party, report};
use farside_findings::{
    Arrow, CheckedProgram, Finding, Host, Lane, LaneEvent, Ranks, Report, Rule, Timeline, merge,
};
use farside_report::Color;
use farside_report::findings::{html, json, no_sources, sarif, text};

fn host(name: &str, ranks: impl IntoIterator<Item = u32>) -> Host {
    Host {
        name: name.into(),
        ranks: Ranks::of(ranks),
    }
}

/// A race between a rank and its neighbour.
fn race(rank: u32, neighbour: u32) -> Finding {
    let put = party(
        "MPI_Put",
        "writes",
        rank,
        Some(neighbour),
        vec![frame("exchange", "src/halo.c", 54)],
    );
    let load = party(
        "LOAD",
        "reads",
        neighbour,
        None,
        vec![frame("sum", "src/halo.c", 71)],
    );
    let lane = |rank, call: &str, line, index| Lane {
        rank,
        host: None,
        events: vec![LaneEvent {
            party: Some(index),
            ..event(index, call, line)
        }],
    };
    Finding {
        timeline: Some(Timeline {
            lanes: vec![lane(rank, "MPI_Put", 54, 0), lane(neighbour, "LOAD", 71, 1)],
            arrows: Vec::new(),
        }),
        ..finding(Rule::RemoteRace, "nothing orders the two", vec![put, load])
    }
}

/// All ranks wait, each for the next one.
fn deadlock(ranks: u32) -> Finding {
    let parties = (0..ranks).map(|rank| {
        party(
            "MPI_Win_lock",
            "",
            rank,
            Some((rank + 1) % ranks),
            vec![frame("step", "src/ring.c", 18)],
        )
    });
    let lanes = (0..ranks).map(|rank| Lane {
        rank,
        host: None,
        events: vec![LaneEvent {
            party: Some(rank),
            ..event(rank, "MPI_Win_lock", 18)
        }],
    });
    let arrow = |rank: u32| Arrow {
        from: (rank, rank),
        to: (rank + 1, rank + 1),
        label: "message".into(),
    };
    Finding {
        timeline: Some(Timeline {
            lanes: lanes.collect(),
            arrows: (0..ranks - 1).map(arrow).collect(),
        }),
        ..finding(Rule::Deadlock, "all wait", parties.collect())
    }
}

fn on_hosts(hosts: Vec<Host>, findings: Vec<Finding>) -> Report {
    let mut report = report(merge(findings));
    let processes = hosts.iter().map(|host| host.ranks.number()).sum::<u64>();
    report.program = CheckedProgram {
        processes: u32::try_from(processes).unwrap(),
        hosts,
        ..report.program
    };
    report.name_hosts();
    report
}

#[test]
fn ranks_carry_their_host() {
    let hosts = vec![host("h1", [0, 1]), host("h2", [2, 3])];
    let report = on_hosts(hosts, vec![race(1, 2), race(2, 3), race(3, 0)]);
    let shown = text::render(&report, Color::Never, &no_sources);
    for line in [
        "(1) MPI_Put by rank 1 on h1, thread 0, target rank 2: writes",
        "(2) LOAD by rank 2 on h2, thread 0: reads",
        "= met: 3 times, by ranks 0-3 (on h1, h2); id ",
        "hosts: h1 (ranks 0-1), h2 (ranks 2-3)",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    let page = html::render(&report, &no_sources);
    assert!(page.contains(">rank 1 on h1</text>"), "{page}");
    assert!(page.contains("3 times, by ranks 0-3 (on h1, h2)"));
    let value: serde_json::Value = serde_json::from_str(&json::render(&report)).unwrap();
    let found = &value["findings"][0];
    assert_eq!(found["ranks"], "0-3");
    assert_eq!(
        (&found["parties"][0]["host"], &found["parties"][1]["host"]),
        (&"h1".into(), &"h2".into())
    );
    assert_eq!(found["timeline"]["lanes"][1]["host"], "h2");
    assert_eq!(value["program"]["hosts"][1]["ranks"], "2-3");
    let log: serde_json::Value = serde_json::from_str(&sarif::render(&report, &no_sources)).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["properties"]["ranks"], "0-3");
    let flows = &result["codeFlows"][0]["threadFlows"];
    assert_eq!(flows[0]["message"]["text"], "rank 1 on h1");
    assert!(
        result["message"]["text"]
            .as_str()
            .unwrap()
            .contains("by rank 2 on h2")
    );
    // What was written is read again.
    let again: Report = serde_json::from_str(&json::render(&report)).unwrap();
    assert_eq!(again, report);
}

#[test]
fn on_one_host_nothing_is_said_of_hosts() {
    let report = on_hosts(Vec::new(), vec![race(0, 1)]);
    for shown in [
        text::render(&report, Color::Never, &no_sources),
        json::render(&report),
        sarif::render(&report, &no_sources),
    ] {
        assert!(!shown.contains("host"), "{shown}");
    }
    let shown = text::render(&report, Color::Never, &no_sources);
    assert!(shown.contains("= met: 1 time; id"), "{shown}");
}

/// Ten thousand ranks on 250 hosts, in blocks or in turn, of which all or every seventh meet a race, and wait for each
/// other.
#[test]
fn ten_thousand_ranks_are_folded() {
    const RANKS: u32 = 10_000;
    const HOSTS: u32 = 250;
    for in_turn in [false, true] {
        let hosts: Vec<Host> = (0..HOSTS)
            .map(|number| {
                let on = |rank: &u32| match in_turn {
                    true => rank % HOSTS == number,
                    false => rank / (RANKS / HOSTS) == number,
                };
                host(&format!("node{number:03}"), (0..RANKS).filter(on))
            })
            .collect();
        for every in [1, 7] {
            let races = (0..RANKS)
                .step_by(every)
                .map(|rank| race(rank, (rank + 1) % RANKS));
            let report = on_hosts(hosts.clone(), races.chain([deadlock(RANKS)]).collect());
            assert_eq!(report.findings.len(), 2);
            let shown = text::render(&report, Color::Never, &no_sources);
            assert!(shown.len() < 8_000, "{} bytes\n{shown}", shown.len());
            assert!(shown.lines().count() < 100, "{shown}");
            let ranks = if every == 1 {
                "ranks 0-9999 (on node000, node001"
            } else {
                "(on node000, node001"
            };
            assert!(shown.contains(ranks), "{shown}");
            assert!(
                shown.contains("the other parties: MPI_Win_lock at ring.c:18 by ranks 8-9999"),
                "{shown}"
            );
            assert!(shown.contains("and 234 more hosts"), "{shown}");
            let page = html::render(&report, &no_sources);
            assert!(page.len() < 200_000, "{} bytes", page.len());
            assert!(page.contains("not shown: ranks 64-9999"));
            let log = sarif::render(&report, &no_sources);
            assert!(log.len() < 120_000, "{} bytes", log.len());
            // The data are whole; hosts and the ranks that met a finding take no line each.
            let mut data = report.clone();
            data.findings.retain(|finding| finding.rule == Rule::RemoteRace);
            let data = json::render(&data);
            assert!(data.len() < 50_000, "{} bytes", data.len());
        }
    }
}
