//! A race becomes a litmus test: the smallest program of its accesses and their synchronisation that has it, and that
//! has it no more with the repair.
//!
//! Promise: a test that is given out has a race under the model of its interface (`mpi3-unified`, `openshmem-calls`,
//! `gaspi`), and with the repair it has none and is valid: both were asked of the model, which knows nothing of the
//! detector. Where they do not agree, there is no test but a [`Reason`]. No statement of a test can be left out without
//! losing one of the two.
//!
//! | what | module |
//! |---|---|
//! | the test as items, each for both variants or for one; a program of it | `item`, `sketch` |
//! | the accesses, and the variables that they need | `cast` |
//! | what a thread did besides, in the words of MPI, OpenSHMEM or GASPI | `words` |
//! | where the repair goes | `repair` |
//! | epochs of MPI opened and closed around that | `epochs` |
//! | what the model says | `judge` |
//! | items left out | `shrink` |
//! | the test in the words of networks | `network` |
//! | which outcomes networks allow, and which are wrong | `outcomes` |
//!
//! Limits: one cell, two processes and the targets of their operations. Threads of one process, loads and stores of
//! another process' memory, types of elements, and calls that are misused have no words in the language.
#![forbid(unsafe_code)]

mod cast;
mod epochs;
mod item;
mod judge;
mod network;
mod outcomes;
mod reason;
mod repair;
mod shrink;
mod sketch;
mod words;

pub use judge::{Judged, judge, model_of};
pub use outcomes::{NETWORKS, Outcome, Outcomes};
pub use reason::Reason;

use farside_findings::{Api, Finding, Rule, Scene};
use farside_litmus::ast::{Program, Quantifier};
use item::Variant;
use sketch::Sketch;

/// A test, with and without the repair.
#[derive(Clone, Debug)]
pub struct Distilled {
    /// Whose words it is in.
    pub api: Api,
    /// The name of the model that judged it.
    pub model: &'static str,
    /// It has the race.
    pub broken: Program,
    /// It has the repair.
    pub repaired: Program,
    /// Both in the words of networks, with what these allow; or why that is not told.
    pub network: Result<Network, Reason>,
}

/// A test in the words of networks.
#[derive(Clone, Debug)]
pub struct Network {
    /// It has the race.
    pub broken: Program,
    /// It has the repair.
    pub repaired: Program,
    /// What comes of both.
    pub outcomes: Outcomes,
}

/// The litmus test of a finding; it is called `name`.
///
/// # Errors
/// There is none: why.
pub fn distil(finding: &Finding, name: &str) -> Result<Distilled, Reason> {
    let scene = finding.scene.as_deref().ok_or(Reason::NoRace)?;
    if finding.rule == Rule::AccumulateMismatch {
        return Err(Reason::Types);
    }
    let mut sketch = of_scene(scene)?;
    sketch.tell(name, about(finding, scene, &sketch));
    let mut broken = sketch.program(Variant::Broken)?;
    let mut repaired = sketch.program(Variant::Repaired)?;
    let network = network::lowered(&sketch).and_then(|[mut one, mut other]| {
        let outcomes = outcomes::outcomes(scene.api, &one, &other)?;
        for (program, quantifier) in [
            (&mut one, Quantifier::Exists),
            (&mut broken, Quantifier::Exists),
            (&mut other, Quantifier::NotExists),
            (&mut repaired, Quantifier::NotExists),
        ] {
            program.condition = outcomes.wrong_condition(quantifier);
        }
        for program in [&mut one, &mut other] {
            program.about[1] = told(&outcomes.models.join(","), &sketch);
        }
        Ok(Network {
            broken: one,
            repaired: other,
            outcomes,
        })
    });
    Ok(Distilled {
        api: scene.api,
        model: judge::model_of(scene.api),
        broken,
        repaired,
        network,
    })
}

/// The smallest sketch of a scene on which the model says what the detector said.
fn of_scene(scene: &Scene) -> Result<Sketch, Reason> {
    let whole = sketch_of(scene)?;
    let holds = |sketch: &Sketch| judge::agrees(sketch);
    // What the race does not need is most of what there is: begin with as good as nothing.
    let bare = whole.bare();
    match holds(&bare) {
        Ok(()) => Ok(shrink::shrink(bare, &|sketch| holds(sketch).is_ok())),
        Err(_) => holds(&whole).map(|()| shrink::shrink(whole, &|sketch| holds(sketch).is_ok())),
    }
}

fn sketch_of(scene: &Scene) -> Result<Sketch, Reason> {
    let mut sketch = cast::cast(scene)?;
    words::fill(&mut sketch, scene);
    repair::add(&mut sketch, scene)?;
    Ok(sketch)
}

/// What stands in quotes at the head of a test.
fn about(finding: &Finding, scene: &Scene, sketch: &Sketch) -> Vec<String> {
    let place = |index: usize| {
        let party = finding.parties.get(index)?;
        let place = party.place()?;
        Some(format!("{} at {}:{}", party.operation, place.file, place.line))
    };
    let mut lines = vec![match (place(0), place(1)) {
        (Some(first), Some(second)) => format!("{first}, {second}"),
        _ => finding.message.clone(),
    }];
    lines.push(told(judge::model_of(scene.api), sketch));
    let plain = |c: char| match c {
        '"' => '\'',
        c if c.is_control() || !c.is_ascii() => '?',
        c => c,
    };
    lines
        .iter()
        .map(|line| line.chars().map(plain).collect())
        .collect()
}

/// How to ask, and whose the processes are.
fn told(models: &str, sketch: &Sketch) -> String {
    let ranks: Vec<String> = sketch.ranks().iter().map(u32::to_string).collect();
    format!(
        "farside litmus --model {models}; the processes are ranks {}",
        ranks.join(", ")
    )
}
