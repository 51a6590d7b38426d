//! Four ways to exchange halos.

use super::grid::{Grid, Side};
use farside::{Active, Passive, Rank, Result, Window, World};

/// How neighbours synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Put, between fences.
    Fence,
    /// Put, by post, start, complete, wait: neighbours only.
    Pscw,
    /// Notified put: the target waits for the notice.
    Put,
    /// Get, after a barrier.
    Get,
}

impl std::str::FromStr for Way {
    type Err = String;

    fn from_str(word: &str) -> std::result::Result<Self, String> {
        match word {
            "fence" => Ok(Self::Fence),
            "pscw" => Ok(Self::Pscw),
            "put" => Ok(Self::Put),
            "get" => Ok(Self::Get),
            _ => Err(format!(
                "there is no way `{word}` to exchange halos: fence, pscw, put or get"
            )),
        }
    }
}

/// Who is where, and where its halos are: two sets, for even and odd steps, of four sides.
pub(crate) struct Halos {
    pub(crate) neighbours: Vec<(Side, Rank)>,
    /// Elements that a side may have, at every rank.
    pub(crate) longest: usize,
}

impl Halos {
    /// Where the halo of a side is in the window.
    fn place(&self, step: usize, side: Side) -> usize {
        (step % 2 * 4 + side as usize) * self.longest
    }

    /// Elements of the window.
    pub(crate) fn elements(&self) -> usize {
        8 * self.longest
    }

    fn ranks(&self) -> Vec<Rank> {
        let mut ranks: Vec<Rank> = self.neighbours.iter().map(|(_, rank)| *rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    fn edges(&self, grid: &Grid) -> Vec<Vec<f64>> {
        self.neighbours.iter().map(|(side, _)| grid.edge(*side)).collect()
    }

    /// Halos that others have put into the own window.
    fn take(&self, own: &[f64], step: usize, grid: &mut Grid) {
        for (side, _) in &self.neighbours {
            let from = self.place(step, *side);
            grid.set_frame(*side, &own[from..from + grid.length(*side)]);
        }
    }
}

/// Steps with synchronisation of the active kind.
pub(crate) fn active(
    window: &mut Window<f64, Active>,
    halos: &Halos,
    grid: &mut Grid,
    way: Way,
    steps: usize,
    two: bool,
) -> Result<()> {
    let mut next = grid.clone();
    for step in 0..steps {
        exchange(window, halos, grid, way, step)?;
        grid.step(&mut next, two);
        std::mem::swap(grid, &mut next);
    }
    Ok(())
}

/// An exchange with synchronisation of the active kind.
pub(crate) fn exchange(
    window: &mut Window<f64, Active>,
    halos: &Halos,
    grid: &mut Grid,
    way: Way,
    step: usize,
) -> Result<()> {
    let edges = halos.edges(grid);
    match way {
        Way::Fence => window.fence(|epoch| {
            for (edge, (side, rank)) in edges.iter().zip(&halos.neighbours) {
                epoch.put(edge, *rank, halos.place(step, side.opposite()))?;
            }
            Ok(())
        })?,
        _ => {
            let ranks = halos.ranks();
            window.post(&ranks, |exposure| {
                exposure.start(&ranks, |epoch| {
                    for (edge, (side, rank)) in edges.iter().zip(&halos.neighbours) {
                        epoch.put(edge, *rank, halos.place(step, side.opposite()))?;
                    }
                    Ok(())
                })
            })?;
        }
    }
    halos.take(window.local()?, step, grid);
    Ok(())
}

/// Steps in one epoch of the passive kind. Two sets of halos: a neighbour is at most one step ahead.
pub(crate) fn passive(
    world: &World,
    window: &mut Window<f64, Passive>,
    halos: &Halos,
    grid: &mut Grid,
    way: Way,
    steps: usize,
    two: bool,
) -> Result<()> {
    let mut next = grid.clone();
    window.lock_all(|epoch| {
        for step in 0..steps {
            let edges = halos.edges(grid);
            let own = epoch.direct(world.rank())?;
            match way {
                Way::Put => {
                    epoch.local(|batch| {
                        for (edge, (side, rank)) in edges.iter().zip(&halos.neighbours) {
                            batch.put_notify(
                                edge,
                                *rank,
                                halos.place(step, side.opposite()),
                                number(step, side.opposite()),
                            )?;
                        }
                        Ok(())
                    })?;
                    for (side, _) in &halos.neighbours {
                        epoch.wait_notice(Some(number(step, *side)))?;
                        let mut halo = vec![0.0; grid.length(*side)];
                        own.read(halos.place(step, *side), &mut halo)?;
                        grid.set_frame(*side, &halo);
                    }
                }
                _ => {
                    for (edge, (side, _)) in edges.iter().zip(&halos.neighbours) {
                        own.write(halos.place(step, *side), edge)?;
                    }
                    epoch.sync();
                    world.barrier()?;
                    let mut found: Vec<Vec<f64>> = halos
                        .neighbours
                        .iter()
                        .map(|(side, _)| vec![0.0; grid.length(*side)])
                        .collect();
                    epoch.local(|batch| {
                        for (halo, (side, rank)) in found.iter_mut().zip(&halos.neighbours) {
                            batch.get(halo, *rank, halos.place(step, side.opposite()))?;
                        }
                        Ok(())
                    })?;
                    for (halo, (side, _)) in found.iter().zip(&halos.neighbours) {
                        grid.set_frame(*side, halo);
                    }
                }
            }
            grid.step(&mut next, two);
            std::mem::swap(grid, &mut next);
        }
        Ok(())
    })
}

/// The number of a notice: which set, which side of its target.
fn number(step: usize, side: Side) -> u32 {
    (step % 2 * 4 + side as usize) as u32
}
