//! Buffers that requests own or borrow, while operations are under way: small enough for Miri (`scripts/miri`), which
//! sees whose they are at each access.

use farside::{Layout, Lock, Operation, Result, Window};

#[test]
fn buffers_are_their_operations_until_they_are_complete() -> Result<()> {
    farside::simulate(2, |world| {
        let other = 1 - world.rank();
        let mut window = Window::<u32>::create(world, vec![world.rank() + 1; 4])?;
        let (mut borrowed, mut left, mut sums, mut forgotten) = ([0; 4], [0; 2], [0; 2], [0; 2]);
        let (source, mut parts) = ([7u32, 8], [0; 4]);
        window.fence(|epoch| {
            let first = epoch.rget(&mut borrowed[..], other, 0)?;
            drop(epoch.rget(&mut left[..], other, 1)?);
            std::mem::forget(epoch.rget(&mut forgotten[..], other, 2)?);
            drop(epoch.rget(vec![0; 3], other, 0)?);
            assert_eq!(first.wait()?, [other + 1; 4]);
            let (ends, pair) = (Layout::vector(2, 1, 3)?, Layout::contiguous(2));
            drop(epoch.rget_layout(vec![0; 4], &ends, other, 0, &pair)?);
            let runs = epoch.rget_layout(&mut parts[..], &ends, other, 1, &pair)?;
            let found = runs.wait()?;
            found[1] = 5;
            assert_eq!(found, [other + 1, 5, 0, other + 1]);
            Ok(())
        })?;
        assert_eq!((borrowed, left), ([other + 1; 4], [other + 1; 2]));
        let window = window.into_passive()?;
        window.lock(other, Lock::Exclusive, |epoch| {
            let both = epoch.rget_accumulate(Operation::Sum, &source[..], &mut sums[..], other, 0)?;
            let (operands, results) = both.wait()?;
            assert_eq!((operands, &*results), (&[7, 8][..], &[other + 1; 2][..]));
            results[0] = 5;
            let owned = epoch.rput(vec![9, 9], other, 2)?.wait()?;
            assert_eq!(owned, [9, 9]);
            let fetched = epoch.fetch(Operation::Sum, 1, other, 0)?;
            assert_eq!(fetched.wait()?, other + 8);
            Ok(())
        })?;
        assert_eq!(sums, [5, other + 1]);
        let window = window.into_active()?;
        assert_eq!(window.local()?, [world.rank() + 9, world.rank() + 9, 9, 9]);
        window.free()
    })?;
    Ok(())
}
