//! The program: all ranks add keys, and ask for some, and the counts are those of a serial run.

use farside::{Group, Rank, Result, Service, World};
use std::collections::HashMap;

/// How often each key was added; each rank has the counts of its keys.
struct Map {
    counts: Service<[u64; 2], u64, HashMap<u64, u64>>,
    size: u32,
}

impl Map {
    fn new(group: &Group) -> Result<Self> {
        let counts = Service::register(group, HashMap::new(), |counts, _, [key, more]: [u64; 2]| {
            let count = counts.entry(key).or_insert(0);
            *count += more;
            *count
        })?;
        let size = group.size();
        Ok(Self { counts, size })
    }

    fn owner(&self, key: u64) -> Rank {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32 % self.size
    }

    /// Adds a key; does not wait for it.
    fn add(&self, key: u64) -> Result<()> {
        self.counts.send(self.owner(key), [key, 1])
    }

    /// How often a key was added so far: by this rank, and maybe by others.
    fn count(&self, key: u64) -> Result<u64> {
        self.counts.call(self.owner(key), [key, 0])?.wait()
    }

    /// Ends it when all that was added is there: the keys of this rank.
    fn finish(self) -> Result<HashMap<u64, u64>> {
        self.counts.finish()
    }
}

/// The keys that a rank adds: small ones more often.
fn keys(rank: Rank, keys: u64) -> impl Iterator<Item = u64> {
    (0..keys).map(move |index| (index * index + u64::from(rank) * 7) % (index % 97 + 1))
}

/// Each rank adds so many keys; rank 0 gets a line. Verified: each key was counted as often as all ranks added it.
pub(crate) fn run(world: &World, each: u64) -> Result<Option<String>> {
    let map = Map::new(world)?;
    let began = world.now();
    for key in keys(world.rank(), each) {
        map.add(key)?;
    }
    let own = keys(world.rank(), each).filter(|&key| key == 0).count() as u64;
    assert!(map.count(0)? >= own, "requests of one rank keep their order");
    let mine = map.finish()?;
    let taken = world.now() - began;
    let mut serial = HashMap::new();
    for key in (0..world.size()).flat_map(|rank| keys(rank, each)) {
        *serial.entry(key).or_insert(0) += 1;
    }
    assert!(
        mine.iter()
            .all(|(key, count)| serial.get(key).unwrap_or(&0) == count)
    );
    let mut counted = [mine.values().sum::<u64>()];
    world.allreduce(farside::Operation::Sum, &mut counted)?;
    assert_eq!(counted, [each * u64::from(world.size())]);
    Ok((world.rank() == 0).then(|| format!("{} keys, each as it must be, in {taken:?}", serial.len())))
}
