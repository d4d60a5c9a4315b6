//! Role templates: named sets of permissions that the users screen offers. They are copied and never referred
//! to, so changing a template changes nobody's rights.

use kernel::{Id, Page, Result};
use poem_openapi::{Object, OpenApi};
use sea_orm::FromQueryResult;

use crate::permissions::Permissions;
use access::{answers::Tag, people::SignedIn};

/// A template by its keys.
#[derive(Debug, Clone, Copy)]
pub struct Role {
    /// Its name in the interface of programs.
    pub key: &'static str,
    name_hu: &'static str,
    name_en: &'static str,
    /// The granted keys without implied ones; `full_target_access` alone grants everything.
    pub keys: &'static [&'static str],
}

/// All templates, from the most to the least.
pub const ROLES: &[Role] = &[
    Role { key: "owner", name_hu: "Tulajdonos", name_en: "Owner", keys: &["full_target_access"] },
    Role {
        key: "manager",
        name_hu: "Üzletvezető",
        name_en: "Manager",
        keys: &[
            "admin_login",
            "fresh_order",
            "all_order",
            "order_accept",
            "order_storno",
            "catalog_edit",
            "catalog_delete",
            "catalog_activate",
            "statistics",
            "stat_summary",
            "stat_detailed_income",
            "stat_sale_summary",
            "customer",
            "depot",
            "depot_recipe",
            "depot_supplier",
            "depot_inventory",
            "depot_product_relation",
            "restaurant_general",
            "restaurant_opening",
            "restaurant_delivery",
            "admin_table",
            "pos_kitchen_queue",
            "pos_print",
            "pos_settings",
            "pos_storno",
            "pos_partial_storno",
            "pos_cart_discount",
            "pos_modify_order",
            "pos_delete_kitchen_item",
            "pos_fresh_orders",
            "pos_previous_orders",
            "pos_export",
            "pos_statistics",
            "pos_courier_summary",
            "courier",
            "discount",
            "tv",
            "kiosk",
            "system_general",
            "system_delivery_region",
        ],
    },
    Role {
        key: "waiter",
        name_hu: "Felszolgáló",
        name_en: "Waiter",
        keys: &["admin_login", "fresh_order", "order_accept", "pos_fresh_orders", "pos_modify_order"],
    },
    Role {
        key: "kitchen",
        name_hu: "Konyha",
        name_en: "Kitchen",
        keys: &["admin_login", "fresh_order", "catalog_activate"],
    },
    Role { key: "courier", name_hu: "Futár", name_en: "Courier", keys: &["admin_login"] },
    Role {
        key: "bookkeeper",
        name_hu: "Könyvelő",
        name_en: "Bookkeeper",
        keys: &[
            "admin_login", "all_order", "stat_summary", "stat_detailed_income", "stat_sale_summary", "ntak",
            "order_export",
        ],
    },
];

/// A named set of permissions to begin with.
#[derive(Debug, Object)]
struct RoleTemplate {
    key: String,
    name_hu: String,
    name_en: String,
    /// What it grants, implied keys included; everything for the owner.
    permission_ids: Vec<Id<Permissions>>,
    /// Grants everything, also what comes later.
    full_target_access: bool,
}

#[derive(FromQueryResult)]
struct PermissionKey {
    id: Id<Permissions>,
    key: String,
}

pub(crate) struct RoleTemplates;

#[OpenApi(prefix_path = "/api/v3/admin", tag = "Tag::Access")]
impl RoleTemplates {
    /// Named sets of permissions for the users screen.
    #[oai(path = "/role-templates", method = "get", operation_id = "role_templates_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<RoleTemplate>> {
        let sql = "select id, key from ref.permission order by ranking";
        let permissions: Vec<PermissionKey> = caller.app.door.all(sql, []).await?;
        let templates = ROLES.iter().map(|role| {
            let grants = caller.app.policy.evaluate(role.keys.iter().copied());
            RoleTemplate {
                key: role.key.to_owned(),
                name_hu: role.name_hu.to_owned(),
                name_en: role.name_en.to_owned(),
                permission_ids: permissions
                    .iter()
                    .filter(|one| grants.has(&one.key))
                    .map(|one| one.id)
                    .collect(),
                full_target_access: role.keys.contains(&"full_target_access"),
            }
        });
        Ok(Page::unpaged(templates.collect()))
    }
}
