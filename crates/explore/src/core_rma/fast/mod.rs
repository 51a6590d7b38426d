//! placeholder
use super::{Budget, ExploreError, States};
use farside_litmus::ast::Observable;
use farside_models::core_rma::{CoreModel, Path};
pub(super) fn explore(
    path: &Path,
    model: &CoreModel,
    observables: &[Observable],
    budget: &mut Budget,
    states: &mut States,
) -> Result<(), ExploreError> {
    super::naive::explore(path, model, observables, budget, states)
}
