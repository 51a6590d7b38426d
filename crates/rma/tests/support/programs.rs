//! Programs that mean the same whatever the design of the fence. Each checks its results itself.

use farside::{Fence, Result, Window, World};

/// Chooses a design; the neighbours are all ranks.
pub(crate) fn choose<T: farside::Plain>(window: &mut Window<T>, fence: Fence) -> Result<()> {
    if fence == Fence::Neighbour {
        let all: Vec<u32> = (0..window.group().size()).collect();
        return window.set_neighbours(&all);
    }
    window.set_fence(fence)
}

/// All of them.
pub(crate) fn all(world: &World, fence: Fence) -> Result<()> {
    all_to_all(world, fence)?;
    patterns_that_change(world, fence)?;
    many_windows(world, fence)?;
    sequence_without_puts(world, fence)?;
    own_memory(world, fence)
}

/// Everybody puts to everybody, itself as well, and reads it between epochs.
fn all_to_all(world: &World, fence: Fence) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let mut window = Window::<u64>::allocate(world, 10 * size as usize)?;
    choose(&mut window, fence)?;
    for round in 0..4 {
        let values = vec![u64::from(me) + 100 * round; 10];
        window
            .fence(|epoch| (0..size).try_for_each(|target| epoch.put(&values, target, 10 * me as usize)))?;
        for (rank, part) in (0..).zip(window.local()?.chunks(10)) {
            assert_eq!(part, vec![rank + 100 * round; 10], "{fence}");
        }
    }
    window.free()
}

/// In each epoch some put and others do not, to other targets and in other numbers; every epoch is compared with a
/// computation without communication.
fn patterns_that_change(world: &World, fence: Fence) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let puts = |step: u32, from: u32, to: u32| {
        ((step * 7 + from * 3 + to * 5) % 4) as usize * usize::from(!step.is_multiple_of(3))
    };
    let place = |from: u32, number: usize| from as usize * 4 + number;
    let mut window = Window::<u64>::allocate(world, 4 * size as usize)?;
    choose(&mut window, fence)?;
    let mut expected = vec![0; 4 * size as usize];
    window.fences(|fences| {
        for step in 0..30u32 {
            let mut seen = vec![0; 4 * size as usize];
            let own = world.rank();
            fences.epoch(|epoch| {
                for to in 0..size {
                    for number in 0..puts(step, me, to) {
                        epoch.put_value(u64::from(step), to, place(me, number))?;
                    }
                }
                Ok(())
            })?;
            for from in 0..size {
                for number in 0..puts(step, from, me) {
                    expected[place(from, number)] = u64::from(step);
                }
            }
            fences.epoch(|epoch| epoch.get(&mut seen, own, 0))?;
            assert_eq!(seen, expected, "{fence}, epoch {step}");
        }
        Ok(())
    })?;
    window.free()
}

/// Epochs of several windows, of one design and of others, one in another.
fn many_windows(world: &World, fence: Fence) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let next = (me + 1) % size;
    let previous = u64::from((me + size - 1) % size);
    let mut windows = Vec::new();
    for _ in 0..5 {
        let mut window = Window::<u64>::allocate(world, 2)?;
        choose(&mut window, fence)?;
        windows.push(window);
    }
    let mut other = Window::<u64>::allocate(world, 1)?;
    for round in 1..=3 {
        let (first, rest) = windows.split_at_mut(1);
        first[0].fence(|outer| {
            outer.put_value(u64::from(me), next, 0)?;
            for window in rest.iter_mut() {
                window.fence(|inner| inner.put_value(u64::from(me) + round, next, 1))?;
            }
            other.fence(|inner| inner.put_value(round, next, 0))?;
            outer.put_value(round, next, 1)
        })?;
        assert_eq!(windows[0].local()?, [previous, round], "{fence}");
        for window in &windows[1..] {
            assert_eq!(window.local()?, [0, previous + round], "{fence}");
        }
        assert_eq!(other.local()?, [round]);
    }
    other.free()?;
    windows.into_iter().try_for_each(Window::free)
}

/// Epochs in which nobody, or one rank only, does anything.
fn sequence_without_puts(world: &World, fence: Fence) -> Result<()> {
    let mut window = Window::<u64>::allocate(world, 1)?;
    choose(&mut window, fence)?;
    window.fences(|fences| {
        for step in 0..20u32 {
            fences.epoch(|epoch| {
                if step % 5 == 3 && world.rank() == step % world.size() {
                    epoch.put_value(u64::from(step), 0, 0)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    })?;
    if world.rank() == 0 {
        assert_eq!(window.local()?, [18], "{fence}");
    }
    window.free()
}

/// Between epochs the memory is the rank's own: what it stores there is what others get.
fn own_memory(world: &World, fence: Fence) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let mut window = Window::<u64>::allocate(world, 1)?;
    choose(&mut window, fence)?;
    for round in 0..5u64 {
        window.local_mut()?[0] = round * 100 + u64::from(me);
        let mut all = vec![0; size as usize];
        window.fence(|epoch| {
            let cells = all.chunks_mut(1).zip(0..);
            cells
                .into_iter()
                .try_for_each(|(cell, rank)| epoch.get(cell, rank, 0))
        })?;
        let expected: Vec<u64> = (0..size).map(|rank| round * 100 + u64::from(rank)).collect();
        assert_eq!(all, expected, "{fence}");
    }
    window.free()
}
