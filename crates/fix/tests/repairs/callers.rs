//! Calls of all ranks between two functions that a third one calls.

use super::{finding, marked};
use farside_findings::{Creation, Finding, Frame, Place, Proof, Report, Stand, Stretch, Suggestion};
use farside_fix::Plan;

const SOURCE: &str = "\
void post(MPI_Win win)
{
    MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    note();
    MPI_Win_unlock(0, win);
    note();
}
void settle(MPI_Win win)
{
    MPI_Win_unlock(0, win);
}
int best(void)
{
    return x[0];
}
int main(void)
{
    int rank, v;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    post(win);
    settle(win);
    if (rank == 0)
        use(best());
}
";

/// The place of a text in a line; the first such line after another text.
fn place(after: &str, text: &str) -> Place {
    let from = SOURCE.find(after).unwrap();
    let at = from + SOURCE[from..].find(text).unwrap();
    let begin = SOURCE[..at].rfind('\n').map_or(0, |end| end + 1);
    Place {
        file: "a.c".to_owned(),
        line: SOURCE[..at].matches('\n').count() as u32 + 1,
        column: Some((at - begin) as u32 + 1),
    }
}

/// The lines that a barrier adds which goes after a place and before the load, and after which lines.
fn added(after: Place, tried: Option<[Place; 2]>) -> Vec<(usize, String)> {
    let places = [place("post", "MPI_Put"), place("best", "x[0]")];
    let call = "MPI_Barrier(comm)".to_owned();
    let stretch = |[after, before]: [Place; 2]| Stretch {
        after: Some(after),
        before: Some(before),
        at_end: false,
    };
    let stand = |places| Stand {
        call: call.clone(),
        stretches: vec![stretch(places)],
    };
    let mut finding = finding(
        "MPI_Put",
        &places,
        Suggestion {
            call: call.clone(),
            after: Some(after),
            before: Some(places[1].clone()),
            proof: tried.as_ref().map(|_| Proof::Verified),
            stands: tried.map(stand).into_iter().collect(),
            ..Suggestion::default()
        },
    );
    let callers = [place("main", "post(win)"), place("main", "best()")];
    for (party, caller) in finding.parties.iter_mut().zip(callers) {
        party.stack.push(Frame {
            place: Some(caller),
            ..Frame::default()
        });
    }
    let report = Report {
        findings: vec![finding],
        ..Report::default()
    };
    let plan = Plan::of(&report, &|_| true, &|_| Ok(SOURCE.to_owned()));
    let refused: Vec<_> = plan.refused().iter().map(|(_, why)| why.to_string()).collect();
    let new = plan.files().next().map(|(_, _, new)| new.to_owned());
    let new = new.unwrap_or_else(|| panic!("{refused:?}"));
    let old: Vec<&str> = SOURCE.lines().collect();
    let lines = new.lines().enumerate();
    lines
        .filter(|(number, line)| old.get(*number) != Some(line) && !old.contains(line))
        .map(|(number, line)| (number, line.trim().to_owned()))
        .collect()
}

#[test]
fn what_an_operation_is_completed_by_in_its_function_leads_to_the_caller() {
    let unlock = place("post", "MPI_Win_unlock");
    let after_post = place("main", "post(win)").line as usize;
    let barrier = "MPI_Barrier(MPI_COMM_WORLD);".to_owned();
    assert_eq!(added(unlock, None), [(after_post, barrier)]);
}

#[test]
fn where_functions_have_no_place_in_common_the_call_stands_where_it_was_tried() {
    let unlock = place("settle", "MPI_Win_unlock");
    let between = [place("main", "settle(win)"), place("main", "best()")];
    let after_settle = between[0].line as usize;
    let barrier = "MPI_Barrier(MPI_COMM_WORLD);".to_owned();
    assert_eq!(added(unlock, Some(between)), [(after_settle, barrier)]);
}

#[test]
fn members_of_a_class_are_known_in_its_functions() {
    let (text, places) = marked(
        "a.cpp",
        "class Board {\npublic:\n    void post() {\n        @1MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win_);\n        \
         use(1);\n        @2use(v);\n    }\nprivate:\n    MPI_Comm comm_;\n    MPI_Win win_;\n};\n\
         void make(MPI_Comm comm_)\n{\n    MPI_Win_create(x, 8, 8, MPI_INFO_NULL, comm_, &win_);\n}\n",
    );
    let made = Place {
        file: "a.cpp".to_owned(),
        line: 14,
        column: Some(5),
    };
    let suggestion = Suggestion {
        call: "MPI_Barrier(comm)".to_owned(),
        after: Some(places[0].clone()),
        before: Some(places[1].clone()),
        ..Suggestion::default()
    };
    let call = "MPI_Win_create".to_owned();
    let report = Report {
        findings: vec![Finding {
            created: Some(Creation { call, place: made }),
            ..finding("MPI_Put", &places, suggestion)
        }],
        ..Report::default()
    };
    let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
    let new = plan.files().next().map(|(_, _, new)| new.to_owned()).unwrap();
    assert!(new.contains("win_);\n        MPI_Barrier(comm_);\n"), "{new}");
}
