//! Thesis Table 4.1: what is permitted compiles, and does what it says.
use farside::{Result, Window, World};

/// Rows and columns: an access of a buffer that is the origin of an operation, and another one after it.
fn program(world: &World) -> Result<()> {
    let mut window = Window::<u64>::allocate(world, 4)?;
    let mut buffer = [1, 2];
    let other = 1 - world.rank();
    window.fence(|epoch| {
        epoch.put(&buffer, other, 0)?;
        epoch.put(&buffer, other, 2)?; // PUT, PUT
        assert_eq!(buffer[0], 1); // PUT, LOAD
        Ok(())
    })?;
    assert_eq!(window.local()?, [1, 2, 1, 2]);
    window.fence(|epoch| {
        buffer[0] = 3; // STORE, PUT
        epoch.put(&buffer, other, 0)
    })?;
    assert_eq!(buffer[0], 3); // LOAD, GET
    window.fence(|epoch| epoch.get(&mut buffer, other, 2))?;
    buffer[1] = 5; // STORE, GET
    window.fence(|epoch| {
        assert_eq!(buffer[1], 5); // LOAD, GET
        epoch.get(&mut buffer, other, 0)
    })?;
    assert_eq!(buffer, [3, 2]);
    window.free()
}

#[test]
fn what_the_table_permits_is_done() {
    farside::simulate(2, program).expect("the program is right");
}
