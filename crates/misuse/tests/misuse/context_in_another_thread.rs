fn program(window: &mut farside::Window<u64>) -> farside::Result<()> {
    window.fence(|epoch| {
        let contexts = epoch.contexts(&[0])?;
        contexts.context(|context| {
            std::thread::scope(|scope| scope.spawn(|| context.put_value(1, 0, 0)).join()).expect("no panic")
        })
    })
}

fn main() {}
