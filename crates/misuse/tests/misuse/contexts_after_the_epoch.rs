fn program(window: &mut farside::Window<u64>) -> farside::Result<()> {
    std::thread::scope(|scope| {
        window.fence(|epoch| {
            let contexts = epoch.contexts(&[0])?;
            scope.spawn(move || contexts.context(|context| context.put_value(1, 0, 0)));
            Ok(())
        })
    })
}

fn main() {}
