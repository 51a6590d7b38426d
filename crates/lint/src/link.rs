//! Several modules become one program.

use crate::ir::{Action, End, Function, Module, Operand, Place};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Functions of the C library that call functions of the program, as code; an external function cannot call.
/// `qsort` is a merge sort, which keeps the order of equal elements as that of glibc does up to 2.36: n elements are
/// merged in passes between the array and a block of its size. `bsearch` halves as glibc's does.
const WITH_CALLBACKS: [(&str, &str); 3] = [
    ("qsort", include_str!("outside/qsort.ir")),
    ("qsort_r", include_str!("outside/qsort_r.ir")),
    ("bsearch", include_str!("outside/bsearch.ir")),
];

/// Links modules by the names of what they share. Of two definitions of one name (an inline function of C++) the first
/// is taken. A name that another module made an alias is what it stands for.
pub fn link(mut modules: Vec<Module>) -> Module {
    modules.extend(with_callbacks(&modules));
    let aliases = aliases(&modules);
    let meant = |name: &String| aliases.get(name).unwrap_or(name).clone();
    let mut program = Module {
        places: vec![Default::default()],
        ..Module::default()
    };
    let mut functions: HashMap<String, u32> = HashMap::default();
    let mut globals: HashMap<String, u32> = HashMap::default();
    for module in modules {
        let first_place = program.places.len() as u32;
        let function_map: Vec<u32> = module
            .functions
            .iter()
            .map(|function| {
                let next = program.functions.len() as u32;
                let index = if function.internal {
                    next
                } else {
                    *functions.entry(meant(&function.name)).or_insert(next)
                };
                if index == next {
                    program.functions.push(Function {
                        blocks: Vec::new(),
                        ..function.clone()
                    });
                }
                index
            })
            .collect();
        let global_map: Vec<u32> = module
            .globals
            .iter()
            .map(|global| {
                let next = program.globals.len() as u32;
                let private = global.internal || global.name.starts_with("llvm.");
                let index = if private {
                    next
                } else {
                    *globals.entry(meant(&global.name)).or_insert(next)
                };
                if index == next {
                    let mut copy = global.clone();
                    copy.initial = Vec::new();
                    copy.external = true;
                    program.globals.push(copy);
                }
                index
            })
            .collect();
        let maps = Maps {
            functions: &function_map,
            globals: &global_map,
            first_place,
        };
        program.places.extend(module.places.into_iter().map(|mut place| {
            place.function = function_map.get(place.function as usize).copied().unwrap_or(0);
            place
        }));
        for (global, index) in module.globals.into_iter().zip(&global_map) {
            let known = &mut program.globals[*index as usize];
            if known.external && !global.external {
                *known = global;
                for (_, _, value) in &mut known.initial {
                    maps.operand(value);
                }
            }
        }
        for (mut function, index) in module.functions.into_iter().zip(&function_map) {
            let known = &mut program.functions[*index as usize];
            if known.blocks.is_empty() && !function.blocks.is_empty() {
                maps.function(&mut function);
                *known = function;
            }
        }
    }
    program
}

/// The code of those functions of the C library that call functions of the program, as far as the modules need it.
fn with_callbacks(modules: &[Module]) -> Vec<Module> {
    let functions = || modules.iter().flat_map(|module| &module.functions);
    let is_called =
        |name: &str| functions().any(|function| function.name == name && function.blocks.is_empty());
    let needed = WITH_CALLBACKS.iter().filter(|(name, _)| is_called(name));
    needed
        .filter_map(|(name, code)| {
            let mut module: Module = code.parse().ok()?;
            let function = module
                .functions
                .iter()
                .position(|function| function.name == *name)?;
            // Its code has no source, but a function.
            module.places = vec![
                Place::default(),
                Place {
                    function: function as u32,
                    ..Place::default()
                },
            ];
            Some(module)
        })
        .collect()
}

/// The last name of each alias, unless a module defines the alias itself.
fn aliases(modules: &[Module]) -> HashMap<String, String> {
    let all: HashMap<&String, &String> = modules
        .iter()
        .flat_map(|module| module.aliases.iter().map(|(name, target)| (name, target)))
        .collect();
    let defined: HashSet<&String> = modules
        .iter()
        .flat_map(|module| {
            let functions = module
                .functions
                .iter()
                .filter(|f| !f.blocks.is_empty())
                .map(|f| &f.name);
            functions.chain(module.globals.iter().filter(|g| !g.external).map(|g| &g.name))
        })
        .collect();
    let last = |first: &String| {
        // An alias of an alias is followed; a circle, which no linker takes, ends after as many steps as there are
        // names.
        let mut name = first;
        for _ in 0..all.len() {
            match all.get(name) {
                Some(target) => name = target,
                None => break,
            }
        }
        name.clone()
    };
    all.keys()
        .filter(|name| !defined.contains(**name))
        .map(|name| ((*name).clone(), last(name)))
        .collect()
}

struct Maps<'a> {
    functions: &'a [u32],
    globals: &'a [u32],
    first_place: u32,
}

impl Maps<'_> {
    fn function(&self, function: &mut Function) {
        for block in &mut function.blocks {
            for (_, value) in block.phis.iter_mut().flat_map(|(_, values)| values) {
                self.operand(value);
            }
            for instruction in &mut block.instructions {
                instruction.place += self.first_place;
                self.action(&mut instruction.action);
            }
            block.end_place += self.first_place;
            match &mut block.end {
                End::Branch { condition: value, .. }
                | End::Switch { value, .. }
                | End::Return(Some(value)) => self.operand(value),
                End::Goto(_)
                | End::Invoke { .. }
                | End::Return(None)
                | End::Resume
                | End::Unreachable
                | End::Unknown => {}
            }
        }
    }

    fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Global(global, _) => *global = self.globals[*global as usize],
            Operand::Function(function) => *function = self.functions[*function as usize],
            Operand::Aggregate(fields) => fields.iter_mut().for_each(|field| self.operand(field)),
            Operand::Register(_)
            | Operand::Integer(_)
            | Operand::Float(_)
            | Operand::Single(_)
            | Operand::Undefined => {}
        }
    }

    fn action(&self, action: &mut Action) {
        match action {
            Action::Allocate { count, .. } => self.operand(count),
            Action::Load { address, .. } => self.operand(address),
            Action::Store { address, value, .. } | Action::AtomicUpdate { address, value, .. } => {
                self.operand(address);
                self.operand(value);
            }
            Action::Offset { base, terms, .. } => {
                self.operand(base);
                terms.iter_mut().for_each(|(index, _, _)| self.operand(index));
            }
            Action::Arithmetic { left, right, .. }
            | Action::FloatArithmetic { left, right, .. }
            | Action::Compare { left, right, .. }
            | Action::FloatCompare { left, right, .. } => {
                self.operand(left);
                self.operand(right);
            }
            Action::Convert { value, .. } => self.operand(value),
            Action::Select { condition, yes, no } => [condition, yes, no]
                .into_iter()
                .for_each(|value| self.operand(value)),
            Action::Call { callee, arguments } => {
                self.operand(callee);
                arguments.iter_mut().for_each(|argument| self.operand(argument));
            }
            Action::CompareExchange {
                address,
                expected,
                replacement,
                ..
            } => {
                [address, expected, replacement]
                    .into_iter()
                    .for_each(|value| self.operand(value));
            }
            Action::Extract { aggregate, .. } => self.operand(aggregate),
            Action::Insert { aggregate, value, .. } => {
                self.operand(aggregate);
                self.operand(value);
            }
            Action::Fence(_) | Action::LandingPad | Action::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(texts: [&str; 2]) -> Module {
        link(texts.map(|text| text.parse().unwrap()).into())
    }

    #[test]
    fn a_function_with_callbacks_comes_with_its_code() {
        let parameters = [
            ("qsort", "ptr, i64, i64, ptr"),
            ("qsort_r", "ptr, i64, i64, ptr, ptr"),
            ("bsearch", "ptr, ptr, i64, i64, ptr"),
        ];
        for (name, parameters) in parameters {
            let call = format!(
                "declare {name}({parameters})\nfunction main() {{\n0:\n  call &{name}()\n  return\n}}\n"
            );
            let program = linked([&call, "function other() {\n0:\n  return\n}\n"]);
            let code = program.functions.iter().find(|function| function.name == name);
            assert!(code.is_some_and(|code| !code.blocks.is_empty()), "{name}");
            let own = format!("function {name}() {{\n0:\n  return\n}}\n");
            let call = format!("declare {name}()\nfunction main() {{\n0:\n  return\n}}\n");
            let program = linked([&own, &call]);
            let all = program.functions.iter().filter(|function| function.name == name);
            assert!(all.map(|function| function.blocks.len()).eq([1]), "{name}");
        }
    }

    #[test]
    fn an_alias_of_another_module_is_what_it_stands_for() {
        let user = "declare Made()\nfunction main() registers 1 {\n0:\n  %0 = call &Made()\n  return\n}\n";
        let maker =
            "function Base() registers 0 {\n0:\n  return\n}\nalias Complete Base\nalias Made Complete\n";
        for modules in [[user, maker], [maker, user]] {
            let program = linked(modules);
            let named = |name: &str| program.functions.iter().position(|f| f.name == name).unwrap();
            let Action::Call { callee, .. } =
                &program.functions[named("main")].blocks[0].instructions[0].action
            else {
                panic!("main calls something");
            };
            let Operand::Function(callee) = callee else {
                panic!("main calls a function");
            };
            assert!(!program.functions[*callee as usize].blocks.is_empty());
            assert_eq!(program.functions.len(), 2);
        }
    }

    #[test]
    fn a_definition_is_taken_before_an_alias() {
        let user = "function Made() registers 0 {\n0:\n  return\n}\n";
        let maker = "function Base() registers 0 {\n0:\n  return\n}\nalias Made Base\n";
        let program = linked([user, maker]);
        let names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["Made", "Base"]);
    }
}
