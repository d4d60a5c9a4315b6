//! The place of a new resource's rows, and its effect on the templates.

use std::path::Path;

use super::{Options, camel, plain_resources};
use crate::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Restaurant,
    Partner,
    Group,
    Platform,
}

impl Scope {
    pub(super) fn read(word: &str) -> Result<Self> {
        match word {
            "restaurant" => Ok(Self::Restaurant),
            "partner" => Ok(Self::Partner),
            "group" => Ok(Self::Group),
            "platform" => Ok(Self::Platform),
            _ => Err("--scope is restaurant, partner, group or platform.".into()),
        }
    }

    pub(super) fn migrations(self) -> &'static str {
        if self == Self::Platform { "control" } else { "tenant" }
    }

    pub(super) fn needs(self) -> Vec<&'static str> {
        match self {
            Self::Group => vec!["access", "kernel", "poem-openapi", "restaurants", "sea-orm"],
            _ => vec!["access", "kernel", "poem-openapi", "sea-orm", "tenants"],
        }
    }

    const fn flag(self) -> &'static str {
        match self {
            Self::Restaurant => "restaurant",
            Self::Partner => "partner",
            Self::Group => "group",
            Self::Platform => "platform",
        }
    }
}

/// The resource that the new one lies below.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parent {
    many: String,
    one: String,
    of: String,
    /// Path of its table's entity.
    entity: String,
    import: String,
}

impl Parent {
    /// The parent that was named, or the restaurant group.
    pub(super) fn find(src: &Path, options: &Options) -> Result<Option<Self>> {
        if options.scope == Scope::Group {
            return Ok(Some(Self {
                many: "restaurant_groups".into(),
                one: "restaurant_group".into(),
                of: "Group".into(),
                entity: "restaurants::RestaurantGroups".into(),
                import: "use kernel::Group;\n".into(),
            }));
        }
        let Some(many) = options.parent.clone() else { return Ok(None) };
        let of = camel(&many);
        let folder = src.join(&many).join("entity.rs");
        let file = plain_resources(src).into_iter().find(|known| known.many == many);
        let unknown = || {
            format!("--parent names a resource of the same crate in the plural; there is no src/{many}.rs.")
        };
        let (entity, import, one) = match file {
            Some(file) => {
                (format!("{many}::Entity"), format!("use crate::{many}::{{self, {of}}};\n"), file.one)
            }
            None => {
                let text = std::fs::read_to_string(folder).map_err(|_| unknown())?;
                let one = text.split_once("table_name = \"").and_then(|(_, rest)| rest.split_once('"'));
                let one = one.ok_or_else(unknown)?.0.to_owned();
                (format!("{many}::entity::Entity"), format!("use crate::{many}::{{self, {of}}};\n"), one)
            }
        };
        Ok(Some(Self { many, one, of, entity, import }))
    }
}

/// The values of a template's placeholders that depend on the shape.
pub(super) fn values(
    options: &Options, permission: &str, parent: Option<&Parent>,
) -> Vec<(&'static str, String)> {
    let path = options.many.replace('_', "-");
    let partner = "/api/v3/admin/partners/:partner_id";
    let restaurant = format!("{partner}/restaurants/:restaurant_id");
    let place = match options.scope {
        Scope::Platform => "/api/v3/super-admin".to_owned(),
        Scope::Partner | Scope::Group => partner.to_owned(),
        Scope::Restaurant => restaurant,
    };
    let (prefix, sub) = match parent {
        Some(parent) => {
            (format!("{place}/{}", parent.many.replace('_', "-")), format!("/:{}_id/{path}", parent.one))
        }
        None => (format!("{place}/{path}"), String::new()),
    };
    let here = match options.scope {
        Scope::Platform => "Platform".to_owned(),
        Scope::Partner | Scope::Group => format!("In<Partner, WholePartner<perm::{permission}>>"),
        Scope::Restaurant => format!("In<Restaurant, perm::{permission}>"),
    };
    let home = match (options.scope, parent) {
        (_, Some(parent)) => format!("Below(\"{}_id\")", parent.one),
        (Scope::Platform, None) => "Platform".to_owned(),
        (Scope::Partner | Scope::Group, None) => "Partner".to_owned(),
        (Scope::Restaurant, None) => "Restaurant".to_owned(),
    };
    let platform = options.scope == Scope::Platform;
    let whole = matches!(options.scope, Scope::Partner | Scope::Group);
    let of = |value: fn(&Parent) -> String| parent.map(value).unwrap_or_default();
    let mut columns = String::new();
    if options.scope == Scope::Restaurant {
        columns.push_str("restaurant_id, ");
    }
    columns.push_str(&of(|parent| format!("{}_id, ", parent.one)));
    vec![
        ("Here", here),
        ("Home", home),
        ("Tx", if platform { "ControlTx" } else { "TenantTx" }.to_owned()),
        ("prefix", prefix),
        // A list lies at the prefix itself, or at the path below its parent.
        ("list_path", if sub.is_empty() { "/".to_owned() } else { sub.clone() }),
        ("sub", sub),
        ("schema", if platform { "control." } else { "" }.to_owned()),
        ("place_columns", columns),
        ("parent_use", of(|parent| parent.import.clone())),
        ("parent_arg", of(|parent| format!(" {}_id: Path<Id<{}>>,", parent.one, parent.of))),
        ("parent_entity", of(|parent| parent.entity.clone())),
        ("parent_column", of(|parent| format!("{:<13}", format!("{}_id", parent.one)))),
        ("parent_one", of(|parent| parent.one.clone())),
        ("parent_many", of(|parent| parent.many.clone())),
        ("Parent", of(|parent| parent.of.clone())),
        ("PARENT", of(|parent| parent.one.to_ascii_uppercase())),
        ("parent_codes", of(|parent| format!("{}_NOT_EXIST, ", parent.one.to_ascii_uppercase()))),
        ("below", of(|parent| format!(".below(*{}_id)", parent.one))),
        ("below_live", of(|parent| format!(".below_live::<{}>(*{}_id).await?", parent.entity, parent.one))),
        ("whole", if whole { "@partner" } else { "" }.to_owned()),
    ]
}

/// The template with the sections of this shape: lines between `{{?flag}}` or `{{?!flag}}` and `{{/}}`.
/// Sections may lie in one another.
pub(super) fn sections(template: &str, options: &Options) -> String {
    let mut flags = vec![options.scope.flag()];
    if options.parent.is_some() {
        flags.push("nested");
    }
    if options.parent.is_some() || options.scope == Scope::Group {
        flags.push("parent");
    }
    if options.scope == Scope::Restaurant {
        flags.push("plain");
    }
    let mut open: Vec<bool> = Vec::new();
    let mut text = String::new();
    for line in template.lines() {
        if let Some(flag) = line.strip_prefix("{{?").and_then(|rest| rest.strip_suffix("}}")) {
            let (flag, wanted) = flag.strip_prefix('!').map_or((flag, true), |flag| (flag, false));
            open.push(flags.contains(&flag) == wanted);
        } else if line == "{{/}}" {
            open.pop();
        } else if open.iter().all(|open| *open) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}
