//! `cargo xtask new-resource`: writes a resource from templates: of a restaurant, a partner, a restaurant
//! group, the platform, or below another resource.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{Result, openapi, process, project::Project};

mod edit;
mod shape;
#[cfg(test)]
mod tests;

use shape::{Parent, Scope};

const RESERVED: &[&str] =
    &["order", "user", "table", "group", "check", "column", "grant", "select", "view", "index", "role"];

/// The words after `new-resource`.
#[derive(Debug)]
pub struct Options {
    one: String,
    many: String,
    krate: String,
    permission: String,
    group: String,
    icon: String,
    /// Titles of the screen: Hungarian, English.
    titles: Option<(String, String)>,
    /// The resource that it refers to; the first of the crate when not said.
    reference: Option<String>,
    /// Where its rows live.
    scope: Scope,
    /// The resource of the same crate that it lies below, in the plural.
    parent: Option<String>,
    files_only: bool,
}

impl Options {
    pub fn read(words: &[String]) -> Result<Self> {
        let mut one = None;
        let (mut krate, mut many, mut titles, mut reference) = (None, None, None, None);
        let (mut scope, mut parent) = (Scope::Restaurant, None);
        let mut icon = "UnorderedListOutlined".to_owned();
        let (mut permission, mut group, mut files_only) =
            ("restaurant_general".to_owned(), "restaurant_data".to_owned(), false);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().cloned().ok_or(format!("{word} needs a value."));
            match word.as_str() {
                "--crate" => krate = Some(value()?),
                "--plural" => many = Some(value()?),
                "--permission" => permission = value()?,
                "--group" => group = value()?,
                "--icon" => icon = value()?,
                "--ref" => reference = Some(value()?),
                "--scope" => scope = Scope::read(&value()?)?,
                "--parent" => parent = Some(value()?),
                "--title" => titles = Some(split_title(&value()?)?),
                "--files-only" => files_only = true,
                name if !name.starts_with('-') && one.is_none() => one = Some(name.to_owned()),
                other => {
                    return Err(format!(
                        "`cargo xtask new-resource` does not know {other}; see `cargo xtask help`."
                    ));
                }
            }
        }
        let one = one.ok_or(
            "Name the resource in the singular: cargo xtask new-resource supplier --crate customers",
        )?;
        let many = many.unwrap_or_else(|| plural(&one));
        for name in [&one, &many] {
            if !is_snake(name) {
                return Err(format!(
                    "{name} is no name: small letters, digits and _, beginning with a letter."
                ));
            }
        }
        if one == many || RESERVED.contains(&one.as_str()) {
            return Err(format!("A table cannot be called {one} beside {many}; choose another name."));
        }
        if parent.is_some() && scope != Scope::Restaurant {
            return Err("--parent is for a resource of a restaurant; leave --scope out.".into());
        }
        let krate = krate.ok_or("Say which crate it belongs to: --crate customers")?;
        Ok(Self { one, many, krate, permission, group, icon, titles, reference, scope, parent, files_only })
    }
}

fn split_title(title: &str) -> Result<(String, String)> {
    let (hungarian, english) =
        title.split_once('/').ok_or("--title has both languages: --title \"Beszállítók/Suppliers\"")?;
    if title.contains(['\'', '\\']) || hungarian.trim() == english.trim() {
        return Err("The titles differ and hold no quotes.".into());
    }
    Ok((hungarian.trim().to_owned(), english.trim().to_owned()))
}

fn is_snake(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn plural(one: &str) -> String {
    match one.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if one.ends_with(['s', 'x']) || one.ends_with("ch") || one.ends_with("sh") => format!("{one}es"),
        _ => format!("{one}s"),
    }
}

/// `option_group` becomes `OptionGroup`.
fn camel(name: &str) -> String {
    name.split('_').map(capital).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

/// What the new resource refers to.
#[derive(Debug, PartialEq, Eq)]
struct Reference {
    /// Module and resource name, in the plural; the new resource itself when the crate has no other.
    many: String,
    one: String,
    itself: bool,
}

/// The files of a new resource, each with its template.
fn files(
    project: &Project, options: &Options, resource: &Path, test: &Path,
) -> Result<Vec<(PathBuf, &'static str)>> {
    let folder = options.many.replace('_', "-");
    let feature = project.ui().join("src/features").join(&folder);
    let mut files = vec![
        (
            migration(&project.root.join("migrations").join(options.scope.migrations()), &options.many)?,
            include_str!("../templates/migration.sql"),
        ),
        (resource.to_owned(), include_str!("../templates/resource.rs")),
        (test.to_owned(), include_str!("../templates/test.rs")),
        (feature.join("feature.ts"), include_str!("../templates/feature.ts")),
        (feature.join("index.tsx"), include_str!("../templates/index.tsx")),
        (feature.join("hu.ts"), include_str!("../templates/hu.ts")),
        (feature.join("en.ts"), include_str!("../templates/en.ts")),
    ];
    // The browser test that knows no field walks lists of a restaurant.
    if options.scope == Scope::Restaurant && options.parent.is_none() {
        let spec = project.ui().join(format!("e2e/{folder}.spec.ts"));
        files.push((spec, include_str!("../templates/spec.ts")));
    }
    Ok(files)
}

pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    let krate = project.root.join("platform").join(&options.krate);
    if !krate.join("src/lib.rs").exists() {
        return Err(format!("There is no crate platform/{}.", options.krate));
    }
    let permission_types = read(&project.root.join("platform/access/src/perm.rs"))?;
    let permission = permission_types
        .lines()
        .find_map(|line| line.trim().strip_suffix(&format!(" = \"{}\";", options.permission)))
        .ok_or(format!(
            "There is no permission {}; platform/access/src/perm.rs has them all.",
            options.permission
        ))?;
    let reference = reference(&krate.join("src"), options)?;
    let parent = Parent::find(&krate.join("src"), options)?;
    let fill = |template: &str| {
        filled(template, options, permission, &reference, parent.as_ref(), &tag(&krate.join("src")))
    };

    let (test, main) =
        (krate.join(format!("tests/http/{}.rs", options.many)), krate.join("tests/http/mod.rs"));
    let resource = krate.join(format!("src/{}.rs", options.many));
    let files = files(&project, options, &resource, &test)?;
    if let Some((there, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(format!("{} exists already.", there.display()));
    }
    let lib = krate.join("src/lib.rs");
    let library = edit::with_resource(&read(&lib)?, &options.many, &camel(&options.many)).ok_or(format!(
        "{} has no `fn api()` that answers a tuple; write it as platform/customers/src/lib.rs has it.",
        lib.display()
    ))?;
    let tests = if main.exists() { read(&main)? } else { edit::new_tests(&options.krate) };
    // A crate whose first test through HTTP this is has no place in a target yet.
    let target = project.root.join("platform/server/tests/http_shops.rs");
    let targets =
        if main.exists() { read(&target)? } else { edit::with_tests_of(&read(&target)?, &options.krate) };
    let manifest = krate.join("Cargo.toml");

    for (path, template) in &files {
        write(path, &fill(template))?;
        println!("  new      {}", shown(&project, path));
    }
    for (path, text) in [
        (&lib, library),
        (&main, edit::with_module(&tests, &options.many)),
        (&target, targets),
        (&manifest, edit::with_dependencies(&read(&manifest)?, &options.scope.needs())),
    ] {
        if fs::read_to_string(path).is_ok_and(|before| before == text) {
            continue;
        }
        write(path, &text)?;
        println!("  changed  {}", shown(&project, path));
    }
    format(&project.root, &[&lib, &resource, &test, &main])?;
    if !options.files_only {
        println!(
            "\nThe files are written. What follows can be done again by `cargo xtask openapi` and \
             `PULT_GOLDEN=write cargo xtask test -p server -- matrix`."
        );
        openapi::run_beside(|| accept_matrix(&project))?;
    }
    println!(
        "\nSay its fields in the migration, in {} and in the feature's folder (docs/adding-a-resource.md), \
         then:\n  \
         cargo xtask test -p {}\n  cargo xtask openapi",
        shown(&project, &resource),
        options.krate
    );
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}.", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}

fn shown(project: &Project, path: &Path) -> String {
    path.strip_prefix(&project.root).unwrap_or(path).display().to_string()
}

fn migration(folder: &Path, many: &str) -> Result<PathBuf> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("{} cannot be read: {error}.", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let newest: u32 =
        names.filter_map(|name| name.strip_prefix('m')?.split_once('_')?.0.parse().ok()).max().unwrap_or(0);
    Ok(folder.join(format!("m{:04}_{many}.sql", newest + 1)))
}

/// The plain resources of a crate: those that are one file with their table in it.
fn plain_resources(src: &Path) -> Vec<Reference> {
    let mut found: Vec<Reference> = fs::read_dir(src)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let text = fs::read_to_string(&path).ok()?;
            let many = path.file_stem()?.to_str()?.to_owned();
            let entity = text.split_once("kernel::resource!(")?.1.split('"').nth(3)?.to_ascii_lowercase();
            let plain =
                text.contains("DeriveEntityModel") && text.contains(&format!("pub struct {};", camel(&many)));
            plain.then_some(Reference { many, one: entity, itself: false })
        })
        .collect();
    found.sort_by(|a, b| a.many.cmp(&b.many));
    found
}

fn reference(src: &Path, options: &Options) -> Result<Reference> {
    // Elsewhere than in a restaurant it refers to itself; the row above has a column of its own.
    let mut known = if options.scope == Scope::Restaurant { plain_resources(src) } else { vec![] };
    known.retain(|one| options.parent.as_ref() != Some(&one.many));
    let names = known.iter().map(|one| one.many.as_str()).collect::<Vec<_>>().join(", ");
    let wanted = options.reference.as_deref();
    match known.into_iter().find(|one| wanted.is_none_or(|wanted| one.many == wanted)) {
        Some(found) => Ok(found),
        None if wanted.is_some() => Err(format!("--ref names a plain resource of the same crate ({names}).")),
        None => Ok(Reference { many: options.many.clone(), one: options.one.clone(), itself: true }),
    }
}

/// The group of operations that the crate's resources stand in.
fn tag(src: &Path) -> String {
    let texts = fs::read_dir(src)
        .into_iter()
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
    let mut tags =
        texts.filter_map(|text| Some(text.split_once("tag = \"Tag::")?.1.split_once('"')?.0.to_owned()));
    tags.next().unwrap_or_else(|| "Restaurants".to_owned())
}

fn filled(
    template: &str, options: &Options, permission: &str, reference: &Reference, parent: Option<&Parent>,
    tag: &str,
) -> String {
    let words = |name: &str| name.replace('_', " ");
    let (one, many) = (options.one.as_str(), options.many.as_str());
    let (title_hu, title_en) = options
        .titles
        .clone()
        .unwrap_or_else(|| (format!("{} listája", capital(&words(many))), capital(&words(many))));
    let (ref_id, ref_use, ref_entity, ref_words) = if reference.itself {
        ("parent_id".to_owned(), String::new(), "Entity".to_owned(), "Parent".to_owned())
    } else {
        let module = &reference.many;
        let import = format!("use crate::{module}::{{self, {}}};\n", camel(module));
        (
            format!("{}_id", reference.one),
            import,
            format!("{module}::Entity"),
            capital(&words(&reference.one)),
        )
    };
    let mut values = shape::values(options, permission, parent);
    values.extend([
        ("one", one.to_owned()),
        ("many", many.to_owned()),
        ("One", camel(one)),
        ("Many", camel(many)),
        ("ONE", one.to_ascii_uppercase()),
        ("path", many.replace('_', "-")),
        ("words", words(many)),
        ("words_one", words(one)),
        ("Words", capital(&words(many))),
        ("Words_one", capital(&words(one))),
        ("tag", tag.to_owned()),
        ("permission", options.permission.clone()),
        ("group", options.group.clone()),
        ("icon", options.icon.clone()),
        ("title_hu", title_hu),
        ("title_en", title_en),
        ("Ref", camel(&reference.many)),
        ("ref_one", reference.one.clone()),
        ("ref_column", format!("{ref_id:<13}")),
        ("ref_id", ref_id),
        ("ref_use", ref_use),
        ("ref_entity", ref_entity),
        ("Ref_words", ref_words),
    ]);
    values.iter().fold(shape::sections(template, options), |text, (name, value)| {
        text.replace(&format!("{{{{{name}}}}}"), value)
    })
}

/// The templates are written for short names; rustfmt breaks the lines of long ones. It reads from a pipe,
/// because of a file it would format all modules below it too.
fn format(root: &Path, files: &[&Path]) -> Result<()> {
    for path in files {
        let source =
            fs::File::open(path).map_err(|error| format!("{} cannot be read: {error}.", path.display()))?;
        let done = Command::new("rustfmt")
            .args(["--edition", "2024"])
            .current_dir(root)
            .stdin(source)
            .stderr(Stdio::inherit())
            .output();
        match done.map(|done| (done.status.success(), String::from_utf8(done.stdout))) {
            Ok((true, Ok(text))) => write(path, &text)?,
            _ => return Err("rustfmt has failed; `rustup component add rustfmt` installs it.".into()),
        }
    }
    Ok(())
}

/// The new operations enter the matrix of who may call what: its difference is part of what a reviewer sees.
fn accept_matrix(project: &Project) -> Result<()> {
    let mut cargo = process::command("cargo");
    cargo
        .args(["test", "--quiet", "-p", "server", "--test", "http_server", "who_may_call_what"])
        .env("PULT_GOLDEN", "write")
        .current_dir(&project.root);
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err("The matrix of rights could not be written; see the lines above.".into()),
    }
}
