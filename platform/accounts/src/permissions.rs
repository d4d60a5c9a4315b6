//! The permission tree with its texts.

use kernel::{Page, Result};
use poem_openapi::{Enum, Object, OpenApi};
use sea_orm::{DeriveActiveEnum, EnumIter, FromQueryResult};
use uuid::Uuid;

use crate::language::Language;
use access::{answers::Tag, people::SignedIn};

pub(crate) struct Permissions;

kernel::resource!(Permissions, "permissions", "PERMISSION");

/// One key of the permission tree.
#[derive(Debug, Object, FromQueryResult)]
#[oai(rename = "Permission")]
struct PermissionKey {
    id: Uuid,
    key: String,
    perm_type: PermissionType,
    /// The key above; null at the top.
    parent_id: Option<Uuid>,
    /// Language of `name` and `description`: the account's.
    lang: Language,
    name: String,
    description: String,
    name_hu: String,
    name_en: String,
    description_hu: String,
    description_en: String,
}

/// Level in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
enum PermissionType {
    Main,
    Interface,
    Action,
}

#[OpenApi(prefix_path = "/api/v3/admin", tag = "Tag::Access")]
impl Permissions {
    /// The permission tree with names and descriptions.
    #[oai(path = "/permissions", method = "get", operation_id = "permissions_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<PermissionKey>> {
        let sql = "select p.id, p.key, p.perm_type, parent.id parent_id, $1 lang, \
            case $1 when 'en' then p.name_en else p.name end as name, \
            case $1 when 'en' then p.description_en else p.description end as description, \
            p.name name_hu, p.name_en, p.description description_hu, p.description_en \
            from ref.permission p left join ref.permission parent on parent.key = p.parent_key order by p.ranking";
        let rows = caller.app.door.all(sql, [caller.facts.language.clone().into()]).await?;
        Ok(Page::unpaged(rows))
    }
}
