fn program(window: &mut farside::Window<u64>) -> farside::Result<()> {
    window.fence(|epoch| {
        let contexts = epoch.contexts(&[0])?;
        let mut buffer = [1];
        contexts.context(|context| {
            context.put(&buffer, 0, 0)?;
            buffer[0] = 2;
            context.flush_all()
        })
    })
}

fn main() {}
