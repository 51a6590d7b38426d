use super::*;
use farside_verdicts::Action;

/// Actions spread over processes, with the edges given as pairs.
fn execution(processes: &[u32], edges: &[(usize, usize)]) -> Execution {
    let actions = processes.iter().enumerate().map(|(index, &process)| Action {
        process: Some(process),
        statement: Some(index / 2),
        kind: "er".to_owned(),
        text: format!("read X, {index}"),
        source: format!("put(X@0, Y{})", index / 2),
    });
    let edges = edges.iter().map(|&(from, to)| Edge {
        from,
        to,
        relation: "hb".to_owned(),
        rule: "CAS-T".to_owned(),
    });
    Execution {
        actions: actions.collect(),
        edges: edges.collect(),
    }
}

fn assert_legible(picture: &Picture) {
    let labels: Vec<Rectangle> = picture.arrows.iter().map(|arrow| arrow.label_area).collect();
    let boxes: Vec<Rectangle> = picture.boxes.iter().map(|action| action.area).collect();
    let all: Vec<Rectangle> = labels
        .iter()
        .chain(&boxes)
        .copied()
        .filter(|area| area.width > 0.0)
        .collect();
    for (index, area) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            assert_eq!(area.overlap(*other), 0.0, "{area:?} {other:?}");
        }
        assert!(area.x >= 0.0 && area.y >= 0.0, "{area:?}");
        assert!(
            area.right() <= picture.width && area.bottom() <= picture.height,
            "{area:?}"
        );
    }
}

#[test]
fn nothing_overlaps_whatever_the_edges() {
    // A fixed sequence of numbers that jump about.
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..300 {
        let count = 2 + next(14);
        let mut processes: Vec<u32> = (0..count).map(|_| next(4) as u32).collect();
        processes.sort_unstable();
        let edges: Vec<(usize, usize)> = (0..next(3 * count)).map(|_| (next(count), next(count))).collect();
        let picture = picture(&execution(&processes, &edges), &[]);
        assert_legible(&picture);
        assert_eq!(picture.boxes.len(), count);
    }
}

#[test]
fn time_goes_downwards() {
    // P0: 0 1, P1: 2 3; 1 before 2.
    let picture = picture(&execution(&[0, 0, 1, 1], &[(0, 1), (1, 2), (2, 3)]), &[]);
    let y: Vec<f32> = picture.boxes.iter().map(|action| action.area.y).collect();
    assert!(y[0] < y[1] && y[1] < y[2] && y[2] < y[3], "{y:?}");
}

#[test]
fn columns_are_processes() {
    let picture = picture(&execution(&[0, 0, 2, 2, 5], &[]), &[]);
    let names: Vec<&str> = picture.heads.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["P0", "P2", "P5"]);
    let x: Vec<f32> = picture.boxes.iter().map(|action| action.area.x).collect();
    assert!(
        x[0] == x[1] && x[1] < x[2] && x[2] == x[3] && x[3] < x[4],
        "{x:?}"
    );
    // A frame around each statement of two actions.
    assert_eq!(picture.frames.len(), 2);
}

#[test]
fn parallel_edges_share_an_arrow_and_program_order_is_silent() {
    let mut both = execution(&[0, 0, 1], &[(0, 1), (1, 2)]);
    for relation in ["po", "rf"] {
        both.edges.push(Edge {
            from: 0,
            to: 1,
            relation: relation.to_owned(),
            rule: String::new(),
        });
    }
    let cycle = [both.edges[1].clone()];
    let picture = picture(&both, &cycle);
    let mut told: Vec<(Kind, &str)> = picture
        .arrows
        .iter()
        .map(|a| (a.kind, a.label.as_str()))
        .collect();
    told.sort_unstable();
    assert_eq!(told, [(Kind::Cycle, "CAS-T"), (Kind::ReadsFrom, "rf, CAS-T")]);
}
