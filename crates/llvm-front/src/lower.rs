//! Modules, functions and blocks: what stands where.

use crate::layout::Layout;
use farside_lint::ir::{
    Block, End, Function, Global, Instruction, Module, Operand, Place, PlaceId, Register,
};
use llvm_ir::module::Linkage;
use llvm_ir::terminator::Terminator;
use llvm_ir::{DebugLoc, HasDebugLoc as _, Name, TypeRef};
use std::collections::{HashMap, HashSet};

/// Turns LLVM IR into the lint's own.
pub(crate) fn lower(module: &llvm_ir::Module) -> Module {
    let mut lowering = Lowering::new(module);
    let local: HashSet<String> = module
        .global_aliases
        .iter()
        .filter(|alias| matches!(alias.linkage, Linkage::Internal | Linkage::Private))
        .map(|alias| plain(&alias.name))
        .collect();
    let mut result = Module {
        functions: module
            .functions
            .iter()
            .map(|function| lowering.function(function))
            .collect(),
        ..Module::default()
    };
    for declared in &module.func_declarations {
        result.functions.push(Function {
            name: declared.name.clone(),
            parameters: declared.parameters.len() as u32,
            ..Function::default()
        });
    }
    let further = lowering.further.iter().map(|name| Function {
        name: (*name).to_owned(),
        parameters: 4,
        ..Function::default()
    });
    result.functions.extend(further);
    for variable in &module.global_vars {
        let mut initial = Vec::new();
        if let Some(value) = &variable.initializer {
            lowering.flatten(value, 0, &mut initial);
        }
        let ty = &lowering.global_types[result.globals.len()];
        result.globals.push(Global {
            name: plain(&variable.name),
            size: lowering.layout.size(ty),
            arrays: lowering.layout.arrays(ty),
            external: variable.initializer.is_none(),
            internal: matches!(variable.linkage, Linkage::Internal | Linkage::Private),
            constant: variable.is_constant,
            initial,
        });
    }
    result.places = lowering.places;
    result.aliases = lowering
        .aliases
        .into_iter()
        .filter(|(name, _)| !local.contains(name))
        .collect();
    result.aliases.sort();
    result
}

/// Names and numbers of one module, and of the function at hand.
pub(crate) struct Lowering<'m> {
    pub(crate) layout: Layout<'m>,
    pub(crate) functions: HashMap<String, u32>,
    /// Functions that compilers call for what instructions do, and the module does not declare.
    further: Vec<&'static str>,
    pub(crate) globals: HashMap<String, u32>,
    pub(crate) global_types: Vec<TypeRef>,
    pub(crate) aliases: HashMap<String, String>,
    registers: HashMap<Name, Register>,
    next_register: Register,
    blocks: HashMap<Name, u32>,
    places: Vec<Place>,
    known_places: HashMap<Place, PlaceId>,
    /// Places of the loads of the function at hand.
    loads: HashSet<PlaceId>,
    current: u32,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m llvm_ir::Module) -> Self {
        let defined = module.functions.iter().map(|function| &function.name);
        let declared = module.func_declarations.iter().map(|function| &function.name);
        let functions = defined.chain(declared).cloned().zip(0..).collect();
        let aliases = module
            .global_aliases
            .iter()
            .filter_map(|alias| match alias.aliasee.as_ref() {
                llvm_ir::Constant::GlobalReference { name, .. } => Some((plain(&alias.name), plain(name))),
                _ => None,
            });
        Self {
            functions,
            further: Vec::new(),
            globals: module
                .global_vars
                .iter()
                .map(|variable| plain(&variable.name))
                .zip(0..)
                .collect(),
            global_types: module
                .global_vars
                .iter()
                .map(|variable| match &variable.initializer {
                    Some(value) => module.type_of(value),
                    None => variable.ty.clone(),
                })
                .collect(),
            aliases: aliases.collect(),
            layout: Layout { module },
            registers: HashMap::new(),
            next_register: 0,
            blocks: HashMap::new(),
            places: vec![Place::default()],
            known_places: HashMap::new(),
            loads: HashSet::new(),
            current: 0,
        }
    }

    fn function(&mut self, function: &llvm_ir::Function) -> Function {
        self.current = self.functions[&function.name];
        self.registers.clear();
        self.next_register = 0;
        self.loads.clear();
        self.blocks = function
            .basic_blocks
            .iter()
            .map(|block| block.name.clone())
            .zip(0..)
            .collect();
        for parameter in &function.parameters {
            self.register(&parameter.name);
        }
        let mut blocks: Vec<Block> = function
            .basic_blocks
            .iter()
            .map(|block| self.block(block))
            .collect();
        for block in &mut blocks {
            // Of values of predecessors that were not lowered nothing can arrive.
            for (_, values) in &mut block.phis {
                values.retain(|(from, _)| *from != u32::MAX);
            }
        }
        Function {
            name: function.name.clone(),
            parameters: function.parameters.len() as u32,
            parameter_types: function
                .parameters
                .iter()
                .map(|p| self.layout.lower(&p.ty))
                .collect(),
            registers: self.next_register,
            blocks,
            internal: matches!(function.linkage, Linkage::Internal | Linkage::Private),
        }
    }

    fn block(&mut self, block: &llvm_ir::BasicBlock) -> Block {
        let mut phis = Vec::new();
        let mut instructions = Vec::new();
        for instruction in &block.instrs {
            if let llvm_ir::Instruction::Phi(phi) = instruction {
                let values = phi
                    .incoming_values
                    .iter()
                    .map(|(value, from)| (self.block_id(from), self.operand(value)))
                    .collect();
                phis.push((self.register(&phi.dest), values));
                continue;
            }
            let mut place = self.place(instruction.get_debug_loc());
            if matches!(instruction, llvm_ir::Instruction::Load(_)) {
                place = self.of_one_load(place);
            }
            if let Some(steps) = self.on_halves(instruction, place) {
                instructions.extend(steps);
                continue;
            }
            let Some(action) = self.action(instruction) else {
                continue;
            };
            let result = instruction.try_get_result().map(|name| self.register(name));
            instructions.push(Instruction {
                place,
                result,
                action,
            });
        }
        let end_place = self.place(block.term.get_debug_loc());
        if let Terminator::Invoke(invoke) = &block.term {
            let action = self.call(&invoke.function, &invoke.arguments);
            let result = Some(self.register(&invoke.result));
            instructions.push(Instruction {
                place: end_place,
                result,
                action,
            });
        }
        Block {
            phis,
            instructions,
            end: self.end(&block.term),
            end_place,
        }
    }

    fn end(&mut self, terminator: &Terminator) -> End {
        match terminator {
            Terminator::Ret(ret) => End::Return(ret.return_operand.as_ref().map(|value| self.operand(value))),
            Terminator::Br(br) => End::Goto(self.block_id(&br.dest)),
            Terminator::CondBr(br) => End::Branch {
                condition: self.operand(&br.condition),
                yes: self.block_id(&br.true_dest),
                no: self.block_id(&br.false_dest),
            },
            Terminator::Switch(switch) => End::Switch {
                value: self.operand(&switch.operand),
                cases: switch
                    .dests
                    .iter()
                    .filter_map(|(value, to)| match self.constant(value) {
                        Operand::Integer(value) => Some((value, self.block_id(to))),
                        _ => None,
                    })
                    .collect(),
                default: self.block_id(&switch.default_dest),
            },
            Terminator::Invoke(invoke) => End::Invoke {
                normal: self.block_id(&invoke.return_label),
                unwind: self.block_id(&invoke.exception_label),
            },
            Terminator::Resume(_) => End::Resume,
            Terminator::Unreachable(_) => End::Unreachable,
            _ => End::Unknown,
        }
    }

    /// The register of a name of the function at hand.
    pub(crate) fn register(&mut self, name: &Name) -> Register {
        let next = &mut self.next_register;
        *self.registers.entry(name.clone()).or_insert_with(|| take(next))
    }

    /// A register of the function at hand that has no name.
    pub(crate) fn further_register(&mut self) -> Register {
        take(&mut self.next_register)
    }

    /// The number of a function that compilers call, of four words.
    pub(crate) fn further_function(&mut self, name: &'static str) -> u32 {
        let next = self.functions.len() as u32;
        *self.functions.entry(name.to_owned()).or_insert_with(|| {
            self.further.push(name);
            next
        })
    }

    fn block_id(&self, name: &Name) -> u32 {
        self.blocks.get(name).copied().unwrap_or(u32::MAX)
    }

    fn place(&mut self, at: &Option<DebugLoc>) -> PlaceId {
        let function = self.current;
        let place = match at {
            Some(at) => Place {
                file: path(at),
                line: at.line,
                column: at.col.unwrap_or(0),
                function,
            },
            None => Place {
                function,
                ..Place::default()
            },
        };
        let next = self.places.len() as PlaceId;
        let places = &mut self.places;
        *self.known_places.entry(place).or_insert_with_key(|place| {
            places.push(place.clone());
            next
        })
    }

    /// A place that no other load has. Flang gives all loads of a statement one: as one instruction that comes to its
    /// bytes again and again, they would poll.
    fn of_one_load(&mut self, place: PlaceId) -> PlaceId {
        if self.loads.insert(place) {
            return place;
        }
        let next = self.places.len() as PlaceId;
        self.places.push(self.places[place as usize].clone());
        next
    }
}

fn take(next: &mut Register) -> Register {
    let register = *next;
    *next += 1;
    register
}

fn path(at: &DebugLoc) -> String {
    match &at.directory {
        Some(folder) if !folder.is_empty() && !at.filename.starts_with('/') => {
            format!("{folder}/{}", at.filename)
        }
        _ => at.filename.clone(),
    }
}

fn plain(name: &Name) -> String {
    match name {
        Name::Name(name) => name.to_string(),
        Name::Number(number) => number.to_string(),
    }
}
