//! One source file: its items, what it imports, and which paths its code names.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A path of names from the crate's root.
pub(super) type Names = Vec<String>;

/// A module of a crate.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) file: PathBuf,
    /// Lines of its file; 0 for a module within a file.
    pub(super) lines: usize,
    /// Names that `use` brings in or exports again, and what they stand for.
    pub(super) imports: HashMap<String, Names>,
    /// Modules whose names are all brought in.
    pub(super) globs: Vec<Names>,
    /// Names of modules in it.
    pub(super) children: HashSet<String>,
    /// Paths that its code needs.
    pub(super) needs: Vec<Names>,
    /// Fields that code outside the module can touch.
    pub(super) open_fields: usize,
    /// Names of types that it defines.
    pub(super) types: HashSet<String>,
    /// Types that it has inherent methods of, as paths.
    pub(super) methods: Vec<Names>,
}

/// Reads a file and the files of its modules.
pub(super) fn read(file: &Path, at: &Names, into: &mut HashMap<Names, Module>) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines = text.lines().count();
    items(file, at, &parsed.items, lines, into)
}

fn items(
    file: &Path,
    at: &Names,
    items_of: &[Item],
    lines: usize,
    into: &mut HashMap<Names, Module>,
) -> Result<(), String> {
    let mut reader = Reader {
        at,
        module: Module {
            file: file.to_owned(),
            lines,
            ..Module::default()
        },
    };
    let modules = items_of.iter().filter_map(|item| match item {
        Item::Mod(module) if !is_test(&module.attrs) => Some(module),
        _ => None,
    });
    for module in modules {
        reader.module.children.insert(module.ident.to_string());
    }
    // What a `use` brings in is known before the code that names it is read.
    let (uses, others): (Vec<_>, Vec<_>) = items_of.iter().partition(|item| matches!(item, Item::Use(_)));
    for item in uses.into_iter().chain(others) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Mod(module) => {
                let name = module.ident.to_string();
                let mut path = at.clone();
                path.push(name.clone());
                match &module.content {
                    Some((_, inner)) => items(file, &path, inner, 0, into)?,
                    None => read(&file_of(file, at, &name, &module.attrs)?, &path, into)?,
                }
            }
            item => reader.visit_item(item),
        }
    }
    into.insert(at.clone(), reader.module);
    Ok(())
}

/// The file of a module that is declared in `file`.
fn file_of(file: &Path, at: &Names, name: &str, attributes: &[Attribute]) -> Result<PathBuf, String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    for attribute in attributes {
        if attribute.path().is_ident("path")
            && let syn::Meta::NameValue(pair) = &attribute.meta
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(path) = &literal.lit
        {
            return Ok(folder.join(path.value()));
        }
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    let within = match stem {
        "mod" | "lib" | "main" => folder.to_owned(),
        _ if at.is_empty() => folder.to_owned(),
        stem => folder.join(stem),
    };
    [
        within.join(format!("{name}.rs")),
        within.join(name).join("mod.rs"),
    ]
    .into_iter()
    .find(|path| path.exists())
    .ok_or_else(|| format!("{}: the file of module `{name}` is not there", file.display()))
}

/// Writes the tokens of a macro call as text, literals left out; the tokens of a path stay together.
fn without_literals(tokens: TokenStream, into: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                into.push(' ');
                without_literals(group.stream(), into);
                into.push(' ');
            }
            TokenTree::Ident(name) => {
                if !into.ends_with("::") {
                    into.push(' ');
                }
                into.push_str(&name.to_string());
            }
            TokenTree::Punct(mark) => into.push(mark.as_char()),
            TokenTree::Literal(_) => into.push(' '),
        }
    }
}

/// Whether a C header gives the places of the fields (`#[repr(C)]`): they are an interface, and have no owner here.
fn has_foreign_layout(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("repr") && list.tokens.to_string() == "C",
        _ => false,
    })
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            list.tokens
                .to_string()
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == "test")
                && !list.tokens.to_string().starts_with("not")
        }
        meta => meta.path().is_ident("test"),
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        _ => &[],
    }
}

/// Reads the items of one module.
struct Reader<'p> {
    at: &'p Names,
    module: Module,
}

impl Reader<'_> {
    /// A path from the crate's root; `None` for names of other crates and of the code itself.
    fn absolute(&self, segments: &[String]) -> Option<Names> {
        let (first, rest) = segments.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.at.clone(),
            "super" => self.at[..self.at.len().checked_sub(1)?].to_vec(),
            name if self.module.children.contains(name) => {
                let mut base = self.at.clone();
                base.push(name.to_owned());
                base
            }
            name => self.module.imports.get(name)?.clone(),
        };
        for (at, segment) in rest.iter().enumerate() {
            if segment == "super" && rest[..at].iter().all(|before| before == "super") {
                base.pop()?;
            } else {
                base.push(segment.clone());
            }
        }
        Some(base)
    }

    fn import(&mut self, tree: &UseTree, prefix: &mut Vec<String>, exported: bool) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix, exported);
                prefix.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, prefix, exported);
                }
            }
            UseTree::Glob(_) => {
                if let Some(path) = self.absolute(prefix) {
                    self.module.globs.push(path.clone());
                    if !exported {
                        self.module.needs.push(path);
                    }
                }
            }
            UseTree::Name(name) => self.import_name(&name.ident.to_string(), None, prefix, exported),
            UseTree::Rename(rename) => {
                self.import_name(
                    &rename.ident.to_string(),
                    Some(rename.rename.to_string()),
                    prefix,
                    exported,
                );
            }
        }
    }

    fn import_name(&mut self, name: &str, renamed: Option<String>, prefix: &[String], exported: bool) {
        let mut segments = prefix.to_vec();
        if name != "self" {
            segments.push(name.to_owned());
        }
        let Some(path) = self.absolute(&segments) else {
            return;
        };
        let known = renamed.or_else(|| segments.last().cloned());
        if let Some(known) = known {
            self.module.imports.insert(known, path.clone());
        }
        if !exported {
            self.module.needs.push(path);
        }
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let exported = !matches!(item.vis, Visibility::Inherited);
        self.import(&item.tree, &mut Vec::new(), exported);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if let Some(path) = self.absolute(&segments) {
            self.module.needs.push(path);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        // Paths in the arguments of a macro begin with `crate`, `super` or the name of a module:
        // `format!("{}", crate::a::b())`.
        // Texts among them, such as the documentation of what the macro defines, need nothing.
        let mut text = String::new();
        without_literals(call.tokens.clone(), &mut text);
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let segments: Vec<String> = word.split("::").map(str::to_owned).collect();
            if segments.len() > 1
                && let Some(path) = self.absolute(&segments)
            {
                self.module.needs.push(path);
            }
        }
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.module.types.insert(item.ident.to_string());
        let public = matches!(item.vis, Visibility::Public(_));
        let open = |field: &&syn::Field| match &field.vis {
            Visibility::Restricted(restricted) => !restricted.path.is_ident("self"),
            Visibility::Public(_) => !public,
            Visibility::Inherited => false,
        };
        if !has_foreign_layout(&item.attrs) {
            self.module.open_fields += item.fields.iter().filter(open).count();
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.module.types.insert(item.ident.to_string());
        visit::visit_item_enum(self, item);
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if item.trait_.is_none()
            && let syn::Type::Path(of) = &*item.self_ty
        {
            let segments: Vec<String> = of
                .path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect();
            let path = self.absolute(&segments).unwrap_or_else(|| {
                let mut path = self.at.clone();
                path.extend(segments);
                path
            });
            self.module.methods.push(path);
        }
        visit::visit_item_impl(self, item);
    }
}
