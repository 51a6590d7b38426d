//! Ranks that are all in this process, under a detector or not.

use crate::watch::{Judge, Place};
use crate::{Error, Result, World};
use farside_fabric::Fabric;
use std::sync::Arc;

/// As `simulate_with`, called at a place, under a detector or not.
#[cfg(feature = "sim")]
pub(crate) fn simulate_under<R>(
    simulation: farside_fabric_sim::Simulation,
    program: impl Fn(&World) -> Result<R>,
    judge: Option<&Judge>,
    place: Place,
) -> Result<Vec<R>> {
    let first = std::cell::RefCell::new(None);
    let outcome = simulation.try_run(|fabric| {
        // SAFETY: nobody but this function has the endpoint of a rank.
        let result = unsafe { run(Arc::new(fabric.clone()), &program, judge, place) };
        if let Err(error) = &result {
            first.borrow_mut().get_or_insert_with(|| error.clone());
        }
        result
    });
    match outcome {
        Ok(outcome) => Ok(outcome.results.into_iter().flatten().collect()),
        Err(error) => Err(first
            .take()
            .unwrap_or_else(|| Error::Simulation(error.to_string()))),
    }
}

/// As `threads`, called at a place, under a detector or not.
#[cfg(feature = "shm")]
pub(crate) fn threads_under<R: Send>(
    ranks: u32,
    program: impl Fn(&World) -> Result<R> + Sync,
    judge: Option<&Judge>,
    place: Place,
) -> Result<Vec<R>> {
    let fabrics = farside_fabric_shm::ShmFabric::threads(ranks)?;
    let program = &program;
    let results: Vec<Result<R>> = std::thread::scope(|scope| {
        let started: Vec<_> = fabrics
            .into_iter()
            // SAFETY: the endpoints were made here, one for each rank.
            .map(|fabric| scope.spawn(move || unsafe { run(Arc::new(fabric), program, judge, place) }))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<R>>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        started.into_iter().map(join).collect()
    });
    let is_loss = |result: &Result<R>| matches!(result, Err(Error::PeerLost { .. }));
    let mut losses = Vec::new();
    let mut values = Vec::new();
    for result in results {
        if is_loss(&result) {
            losses.push(result);
        } else {
            values.push(result?);
        }
    }
    losses.into_iter().try_for_each(|loss| loss.map(|_| ()))?;
    Ok(values)
}

/// What a rank does: the program, and the end of its world, which is told as called at a place.
///
/// # Safety
/// As for [`World::over`].
unsafe fn run<R>(
    fabric: Arc<dyn Fabric>,
    program: &impl Fn(&World) -> Result<R>,
    judge: Option<&Judge>,
    place: Place,
) -> Result<R> {
    let world = match judge {
        Some(judge) => {
            let recorder = judge.recorder(&*fabric);
            // SAFETY: by the caller.
            unsafe { World::watched(fabric, Some(recorder)) }?
        }
        // SAFETY: by the caller.
        None => unsafe { World::over(fabric) }?,
    };
    let value = program(&world)?;
    world.finish_at(place)?;
    Ok(value)
}
