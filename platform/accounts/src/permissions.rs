//! The permission tree with its texts.

use kernel::{Page, Resource, Result};
use poem_openapi::{Enum, Object, OpenApi};
use uuid::Uuid;

use access::{answers::Tag, people::SignedIn};

pub(crate) struct Permissions;

impl Resource for Permissions {
    const NAME: &'static str = "permissions";
    const ENTITY: &'static str = "PERMISSION";
}

/// One key of the permission tree.
#[derive(Debug, Object)]
struct Permission {
    id: Uuid,
    key: String,
    perm_type: PermissionType,
    parent_id: Option<Uuid>,
    name: Texts,
    description: Texts,
}

/// Level in the tree.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
enum PermissionType {
    Main,
    Interface,
    Action,
}

/// A text in both languages of the interface.
#[derive(Debug, Object)]
pub(crate) struct Texts {
    hu: String,
    en: String,
}

#[OpenApi(prefix_path = "/api/v3/admin", tag = "Tag::Access")]
impl Permissions {
    /// The permission tree with names and descriptions.
    #[oai(path = "/permissions", method = "get", operation_id = "permissions_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<Permission>> {
        let sql = "select p.*, parent.id parent_id from ref.permission p left join ref.permission parent on \
            parent.key = p.parent_key order by p.ranking";
        let rows = caller.app.door.call(sql, []).await?;
        let rows = rows
            .iter()
            .map(|row| {
                Ok(Permission {
                    id: row.try_get("", "id")?,
                    key: row.try_get("", "key")?,
                    perm_type: match row.try_get::<String>("", "perm_type")?.as_str() {
                        "main" => PermissionType::Main,
                        "interface" => PermissionType::Interface,
                        _ => PermissionType::Action,
                    },
                    parent_id: row.try_get("", "parent_id")?,
                    name: Texts { hu: row.try_get("", "name")?, en: row.try_get("", "name_en")? },
                    description: Texts {
                        hu: row.try_get("", "description")?,
                        en: row.try_get("", "description_en")?,
                    },
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Page::unpaged(rows))
    }
}
