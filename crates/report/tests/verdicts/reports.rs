//! Hand-made reports: what the models say of figures of the papers.

use farside_verdicts::{
    Action, Binding, Cause, Edge, Execution, Explanation, Judgement, Observation, Party, Quantifier, Report,
    SCHEMA_VERSION, State, Test, Value, Verdict,
};

pub(crate) fn bindings(text: &str) -> Vec<Binding> {
    text.split(';')
        .filter_map(|part| part.trim().split_once('='))
        .map(|(name, value)| Binding {
            name: name.to_owned(),
            value: value.parse().map_or(Value::Undefined, Value::Known),
        })
        .collect()
}

/// `process statement kind text | source`, process `-` for first values.
pub(crate) fn action(line: &str) -> Action {
    let (words, source) = line.split_once('|').unwrap();
    let mut words = words.split_whitespace();
    let process = words.next().unwrap().parse().ok();
    let statement = words.next().unwrap().parse().ok();
    let kind = words.next().unwrap().to_owned();
    Action {
        process,
        statement,
        kind,
        text: words.collect::<Vec<_>>().join(" "),
        source: source.trim().to_owned(),
    }
}

/// `from to relation rule`
pub(crate) fn edge(line: &str) -> Edge {
    let words: Vec<&str> = line.split_whitespace().collect();
    Edge {
        from: words[0].parse().unwrap(),
        to: words[1].parse().unwrap(),
        relation: words[2].to_owned(),
        rule: words.get(3).copied().unwrap_or_default().to_owned(),
    }
}

/// Dan et al. 2016, Figure 6, with the outcome (0,1) that in-order routing forbids.
pub(crate) fn refused() -> Explanation {
    let actions = [
        "- - w write X, 1 |",
        "- - w write Y, 0 |",
        "0 0 r read X, 0 | a = X",
        "1 0 er read Y, 0 | put(X@0, Y)",
        "1 0 ew write X, 0 | put(X@0, Y)",
        "1 1 er read X, 1 | Y = get(X@0)",
        "1 1 ew write Y, 1 | Y = get(X@0)",
        "1 2 flush flush 0 | flush(0)",
        "1 3 r read Y, 1 | b = Y",
    ];
    let edges = [
        "0 2 hb",
        "0 5 hb",
        "1 3 hb",
        "4 2 rf",
        "4 2 hb R2",
        "1 3 rf",
        "3 4 po",
        "3 4 hb PG",
        "4 5 po",
        "4 5 hb IR",
        "5 6 po",
        "5 6 hb PG",
        "6 7 po",
        "6 7 hb F2",
        "7 8 po",
        "7 8 hb F1",
        "6 8 rf",
        "0 5 rf",
        "5 4 hb R1",
        "4 7 hb F2",
    ];
    Explanation {
        outcome: bindings("0:a=0; 1:b=1;"),
        allowed: false,
        reason: "IR and R1 order the two remote actions both ways".to_owned(),
        execution: Some(Execution {
            actions: actions.map(action).to_vec(),
            edges: edges.map(edge).to_vec(),
        }),
        cycle: ["4 5 hb IR", "5 4 hb R1"].map(edge).to_vec(),
    }
}

/// Figure 8's outcome (0,2,1).
pub(crate) fn allowed() -> Explanation {
    let actions = [
        "- - w write X, 1 |",
        "- - w write Y, 0 |",
        "0 0 r read X, 0 | a = X",
        "0 1 w write X, 2 | X = 2",
        "0 2 r read X, 2 | b = X",
        "1 0 er read X, 1 | Y = get(X@0)",
        "1 0 ew write Y, 1 | Y = get(X@0)",
        "1 1 er read Y, 0 | put(X@0, Y)",
        "1 1 ew write X, 0 | put(X@0, Y)",
        "1 2 flush flush 0 | flush(0)",
        "1 3 r read Y, 1 | c = Y",
    ];
    let edges = [
        "2 3 po",
        "2 3 hb LO",
        "3 4 po",
        "3 4 hb LO",
        "5 6 po",
        "5 6 hb PG",
        "6 7 po",
        "7 8 po",
        "7 8 hb PG",
        "8 9 po",
        "8 9 hb F2",
        "9 10 po",
        "9 10 hb F1",
        "6 9 hb F2",
        "5 8 hb IR",
        "8 2 hb R2",
        "8 2 rf",
        "3 4 rf",
        "0 5 rf",
        "1 7 rf",
        "7 6 hb R1",
        "6 10 rf",
        "5 3 hb R1",
    ];
    Explanation {
        outcome: bindings("0:a=0; 0:b=2; 1:c=1;"),
        allowed: true,
        reason: String::new(),
        execution: Some(Execution {
            actions: actions.map(action).to_vec(),
            edges: edges.map(edge).to_vec(),
        }),
        cycle: Vec::new(),
    }
}

/// Four processes, all of whose actions are related to all others: the worst for labels.
pub(crate) fn dense() -> Explanation {
    let mut actions = Vec::new();
    for process in 0..4 {
        for (kind, text) in [
            ("er", "read variable, 10"),
            ("ew", "write variable, 10"),
            ("r", "read Z, 1"),
        ] {
            actions.push(action(&format!(
                "{process} {} {kind} {text} | put(V@0, W)",
                actions.len() / 2
            )));
        }
    }
    let mut edges = Vec::new();
    for from in 0..actions.len() {
        for to in from + 1..actions.len() {
            if (from * 7 + to * 3) % 4 != 0 {
                let rule = ["IR", "F2", "CAS-T", "(15)"][(from + to) % 4];
                edges.push(edge(&format!("{from} {to} hb {rule}")));
            }
        }
    }
    Explanation {
        outcome: Vec::new(),
        allowed: true,
        reason: String::new(),
        execution: Some(Execution { actions, edges }),
        cycle: Vec::new(),
    }
}

pub(crate) fn judgement(model: &str, verdict: Verdict, explanations: Vec<Explanation>) -> Judgement {
    let states = ["0:a=0; 1:b=0;", "0:a=1; 1:b=0;"].map(|text| State {
        bindings: bindings(text),
        holds: Some(text.starts_with("0:a=0")),
    });
    Judgement {
        model: model.to_owned(),
        verdict,
        states: states.to_vec(),
        observation: Some(Observation {
            positive: 1,
            negative: 1,
        }),
        bounded: false,
        cause: None,
        seconds: 0.000_012_3,
        explanations,
    }
}

pub(crate) fn test(name: &str, judgements: Vec<Judgement>) -> Test {
    Test {
        name: name.to_owned(),
        file: format!("{name}.litmus"),
        about: vec!["Dan et al. 2016, Fig. 6".to_owned()],
        source: "RMA Fig6\n{ 0: X = 1; 1: Y = 0; }\n P0    | P1           ;\n a = X | put(X@0, Y)  ;\n       | Y = \
            get(X@0) ;\n       | flush(0)     ;\n       | b = Y        ;\nexists (0:a = 0 /\\ 1:b = 0)\n".to_owned(),
        hash: "0123456789abcdef0123456789abcdef".to_owned(),
        quantifier: Some(Quantifier::Exists),
        condition: "exists (0:a = 0 /\\ 1:b = 0)".to_owned(),
        judgements,
    }
}

pub(crate) fn undefined() -> Judgement {
    let party = |process, line, text: &str| Party {
        process,
        line,
        text: text.to_owned(),
    };
    Judgement {
        states: Vec::new(),
        observation: None,
        cause: Some(Cause::Race {
            parties: [party(0, 5, "X = get(Y@1)"), party(0, 6, "a = X")],
            no_happens_before: false,
            no_consistency: true,
            conflict: "a get's buffer is read before the get is complete.".to_owned(),
        }),
        ..judgement("mpi3-unified", Verdict::Race, Vec::new())
    }
}

pub(crate) fn report(tests: Vec<Test>) -> Report {
    Report {
        schema_version: SCHEMA_VERSION,
        tool: "farside 0.1.0".to_owned(),
        tests,
    }
}

pub(crate) fn full() -> Report {
    let first = judgement("coreRMA", Verdict::Ok, vec![refused(), allowed()]);
    report(vec![
        test("Fig6", vec![first, undefined()]),
        test("dense", vec![judgement("coreRMA", Verdict::No, vec![dense()])]),
    ])
}
