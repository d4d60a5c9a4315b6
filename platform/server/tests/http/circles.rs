//! Files of a crate use each other in one direction, as crates do. See `docs/architecture.md#floors`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Item, UseTree, Visibility,
    visit::{self, Visit},
};

use super::architecture::{crates, root, sources};

/// Crates that still have circles, with the files in them. It can only shrink.
const LEFT: &[(&str, usize)] = &[
    ("platform/kernel", 6),
    ("tenants", 14),
    ("platform/work", 2),
    ("platform/sheets", 8),
    ("platform/menu_import", 22),
    ("platform/promotions", 4),
    ("platform/payment_methods", 4),
    ("platform/devices", 5),
    ("platform/statistics", 6),
    ("platform/console", 2),
    ("platform/server", 21),
    ("platform/testkit", 2),
    ("integrations/sandbox", 9),
    ("xtask", 27),
];

type Module = Vec<String>;

/// What a file says of others.
#[derive(Default)]
struct Said {
    /// It only passes on what others have: `lib.rs` or `mod.rs`.
    is_index: bool,
    /// What it calls by a name of its own: the name, and the path.
    names: Vec<(String, Vec<String>)>,
    /// Of these, the names that others may use.
    passed_on: Vec<(String, Vec<String>)>,
    /// Every path that it uses.
    paths: Vec<Vec<String>>,
}

struct Reader {
    said: Said,
    /// Modules within the file: `super` leads to the file itself from there.
    inside: usize,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        one.path().is_ident("cfg")
            && one.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn flatten(tree: &UseTree, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |name: String| [before, &[name]].concat();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(path.ident.to_string()), found),
        UseTree::Name(name) if name.ident == "self" => {
            found.push((before.last().cloned().unwrap_or_default(), before.to_vec()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), with(name.ident.to_string()))),
        UseTree::Rename(name) => found.push((name.rename.to_string(), with(name.ident.to_string()))),
        UseTree::Glob(_) => found.push(("*".to_owned(), before.to_vec())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, found)),
    }
}

impl Reader {
    /// A path as the file's own module would write it.
    fn note(&mut self, path: Vec<String>) {
        let ups = path.iter().take_while(|segment| *segment == "super").count().min(self.inside);
        let path: Vec<String> = path.into_iter().skip(ups).collect();
        if path.len() > 1 {
            self.said.paths.push(path);
        }
    }

    /// Paths among the words of a macro.
    fn words(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if colons == 2 || path.is_empty() => {
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(colon) if colon.as_char() == ':' && !path.is_empty() => colons += 1,
                other => {
                    self.note(std::mem::take(&mut path));
                    colons = 0;
                    match other {
                        TokenTree::Group(group) => self.words(group.stream()),
                        TokenTree::Ident(ident) => path.push(ident.to_string()),
                        _ => {}
                    }
                }
            }
        }
        self.note(path);
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if is_test(attributes) {
            return;
        }
        match item {
            Item::Use(item) => {
                let mut found = Vec::new();
                flatten(&item.tree, &[], &mut found);
                let passed = self.said.is_index && !matches!(item.vis, Visibility::Inherited);
                if passed {
                    self.said.passed_on.extend(found);
                } else {
                    for (name, path) in found {
                        self.said.names.push((name, path.clone()));
                        self.note(path);
                    }
                }
            }
            Item::Mod(within) if within.content.is_some() => {
                self.inside += 1;
                visit::visit_item(self, item);
                self.inside -= 1;
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.note(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'a syn::Macro) {
        self.words(found.tokens.clone());
        visit::visit_macro(self, found);
    }
}

/// The files of a crate, by their modules.
struct Files(BTreeMap<Module, Said>);

impl Files {
    fn read(folder: &Path) -> Self {
        let mut found = Vec::new();
        sources(folder, &mut found);
        let mut files = BTreeMap::new();
        for (path, text) in found {
            let mut module: Module = path
                .strip_prefix(folder)
                .unwrap()
                .with_extension("")
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if module.iter().any(|part| part == "tests") {
                continue;
            }
            let is_index = matches!(module.last().map(String::as_str), Some("lib" | "mod"));
            if is_index || module == ["main"] {
                module.pop();
            }
            let mut reader = Reader { said: Said { is_index, ..Said::default() }, inside: 0 };
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            reader.visit_file(&file);
            files.insert(module, reader.said);
        }
        Self(files)
    }

    fn child(&self, module: &Module, name: &str) -> Option<Module> {
        let child = [module.as_slice(), &[name.to_owned()]].concat();
        self.0.contains_key(&child).then_some(child)
    }

    /// The file that a path leads to from a module; none for one out of the crate.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (first, mut rest) = path.split_first().filter(|_| depth < 8)?;
        let mut at = match first.as_str() {
            "crate" => Module::new(),
            "self" => from.clone(),
            "super" => {
                let mut at = from.clone();
                at.pop()?;
                while let Some(("super", more)) = rest.split_first().map(|(one, more)| (one.as_str(), more)) {
                    at.pop()?;
                    rest = more;
                }
                at
            }
            name => match self.child(from, name) {
                Some(child) => child,
                // A name that a `use` of this file brought.
                None => {
                    let brought = self.0.get(from)?.names.iter().find(|(known, _)| known == name);
                    let (_, origin) = brought.filter(|(_, origin)| origin.first() != Some(first))?;
                    return self.resolve(from, &[origin, rest].concat(), depth + 1);
                }
            },
        };
        while let Some((name, more)) = rest.split_first() {
            match self.child(&at, name) {
                Some(child) => (at, rest) = (child, more),
                None => break,
            }
        }
        let said = self.0.get(&at)?;
        if let Some(name) = rest.first().filter(|_| said.is_index)
            && let Some((_, origin)) = said.passed_on.iter().find(|(known, _)| known == name)
        {
            return self.resolve(&at, &[origin.as_slice(), &rest[1..]].concat(), depth + 1);
        }
        Some(at)
    }

    /// The files that each file uses.
    fn arrows(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |from: &Module, said: &Said| {
            let to = said.paths.iter().filter_map(|path| self.resolve(from, path, 0));
            to.filter(|to| to != from).collect()
        };
        self.0.iter().map(|(from, said)| (from, of(from, said))).collect()
    }

    /// The files that use each other, directly or through others.
    fn circles(&self) -> Vec<Vec<String>> {
        let arrows = self.arrows();
        let reached = |from: &Module| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(next) = open.pop() {
                for to in arrows.get(&next).into_iter().flatten() {
                    if seen.insert(to.clone()) {
                        open.push(to.clone());
                    }
                }
            }
            seen
        };
        let all: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|file| (file, reached(file))).collect();
        let mut circles = BTreeSet::new();
        for (file, reach) in all.iter().filter(|(file, reach)| reach.contains(**file)) {
            let is_here = |other: &Module| {
                reach.contains(other) && all.get(other).is_some_and(|reach| reach.contains(*file))
            };
            let name = |module: &Module| {
                if module.is_empty() { "lib".to_owned() } else { module.join("/") }
            };
            let tell = |module: &Module| {
                let within = arrows[module].iter().filter(|to| is_here(to)).map(name);
                format!("{} -> {}", name(module), within.collect::<Vec<_>>().join(", "))
            };
            let back = reach.iter().filter(|other| is_here(other));
            circles.insert(back.map(tell).collect::<Vec<_>>());
        }
        circles.into_iter().collect()
    }
}

#[test]
fn no_circle_of_files() {
    let mut left = Vec::new();
    let mut told = String::new();
    for path in crates() {
        let circles = Files::read(&root().join(path).join("src")).circles();
        let files: usize = circles.iter().map(Vec::len).sum();
        if files > 0 {
            left.push((path, files));
            told += &format!(
                "{path}:\n  {}\n",
                circles.iter().map(|files| files.join("\n  ")).collect::<Vec<_>>().join("\n\n  ")
            );
        }
    }
    assert_eq!(left, LEFT, "\n{told}");
}
