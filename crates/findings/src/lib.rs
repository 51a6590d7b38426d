//! What `farside check` and `farside lint` find, as data.
//!
//! Promise: nothing here looks for findings, and nothing knows how they are shown; ids depend on rules and places only,
//! so that they stay the same from run to run.
//!
//! | file | what it holds |
//! |---|---|
//! | `report`, `finding`, `place`, `rule` | the data: findings, where they are, and the rules that they break |
//! | `source_file` | the sources that findings name |
//! | `ranks` | sets of ranks, as ranges |
//! | `scene`, `litmus_test` | a race without its program, and the litmus test that was made of it |
//! | `proof`, `stand` | what came of trying a suggestion, and where in the text it was tried |
//! | `cause`, `gap` | what explains findings: one missing call, many pairs of accesses |
//! | `layer` | libraries between a program and MPI |
//! | `identity` | ids, and joining findings that have the same id |
//! | `prediction`, `compare` | findings of `farside lint` beside those of a run |
//! | `shortfall` | what was not seen |
//! | `superfluous` | synchronisation that a run did not need |
//! | `other_runs` | runs in another order |
//! | `any_ranks` | what is said of any number of ranks |
//! | `coverage` | calls of a program that `farside lint` did not come to |
//! | `suppression`, `wildcard` | files that hide known findings |
#![forbid(unsafe_code)]

mod any_ranks;
mod cause;
mod compare;
mod coverage;
mod finding;
mod gap;
mod given;
mod identity;
mod layer;
mod litmus_test;
mod other_runs;
mod place;
mod prediction;
mod proof;
mod ranks;
mod report;
mod rule;
mod scene;
mod shortfall;
mod source_file;
mod stand;
mod superfluous;
pub mod suppression;
mod wildcard;

pub use any_ranks::{AnyRanks, AnyRanksVerdict};
pub use cause::Cause;
pub use compare::compare;
pub use coverage::{Coverage, FileSites, ReachedSite, SimulationEnd, UnreachedSite};
pub use finding::{
    Action, Arrow, ByteRange, Change, Creation, Finding, GIVEN, Lane, LaneEvent, MissingOrder, Party,
    Section, Suggestion, Timeline,
};
pub use gap::{Gap, Guarantee, source_order};
pub use given::{GivenInputs, GivenText};
pub use identity::{finding_id, merge};
pub use layer::Layers;
pub use litmus_test::{LitmusOutcome, LitmusRun, LitmusTest};
pub use other_runs::{OTHER_SPEEDS, OtherRuns, processes_on_nodes};
pub use place::{Frame, Place, shown_frame};
pub use prediction::{PredictedAccess, Prediction, Predictions};
pub use proof::Proof;
pub use ranks::{RankRange, Ranks};
pub use report::{CheckedProgram, Count, Host, Report, SCHEMA_VERSION};
pub use rule::{Rule, Severity};
pub use scene::{Act, Api, Epoch, Scene, SceneAccess, SceneLane, SceneRepair, Transfer, TransferKind};
pub use shortfall::{Shortfall, ShortfallKind};
pub use source_file::SourceFile;
pub use stand::{Stand, Stretch};
pub use superfluous::{
    Holds, Kept, Lessening, Narrower, Reason, Silence, Superfluous, Unneeded, Unseen, shown_place,
};
