//! Fences and the freeing of windows (MPI-4.1 §12.5.1, §12.2.5).
//!
//! A fence completes the operations of its process at origin and target and is a barrier, unless
//! `MPI_MODE_NOPRECEDE` says that there is nothing to complete: such a fence need not wait for anyone. Then an
//! operation of the epoch that it opens takes effect only after its target has entered the fence.

use crate::detector::Detector;
use crate::finding::Site;
use crate::misuse::assertions::NOPUT;
use crate::window::{Deferred, FenceEntry, FenceEpoch, WindowState};
use farside_clocks::Component;
use farside_events::{Assertions, Rank, SharedSegment, ThreadId, WinId};

impl Detector {
    /// Gives the number of this fence on its window.
    pub(crate) fn enter_fence(
        &mut self,
        component: Component,
        win: WinId,
        assertions: Assertions,
        site: Site,
        time: u64,
    ) -> u64 {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        self.check_fence(rank, thread, win, assertions, site);
        self.complete(component, win, time, true, |_| true);
        let clock = self.job.release(component);
        let Some(window) = self.windows.get_mut(&win) else {
            return 0;
        };
        let state = window.epochs.entry(rank).or_default();
        let index = state.fences;
        state.fences += 1;
        state.stored = None;
        state.fence = (!assertions.nosucceed).then_some(FenceEpoch {
            index,
            site,
            used: None,
        });
        state.nosucceed = assertions.nosucceed.then_some((site, assertions));
        let fence = window.fences.entry(index).or_default();
        fence.first.get_or_insert(rank);
        fence.gathered.add(&clock);
        let kept = assertions.noprecede.then_some(clock);
        fence.entered.insert(
            rank,
            FenceEntry {
                clock: kept.clone(),
                assertions,
                site,
            },
        );
        let deferred = fence.deferred.remove(&rank).unwrap_or_default();
        self.compare_fence_assertions(win, index, rank, thread);
        for mut access in deferred {
            if let Some(clock) = &kept {
                access.clock.join(clock);
            }
            if let (true, Some(op)) = (assertions.noput, access.operation()) {
                self.no_put(&op, Some((site, assertions)), &access, "MPI_Win_fence");
            }
            self.enter_deferred(rank, access);
        }
        index
    }

    pub(crate) fn leave_fence(
        &mut self,
        component: Component,
        win: WinId,
        index: u64,
        assertions: Assertions,
    ) {
        let threshold = self.job.base_threshold();
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let size = window.group_size();
        let Some(fence) = window.fences.get_mut(&index) else {
            return;
        };
        let learned =
            (!assertions.noprecede).then(|| fence.gathered.joined(threshold, &mut self.job.latest_base));
        fence.left += 1;
        // The epoch that this fence opened may still need its entries until all have left the next one.
        let over = fence.left >= size && size > 0;
        if over && let Some(before) = index.checked_sub(1) {
            window.fences.remove(&before);
        }
        if let Some(clock) = learned {
            self.job.acquire(component, &clock);
        }
    }

    pub(crate) fn enter_free(&mut self, component: Component, win: WinId, site: Site, time: u64) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        self.check_free(rank, thread, win, site);
        self.complete(component, win, time, true, |_| true);
        let clock = self.job.release(component);
        if let Some(window) = self.windows.get_mut(&win) {
            window.free.gathered.add(&clock);
            window.free.entered.insert(
                rank,
                FenceEntry {
                    clock: None,
                    assertions: Assertions::default(),
                    site,
                },
            );
            window.epochs.entry(rank).or_default().freed = true;
        }
    }

    pub(crate) fn leave_free(&mut self, component: Component, win: WinId) {
        let rank = self.job.thread(component).rank;
        let threshold = self.job.base_threshold();
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let clock = window.free.gathered.joined(threshold, &mut self.job.latest_base);
        window.free.left += 1;
        let over = window.free.left >= window.group_size() && window.group_size() > 0;
        self.job.acquire(component, &clock);
        let process = self.job.process(rank);
        process.exposed.retain(|entry| entry.2 != win);
        process.mapped.retain(|start, _| {
            !self
                .shared_parts
                .get(&(rank, win))
                .is_some_and(|starts| starts.contains(start))
        });
        self.shared_parts.remove(&(rank, win));
        if over {
            self.check_groups(win);
            if let Some(window) = self.windows.remove(&win) {
                let creation = window.creation();
                self.retired.insert(win, (window.name, creation));
            }
        }
    }

    /// An access that the target's `MPI_MODE_NOPUT` rules out?
    pub(crate) fn no_put(
        &mut self,
        op: &crate::record::Op,
        forbidden_at: Option<(Site, Assertions)>,
        access: &Deferred,
        call: &'static str,
    ) {
        let writes = access.parts.iter().any(|(_, record)| record.writes());
        if let (Some((site, assertions)), true) = (forbidden_at, writes) {
            self.assertion_violated(
                op.win,
                (op.name(), op.site, op.thread, Some(op.target)),
                (call, site, ThreadId(0), None),
                format!(
                    "rank {} promised with MPI_MODE_NOPUT that its window is not updated in this epoch, but {} of rank {} updates it",
                    op.target.0,
                    op.name(),
                    op.rank.0
                ),
                self.leave_out(assertions, NOPUT, (call, site), ""),
            );
        }
    }

    /// The rank's part of a window, and everything that belongs to all processes.
    pub(crate) fn expose(&mut self, rank: Rank, window: &farside_events::Window) {
        let members = self.job.communicators.get(&window.comm).cloned();
        let state = self.windows.entry(window.id).or_default();
        if state.members.is_none() {
            state.members = members;
        }
        state.parts.insert(
            rank,
            crate::window::Part {
                base: window.base,
                size: window.size,
                disp_unit: window.disp_unit,
                flavor: window.flavor,
                accumulates: window.accumulates,
                stack: window.stack,
            },
        );
        if window.size > 0 {
            let end = window.base.saturating_add(window.size);
            self.job.process(rank).exposed.push((window.base, end, window.id));
        }
        self.map_neighbours(rank, window);
    }

    /// The neighbours' parts of a shared window lie in this process' address space as well.
    fn map_neighbours(&mut self, rank: Rank, window: &farside_events::Window) {
        self.map_known(window.id, rank);
        for segment in &window.shared {
            self.map_part(rank, window.id, *segment);
        }
    }

    /// A neighbour's part lies in this process' address space.
    pub(crate) fn map_part(&mut self, rank: Rank, win: WinId, segment: SharedSegment) {
        if segment.owner == rank || segment.size == 0 {
            return;
        }
        self.pending_maps
            .entry((win, segment.owner))
            .or_default()
            .push((rank, segment));
        self.map_known(win, segment.owner);
    }

    /// Maps the part of `owner` wherever that waits for its address there.
    fn map_known(&mut self, win: WinId, owner: Rank) {
        let part = |state: &WindowState| state.parts.get(&owner).map(|part| part.base);
        let Some(base) = self.windows.get(&win).and_then(part) else {
            return;
        };
        for (rank, segment) in self.pending_maps.remove(&(win, owner)).unwrap_or_default() {
            let end = segment.base.saturating_add(segment.size);
            self.job
                .process(rank)
                .mapped
                .insert(segment.base, (end, owner, base));
            self.shared_parts
                .entry((rank, win))
                .or_default()
                .push(segment.base);
        }
    }
}
