//! Statements in one another, as ranges of a source: what the scanners of the languages find, and the way to a place.

use std::ops::Range;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    kind: Kind,
    range: Range<usize>,
    blocks: Vec<Block>,
}

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One without statements in it, closures aside.
    Simple,
    /// Branches, one of which is taken; or none, if no `else` ends them.
    If {
        /// Whether there is an `else` for what no other branch takes.
        complete: bool,
    },
    /// A choice among places in one block.
    Switch,
    /// A loop.
    Loop,
    /// A function.
    Function,
    /// A block, a namespace, a class: what is in it is reached as it is itself.
    Plain,
}

/// Statements that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// What stands before it since the statement began, or since the block before it ended: a condition.
    head: Range<usize>,
    /// Between its braces, or from its first statement to its last one.
    range: Range<usize>,
    /// Whether a statement can be added to it.
    braced: bool,
    statements: Vec<Statement>,
}

impl Statement {
    /// A statement with these blocks.
    pub(crate) fn new(kind: Kind, range: Range<usize>, blocks: Vec<Block>) -> Self {
        Self { kind, range, blocks }
    }

    /// What it is.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// From its first byte to its last one.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The blocks in it.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl Block {
    /// A block with these statements.
    pub(crate) fn new(
        head: Range<usize>,
        range: Range<usize>,
        braced: bool,
        statements: Vec<Statement>,
    ) -> Self {
        Self {
            head,
            range,
            braced,
            statements,
        }
    }

    /// What stands before it.
    pub(crate) fn head(&self) -> Range<usize> {
        self.head.clone()
    }

    /// Where it is.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Whether a statement can be added to it.
    pub(crate) fn is_braced(&self) -> bool {
        self.braced
    }

    /// What is in it.
    pub(crate) fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The way to the innermost statement that has a byte.
    pub(crate) fn path(&self, at: usize) -> Vec<Step<'_>> {
        let mut path: Vec<Step<'_>> = Vec::new();
        let (mut block, mut number) = (self, 0);
        while let Some(index) = block.statements.iter().position(|one| one.range.contains(&at)) {
            path.push(Step {
                block,
                number,
                index,
                depth: path.len(),
            });
            let within = |inner: &Block| inner.range.contains(&at);
            let Some(inner) = block.statements[index].blocks.iter().position(within) else {
                break;
            };
            (block, number) = (&block.statements[index].blocks[inner], inner);
        }
        path
    }
}

/// A statement on the way to a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'s> {
    block: &'s Block,
    number: usize,
    index: usize,
    depth: usize,
}

impl<'s> Step<'s> {
    /// A statement of a block, which is that number in the statement around it.
    pub(crate) fn of(block: &'s Block, number: usize, index: usize, depth: usize) -> Self {
        Self {
            block,
            number,
            index,
            depth,
        }
    }

    /// Another statement of the same block.
    pub(crate) fn sibling(&self, index: usize) -> Self {
        Self { index, ..*self }
    }

    /// How many statements it is in.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The block that it is in.
    pub(crate) fn block(&self) -> &'s Block {
        self.block
    }

    /// Which block of the statement around it that is.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Which one of the block it is.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The statement.
    pub(crate) fn statement(&self) -> &'s Statement {
        &self.block.statements[self.index]
    }

    /// Whether two ways lead through the same statement here.
    pub(crate) fn is(&self, other: &Step<'_>) -> bool {
        self.number == other.number && self.index == other.index
    }
}
