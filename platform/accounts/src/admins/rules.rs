//! Rules for granting rights. Pure: no I/O. See `docs/decisions/accounts.md#granting`.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Code, money::Percent};
use uuid::Uuid;

pub(crate) type PermissionKeys = BTreeSet<String>;

/// The key that `max_discount_percent` belongs to.
pub(crate) const DISCOUNT: &str = "pos_cart_discount";

/// Which key stands below which.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree(BTreeMap<String, Option<String>>);

impl Tree {
    pub(crate) fn new(keys: impl IntoIterator<Item = (String, Option<String>)>) -> Self {
        Self(keys.into_iter().collect())
    }

    /// The parents of a key, nearest first.
    fn above<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a str> {
        std::iter::successors(self.parent(key), |parent| self.parent(parent))
    }

    fn parent(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_deref()
    }

    /// The keys after a change from `before` to `wanted`. Taking a parent takes its children, unless a new
    /// child below it is wanted. Giving a child gives its parents.
    pub(crate) fn settle(&self, before: &PermissionKeys, wanted: &PermissionKeys) -> PermissionKeys {
        let new = |key: &str| !before.contains(key);
        let added: PermissionKeys = wanted.iter().filter(|key| new(key)).cloned().collect();
        let taken: PermissionKeys = before
            .difference(wanted)
            .filter(|key| !added.iter().any(|child| self.above(child).any(|above| above == *key)))
            .cloned()
            .collect();
        let kept = wanted.iter().filter(|key| !self.above(key).any(|above| taken.contains(above)));
        let mut settled: PermissionKeys = kept.cloned().collect();
        let parents: PermissionKeys =
            settled.iter().flat_map(|key| self.above(key)).map(str::to_owned).collect();
        settled.extend(parents);
        settled
    }
}

/// The grants of an admin row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Rights {
    /// Acts for the whole partner; else for `restaurants`.
    pub whole_partner: bool,
    pub restaurants: BTreeSet<Uuid>,
    pub keys: PermissionKeys,
    /// Holds every key of the target.
    pub full: bool,
    /// The largest staff discount; none is no limit.
    pub max_discount: Option<Percent>,
}

impl Rights {
    pub(crate) fn holds(&self, key: &str) -> bool {
        self.full || self.keys.contains(key)
    }

    /// The same without what its switch does not allow: a discount cap goes with its permission, and a
    /// restaurant's list with the target type.
    pub(crate) fn tidy(mut self) -> Self {
        if !self.holds(DISCOUNT) {
            self.max_discount = None;
        }
        if self.whole_partner {
            self.restaurants.clear();
        }
        self
    }

    /// Whether these grants include all of `other`, in all places of `other`.
    fn cover(&self, other: &Self) -> bool {
        let places =
            self.whole_partner || !other.whole_partner && other.restaurants.is_subset(&self.restaurants);
        places && (self.full || !other.full && other.keys.is_subset(&self.keys) && self.allows(other))
    }

    /// Whether the own discount cap is at least the other's.
    fn allows(&self, other: &Self) -> bool {
        !other.holds(DISCOUNT)
            || self.full
            || self.max_discount.is_none_or(|own| other.max_discount.is_some_and(|theirs| theirs.0 <= own.0))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Editor {
    /// The own row; none for a super admin who is not an admin here.
    pub admin: Option<Uuid>,
    pub super_admin: bool,
    pub rights: Rights,
}

impl Editor {
    /// Partner admins and super admins may grant single keys that they lack.
    fn unbound(&self) -> bool {
        self.super_admin || self.rights.whole_partner
    }

    /// Whether this row is in the editor's reach at all: a restaurant's admin edits restaurants' admins all
    /// of whose restaurants are the editor's too, because a row's rights hold in each of its restaurants.
    fn reaches(&self, target: &Rights) -> bool {
        self.unbound() || !target.whole_partner && target.restaurants.is_subset(&self.rights.restaurants)
    }
}

/// Whether the editor may add somebody with these rights.
/// Errors: `USER_TYPE_NOT_EDITABLE`, `USER_PERMISSION_REQUIRED`.
pub(crate) fn may_add(editor: &Editor, after: &Rights) -> Result<(), Code> {
    let nothing = Rights {
        restaurants: after.restaurants.clone(),
        whole_partner: after.whole_partner,
        ..Rights::default()
    };
    may_change(editor, &nothing, after)
}

/// Whether the editor may turn `before` into `after`. The editor's own row and super admins' rows are looked
/// at by [`may_touch`].
/// Errors: `USER_TYPE_NOT_EDITABLE`: out of reach, or a target type that only Partner admins set.
/// `USER_PERMISSION_REQUIRED`: giving or taking what the editor lacks.
pub(crate) fn may_change(editor: &Editor, before: &Rights, after: &Rights) -> Result<(), Code> {
    if editor.super_admin {
        return Ok(());
    }
    if !editor.reaches(before) || !editor.reaches(after) {
        return Err(Code::USER_TYPE_NOT_EDITABLE);
    }
    // Everything at once is given and taken only by those who have it, Partner admins too.
    if (before.full != after.full || before.full && before.whole_partner != after.whole_partner)
        && !editor.rights.full
    {
        return Err(Code::USER_PERMISSION_REQUIRED);
    }
    if editor.unbound() {
        return Ok(());
    }
    let differ = before.keys.symmetric_difference(&after.keys).all(|key| editor.rights.holds(key));
    let discount = before.max_discount == after.max_discount
        && before.holds(DISCOUNT) == after.holds(DISCOUNT)
        || editor.rights.holds(DISCOUNT) && editor.rights.allows(after);
    // Rights that are carried into another restaurant are given there, and taken in the one that is left.
    let moved =
        before.restaurants == after.restaurants || editor.rights.cover(before) && editor.rights.cover(after);
    if differ && discount && moved { Ok(()) } else { Err(Code::USER_PERMISSION_REQUIRED) }
}

/// Whether the editor may change who can act as this person: password, PIN, address, sessions, archiving.
/// Whoever could act as somebody else holds all that the other holds.
/// Errors: `USER_TYPE_NOT_EDITABLE`, `USER_PERMISSION_REQUIRED`.
pub(crate) fn may_impersonate(editor: &Editor, target: &Rights) -> Result<(), Code> {
    if editor.super_admin {
        Ok(())
    } else if !editor.reaches(target) {
        Err(Code::USER_TYPE_NOT_EDITABLE)
    } else if editor.rights.full
        || (!target.full && (editor.rights.whole_partner || editor.rights.cover(target)))
    {
        Ok(())
    } else {
        Err(Code::USER_PERMISSION_REQUIRED)
    }
}

/// Whether the editor may set or clear the PIN of somebody with these rights: it lets its owner do at the till
/// what the editor cannot, so here Partner admins are bound too.
/// Errors: `USER_TYPE_NOT_EDITABLE`, `USER_PERMISSION_REQUIRED`.
pub(crate) fn may_set_pin(editor: &Editor, target: &Rights) -> Result<(), Code> {
    if editor.super_admin || editor.rights.cover(target) {
        Ok(())
    } else if !editor.reaches(target) {
        Err(Code::USER_TYPE_NOT_EDITABLE)
    } else {
        Err(Code::USER_PERMISSION_REQUIRED)
    }
}

/// Whether the editor may touch more than name, phone and language of this row: not the own one, not a super
/// admin's.
/// Errors: `USER_TYPE_NOT_EDITABLE`.
pub(crate) fn may_touch(editor: &Editor, target: Uuid, super_admin: bool) -> Result<(), Code> {
    if editor.admin == Some(target) || super_admin { Err(Code::USER_TYPE_NOT_EDITABLE) } else { Ok(()) }
}

/// First and last name of a whole name in Hungarian order: the first word is the last name.
pub(crate) fn split_name(name: &str) -> (String, String) {
    let name = name.trim();
    let (last, first) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
    (first.trim().to_owned(), last.to_owned())
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
