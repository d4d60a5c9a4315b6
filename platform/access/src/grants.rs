//! Casbin evaluates grants: parent and child, full access, surfaces, API scopes. It runs when grants change,
//! not per request; results are cached by the version of the grants. See
//! `docs/decisions/permissions.md#evaluation`.

use std::collections::HashSet;

use casbin::{CoreApi, DefaultModel, Enforcer, RbacApi, StringAdapter};

use crate::perm::{self, TreeKey};

const MODEL: &str = include_str!("../policy/model.conf");

/// Surfaces on which an account may sign in.
const SURFACES: [&str; 4] = ["admin", "pos", "lct", "kiosk"];

/// The policy engine with the model and policy of this release.
pub struct Policy(Enforcer);

/// Everything that an admin or an API key may do, implied keys included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants(HashSet<String>);

/// The policy of the permission tree, as lines of casbin: `p` lets do, `g` holds as well.
fn policy() -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for TreeKey { key, parent, .. } in perm::TREE {
        lines.push(format!("p, {key}, {key}"));
        lines.extend(parent.map(|parent| format!("g, {key}, {parent}")));
        // Full access to a target holds all keys.
        lines.push(format!("g, full_target_access, {key}"));
    }
    // A super admin holds them at every target.
    lines.push("g, super_admin, full_target_access".to_owned());
    lines.push("p, super_admin, super_admin".to_owned());
    lines.extend(SURFACES.map(|surface| format!("p, surface:{surface}, sign_in:{surface}")));
    lines.push("g, super_admin, surface:admin".to_owned());
    lines.extend(perm::API_SCOPES.iter().map(|scope| format!("p, scope:{scope}, api:{scope}")));
    lines
}

impl Policy {
    /// Reads the model and the policy.
    pub async fn load() -> casbin::Result<Self> {
        let model = DefaultModel::from_str(MODEL).await?;
        Ok(Self(Enforcer::new(model, StringAdapter::new(policy().join("\n"))).await?))
    }

    /// The evaluated grants: permission keys, `full_target_access`, `super_admin`, `surface:…`, `scope:…`.
    pub fn evaluate<'a>(&self, granted: impl IntoIterator<Item = &'a str>) -> Grants {
        let implied =
            granted.into_iter().flat_map(|grant| self.0.get_implicit_permissions_for_user(grant, None));
        Grants(implied.filter_map(|permission| permission.into_iter().nth(1)).collect())
    }
}

impl Grants {
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }

    /// The permission keys, sorted.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<_> = self.0.iter().filter(|key| !key.contains(':')).cloned().collect();
        keys.sort_unstable();
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn holding_a_child_implies_the_parent_and_nothing_beside() {
        let policy = Policy::load().await.unwrap();
        assert_eq!(policy.evaluate(["order_accept"]).keys(), ["order", "order_accept"]);
        assert_eq!(policy.evaluate(["order"]).keys(), ["order"]);
        assert_eq!(policy.evaluate(["no_such_key"]), Grants::default());
    }

    #[tokio::test]
    async fn full_access_holds_every_key_and_a_super_admin_more() {
        let policy = Policy::load().await.unwrap();
        let full = policy.evaluate(["full_target_access"]);
        assert!(perm::ALL.iter().all(|key| full.has(key)));
        assert!(!full.has("super_admin"));
        let admin = policy.evaluate(["super_admin"]);
        assert!(
            perm::ALL.iter().all(|key| admin.has(key))
                && admin.has("super_admin")
                && admin.has("sign_in:admin")
        );
    }

    #[tokio::test]
    async fn surfaces_and_scopes_are_distinct() {
        let policy = Policy::load().await.unwrap();
        let grants = policy.evaluate(["surface:pos", "scope:menu:read"]);
        assert!(grants.has("sign_in:pos") && grants.has("api:menu:read"));
        assert!(!grants.has("sign_in:admin") && !grants.has("api:orders:write"));
        assert!(grants.keys().is_empty());
    }
}
