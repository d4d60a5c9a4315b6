//! The rows of a menu by their ids, with the names under which messages mention them.

use std::collections::HashMap;

use poem_openapi::{Enum, Object};
use uuid::Uuid;

use super::{
    rows::{CategoryRow, OptionRow, ProductRow, SubproductRow},
    store::{GonePart, Rows},
};
use crate::{option_groups::entity as group, ordered_name};

/// What kind of row something is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MenuSubjectKind {
    /// The settings of the restaurant.
    Restaurant,
    Category,
    Product,
    /// A size.
    Subproduct,
    OptionGroup,
    Option,
}

/// A row of the menu that something is told of, with the ids of those above it, which its editor's address
/// needs.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct MenuSubject {
    pub kind: MenuSubjectKind,
    /// `null`: the restaurant.
    pub id: Option<Uuid>,
    /// Of a size: as an order names it.
    pub name: Option<String>,
    pub name_sec_lang: Option<String>,
    pub product_category_id: Option<Uuid>,
    pub product_id: Option<Uuid>,
    pub option_group_id: Option<Uuid>,
}

impl MenuSubject {
    pub(crate) const RESTAURANT: Self = Self {
        kind: MenuSubjectKind::Restaurant,
        id: None,
        name: None,
        name_sec_lang: None,
        product_category_id: None,
        product_id: None,
        option_group_id: None,
    };

    fn row(kind: MenuSubjectKind, id: Uuid, name: &str, name_sec_lang: Option<&str>) -> Self {
        Self {
            kind,
            id: Some(id),
            name: Some(name.to_owned()),
            name_sec_lang: name_sec_lang.map(str::to_owned),
            ..Self::RESTAURANT
        }
    }
}

/// See the module.
pub(crate) struct Index<'a> {
    pub categories: HashMap<Uuid, &'a CategoryRow>,
    pub products: HashMap<Uuid, &'a ProductRow>,
    pub subproducts: HashMap<Uuid, &'a SubproductRow>,
    pub groups: HashMap<Uuid, &'a group::Model>,
    pub options: HashMap<Uuid, &'a OptionRow>,
    pub options_of: HashMap<Uuid, Vec<&'a OptionRow>>,
    /// Sizes by product, in their order.
    pub sizes_of: HashMap<Uuid, Vec<&'a SubproductRow>>,
    /// Archived sizes that something still refers to.
    pub gone: HashMap<Uuid, &'a GonePart>,
}

impl<'a> Index<'a> {
    pub(crate) fn new(rows: &'a Rows, gone: &'a [GonePart]) -> Self {
        let mut options_of: HashMap<Uuid, Vec<&OptionRow>> = HashMap::new();
        for option in &rows.options {
            options_of.entry(option.option_group_id.uuid()).or_default().push(option);
        }
        let mut sizes_of: HashMap<Uuid, Vec<&SubproductRow>> = HashMap::new();
        for row in &rows.subproducts {
            sizes_of.entry(row.product_id.uuid()).or_default().push(row);
        }
        Self {
            categories: rows.categories.iter().map(|row| (row.id.uuid(), row)).collect(),
            products: rows.products.iter().map(|row| (row.id.uuid(), row)).collect(),
            subproducts: rows.subproducts.iter().map(|row| (row.id.uuid(), row)).collect(),
            groups: rows.groups.iter().map(|row| (row.id.uuid(), row)).collect(),
            options: rows.options.iter().map(|row| (row.id.uuid(), row)).collect(),
            options_of,
            sizes_of,
            gone: gone.iter().map(|part| (part.id, part)).collect(),
        }
    }

    /// The product of a size, its category, and the one above that.
    pub(crate) fn levels(
        &self, row: &SubproductRow,
    ) -> Option<(&'a ProductRow, &'a CategoryRow, Option<&'a CategoryRow>)> {
        let product = *self.products.get(&row.product_id.uuid())?;
        let (category, parent) = self.categories_of(product)?;
        Some((product, category, parent))
    }

    /// The category of a product, and the one above.
    pub(crate) fn categories_of(
        &self, product: &ProductRow,
    ) -> Option<(&'a CategoryRow, Option<&'a CategoryRow>)> {
        let category = *self.categories.get(&product.product_category_id.uuid())?;
        Some((category, self.parent(category)))
    }

    pub(crate) fn parent(&self, category: &CategoryRow) -> Option<&'a CategoryRow> {
        self.categories.get(&category.parent_id?.uuid()).copied()
    }

    pub(crate) fn category(&self, row: &CategoryRow) -> MenuSubject {
        MenuSubject {
            product_category_id: row.parent_id.map(kernel::Id::uuid),
            ..MenuSubject::row(
                MenuSubjectKind::Category,
                row.id.uuid(),
                &row.name,
                row.name_sec_lang.as_deref(),
            )
        }
    }

    pub(crate) fn product(&self, row: &ProductRow) -> MenuSubject {
        MenuSubject {
            product_category_id: Some(row.product_category_id.uuid()),
            ..MenuSubject::row(
                MenuSubjectKind::Product,
                row.id.uuid(),
                &row.name,
                row.name_sec_lang.as_deref(),
            )
        }
    }

    /// A size under the name under which it is ordered.
    pub(crate) fn size(&self, row: &SubproductRow) -> MenuSubject {
        let product = self.products.get(&row.product_id.uuid());
        let alone = self.sizes_of.get(&row.product_id.uuid()).is_some_and(|sizes| sizes.len() == 1);
        let (name, name_sec_lang) = ordered_name(
            product.map_or(("", None), |product| (&product.name, product.name_sec_lang.as_deref())),
            (&row.name, row.name_sec_lang.as_deref()),
            alone,
        );
        MenuSubject {
            product_category_id: product.map(|product| product.product_category_id.uuid()),
            product_id: Some(row.product_id.uuid()),
            ..MenuSubject::row(MenuSubjectKind::Subproduct, row.id.uuid(), &name, name_sec_lang.as_deref())
        }
    }

    /// A size by its id, also one that is archived; none for one that nobody knows.
    pub(crate) fn size_by_id(&self, id: Uuid) -> Option<MenuSubject> {
        match (self.subproducts.get(&id), self.gone.get(&id)) {
            (Some(row), _) if self.levels(row).is_some() => Some(self.size(row)),
            // An archived one has no editor.
            (_, Some(gone)) => {
                let (name, name_sec_lang) = gone.ordered();
                let subject =
                    MenuSubject::row(MenuSubjectKind::Subproduct, id, &name, name_sec_lang.as_deref());
                Some(subject)
            }
            _ => None,
        }
    }

    pub(crate) fn group(&self, row: &group::Model) -> MenuSubject {
        MenuSubject::row(MenuSubjectKind::OptionGroup, row.id.uuid(), &row.name, row.name_sec_lang.as_deref())
    }

    pub(crate) fn option(&self, row: &OptionRow) -> MenuSubject {
        MenuSubject {
            option_group_id: Some(row.option_group_id.uuid()),
            ..MenuSubject::row(
                MenuSubjectKind::Option,
                row.id.uuid(),
                &row.name,
                row.name_sec_lang.as_deref(),
            )
        }
    }
}
