//! Loads and stores, and one-sided operations.

use super::{INT, Script, WIN, private};
use farside_events::*;

impl Script {
    pub fn access(&mut self, rank: u32, thread: u32, line: u64, kind: AccessKind, address: u64, size: u64) {
        let mut run = AccessRun::single(kind, address, size, line, StackId::UNKNOWN);
        run.stack = StackId(line);
        self.kind(rank, thread, EventKind::Accesses(vec![run]));
    }

    pub fn load(&mut self, rank: u32, line: u64, address: u64) {
        self.access(rank, 0, line, AccessKind::Load, address, 4);
    }

    pub fn store(&mut self, rank: u32, line: u64, address: u64) {
        self.access(rank, 0, line, AccessKind::Store, address, 4);
    }

    /// A blank operation with an int at the origin and displacement.
    pub fn op(
        &mut self,
        kind: OperationKind,
        line: u64,
        origin: u64,
        target: u32,
        displacement: i64,
    ) -> Operation {
        self.next += 1;
        let buffer = |address| {
            Some(Buffer {
                address,
                datatype: INT,
                count: 1,
            })
        };
        let fetching = matches!(
            kind,
            OperationKind::GetAccumulate | OperationKind::FetchAndOp | OperationKind::CompareAndSwap
        );
        Operation {
            id: OperationId(self.next),
            kind,
            win: WIN,
            target: Some(Rank(target)),
            origin: if kind == OperationKind::Get {
                None
            } else {
                buffer(origin)
            },
            result: if kind == OperationKind::Get {
                buffer(origin)
            } else if fetching {
                buffer(origin + 64)
            } else {
                None
            },
            compare: None,
            displacement,
            target_type: INT,
            target_count: 1,
            operator: matches!(
                kind,
                OperationKind::Accumulate | OperationKind::GetAccumulate | OperationKind::FetchAndOp
            )
            .then_some(AccumulateOp::Sum),
            operand: None,
            expected: None,
            request: None,
            channel: ChannelId::DEFAULT,
            notice: None,
            stack: StackId(line),
        }
    }

    pub fn issue(&mut self, rank: u32, operation: Operation) {
        self.kind(rank, 0, EventKind::Operation(operation));
    }

    pub fn put(&mut self, rank: u32, line: u64, origin: u64, target: u32, displacement: i64) {
        let op = self.op(OperationKind::Put, line, origin, target, displacement);
        self.issue(rank, op);
    }

    pub fn get(&mut self, rank: u32, line: u64, origin: u64, target: u32, displacement: i64) {
        let op = self.op(OperationKind::Get, line, origin, target, displacement);
        self.issue(rank, op);
    }

    pub fn accumulate(
        &mut self,
        rank: u32,
        line: u64,
        target: u32,
        displacement: i64,
        operator: AccumulateOp,
    ) {
        let mut op = self.op(
            OperationKind::Accumulate,
            line,
            private(512 * u64::from(rank)),
            target,
            displacement,
        );
        op.operator = Some(operator);
        op.operand = Some(1);
        self.issue(rank, op);
    }

    /// A fetch_and_op; completed by flush, it brings `value`.
    pub fn fetch(
        &mut self,
        rank: u32,
        line: u64,
        target: u32,
        displacement: i64,
        operator: AccumulateOp,
        value: u64,
    ) {
        let mut op = self.op(
            OperationKind::FetchAndOp,
            line,
            private(2048 + 128 * self.next),
            target,
            displacement,
        );
        op.operator = Some(operator);
        let id = op.id;
        self.issue(rank, op);
        self.enter(
            rank,
            line,
            Call::Flush {
                win: WIN,
                target: Some(Rank(target)),
                local: true,
                channel: None,
            },
        );
        self.kind(rank, 0, EventKind::Fetched { operation: id, value });
        self.leave(rank);
    }
}
