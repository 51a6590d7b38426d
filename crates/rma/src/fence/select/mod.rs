//! Which design a window has: by a call of the program, or by the variable `FARSIDE_FENCE`.

mod auto;

use super::count::Count;
use super::deferred::Def;
use super::flush::Flush;
use super::fold::Fold;
use super::hierarchical::Hierarchical;
use super::imm_naive::ImmNaive;
use super::imm_opt::ImmOpt;
use super::imm_ri::ImmRi;
use super::neighbour::Neighbour;
use super::{Fence, FenceDesign};
use crate::endpoint::Core;
use crate::flags::Meeting;
use crate::matching::{Entered, Name, Signature};
use crate::window::core::WindowCore;
use crate::window::{Active, Window};
use crate::{Error, Group, Plain, Rank, Result};
use auto::Auto;
use std::panic::Location;

/// The variable that names the design of windows for which the program names none.
const VARIABLE: &str = "FARSIDE_FENCE";

/// What the environment says; [`Fence::Flush`] if it says nothing.
pub(crate) fn from_environment() -> Result<Fence> {
    let Ok(text) = std::env::var(VARIABLE) else {
        return Ok(Fence::Flush);
    };
    match text.parse() {
        Ok(Fence::Neighbour) => Err(format!(
            "{} is chosen by a program, which says who the neighbours are",
            Fence::Neighbour
        )),
        other => other,
    }
    .map_err(|reason| Error::Start(format!("{VARIABLE}: {reason}")))
}

/// A design, for a window that exists. All but [`Fence::Neighbour`].
///
/// # Errors
/// The transport lacks what the design needs.
pub(crate) fn make(window: &WindowCore, fence: Fence) -> Result<Box<dyn FenceDesign>> {
    check(&window.group, fence)?;
    Ok(match fence {
        Fence::Deferred => Box::new(Def::new(window)),
        Fence::ImmNaive => Box::new(ImmNaive),
        Fence::ImmOpt => Box::new(ImmOpt),
        Fence::ImmRi => Box::new(ImmRi::new(window)?),
        Fence::Flush => Box::new(Flush),
        Fence::Count => Box::new(Count::new(window)?),
        Fence::Fold => Box::new(Fold::new(window)?),
        Fence::Hierarchical => Box::new(Hierarchical::new(window)?),
        Fence::Neighbour => Box::new(Neighbour::new(window, &[])?),
        Fence::Auto => Box::new(Auto::new(window)?),
    })
}

impl<T: Plain, E> Window<T, Active, E> {
    /// Chooses how the fences of this window are done: a hint, as an info key is in MPI (MPI-4.1 §12.2.7). Collective,
    /// with the same design at all ranks. Without it, the variable `FARSIDE_FENCE` decides, else [`Fence::Flush`].
    ///
    /// # Errors
    /// The transport lacks what the design needs, and why that would be wrong: the window stays as it was. Ranks name
    /// different designs; a rank is lost.
    ///
    /// ```
    /// use farside::{Error, Fence, Window};
    /// use farside::sim::{Network, Routing, Simulation};
    /// use std::time::Duration;
    ///
    /// let spread = Duration::from_micros(5);
    /// let routing = Routing::Adaptive { paths: 4, spread };
    /// let network = Network { routing, ..Network::ethernet_100g() };
    /// farside::simulate_with(Simulation::new(&network, 2), |world| {
    ///     let mut window = Window::<u64>::allocate(world, 1)?;
    ///     // Here a finish message may come before the puts that it announces.
    ///     assert!(matches!(window.set_fence(Fence::ImmOpt), Err(Error::Unsupported { .. })));
    ///     window.set_fence(Fence::ImmRi)?;
    ///     let me = [u64::from(world.rank())];
    ///     window.fence(|epoch| epoch.put(&me, 1 - world.rank(), 0))?;
    ///     assert_eq!(window.local()?, [1 - u64::from(world.rank())]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn set_fence(&mut self, fence: Fence) -> Result<()> {
        if fence == Fence::Neighbour {
            return Err(Error::Unsupported {
                what: Fence::Neighbour.name(),
                reason: "the neighbours are not known: call `set_neighbours`".to_owned(),
            });
        }
        self.core().check()?;
        let agreed = agree(
            self.core(),
            const { Name::new("set_fence") },
            fence,
            Location::caller(),
        )?;
        let design = make(self.core(), fence)?;
        drop(agreed);
        self.core_mut().design = design;
        Ok(())
    }

    /// Chooses [`Fence::Neighbour`], and says to which ranks this one ever puts, or gets from, in fence epochs; an
    /// epoch gives access to these only. Collective; ranks name different targets.
    ///
    /// # Errors
    /// No such rank; otherwise as for [`Window::set_fence`].
    #[track_caller]
    pub fn set_neighbours(&mut self, targets: &[Rank]) -> Result<()> {
        let core = self.core();
        core.check()?;
        let size = core.group.size();
        targets
            .iter()
            .try_for_each(|&rank| Core::check_rank(rank, size))?;
        let agreed = agree(
            core,
            const { Name::new("set_neighbours") },
            Fence::Neighbour,
            Location::caller(),
        )?;
        check(&core.group, Fence::Neighbour)?;
        let mut targets = targets.to_vec();
        targets.sort_unstable();
        targets.dedup();
        let design = core.guard(Neighbour::new(core, &targets))?;
        // Nobody counts puts of an epoch that begins before all have read their counters.
        core.guard(core.meet(Meeting::Design))?;
        drop(agreed);
        self.core_mut().design = Box::new(design);
        Ok(())
    }

    /// The design of the fences of this window.
    #[must_use]
    pub fn fence_design(&self) -> Fence {
        self.core().design.fence()
    }

    /// What [`Fence::Auto`] has chosen, and why; `None` of other designs.
    #[must_use]
    pub fn fence_choice(&self) -> Option<String> {
        self.core().design.explain()
    }
}

impl Group {
    /// Why a design of the fence does not do for windows of this group; `None`: it does. [`Fence::refusal`] has what
    /// the transport lacks, this also what the group does.
    #[must_use]
    pub fn fence_refusal(&self, fence: Fence) -> Option<String> {
        let transport = self.core().fabric().capabilities();
        fence.refusal(transport).or_else(|| {
            let lacks = fence == Fence::Hierarchical && self.size() > 1 && !self.shares_nodes();
            lacks.then(|| {
                format!(
                    "{fence} lets the ranks of a node meet in shared memory, but as far as the transport `{}` knows, \
                     no two ranks of \
                     this group share a node",
                    transport.transport
                )
            })
        })
    }
}

/// # Errors
/// A design does not do for windows of a group.
fn check(group: &Group, fence: Fence) -> Result<()> {
    let what = fence.name();
    group
        .fence_refusal(fence)
        .map_or(Ok(()), |reason| Err(Error::Unsupported { what, reason }))
}

/// All ranks name the same design.
fn agree<'w>(
    window: &'w WindowCore,
    call: Name,
    fence: Fence,
    place: &'static Location<'static>,
) -> Result<Entered<'w>> {
    let signature = Signature::new(call, place)
        .named(fence.name())
        .window(window.name);
    let entered = window.guard(window.group.enter(signature))?;
    window.guard(window.meet(Meeting::Design))?;
    Ok(entered)
}
