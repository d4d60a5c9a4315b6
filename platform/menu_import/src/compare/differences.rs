//! Which fields have another value, as readable text.

use catalogue::bulk::{ProductRow, SubproductRow};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Comparison, Field, MenuImportDifference, categories::Vats};

impl Comparison<'_> {
    fn percent(&self, vat: Uuid) -> Option<String> {
        self.menu.percents.get(&vat).map(|percent| format!("{percent}%"))
    }

    pub(super) fn product_differences(
        &self, old: &ProductRow, new: &ProductRow, inherited: Vats,
    ) -> Vec<MenuImportDifference> {
        let text = |value: &Option<String>| value.clone();
        let mut found = Vec::new();
        differ(&mut found, Field::Name, Some(old.name.clone()), Some(new.name.clone()));
        differ(&mut found, Field::NameSecLang, text(&old.name_sec_lang), text(&new.name_sec_lang));
        differ(&mut found, Field::Description, text(&old.description), text(&new.description));
        differ(
            &mut found,
            Field::DescriptionSecLang,
            text(&old.description_sec_lang),
            text(&new.description_sec_lang),
        );
        differ(&mut found, Field::EanCode, text(&old.ean_code), text(&new.ean_code));
        differ(&mut found, Field::Active, Some(old.active.to_string()), Some(new.active.to_string()));
        let vat = |own: Option<Uuid>, above| self.percent(own.unwrap_or(above));
        differ(&mut found, Field::Vat, vat(old.vat_id, inherited.vat), vat(new.vat_id, inherited.vat));
        differ(
            &mut found,
            Field::SitInVat,
            self.percent(inherited.sit_in_of(old.vat_id, old.sit_in_vat_id)),
            self.percent(inherited.sit_in_of(new.vat_id, new.sit_in_vat_id)),
        );
        found
    }

    pub(super) fn subproduct_differences(
        &self, old: &SubproductRow, new: &SubproductRow, inherited: Vats, from_product: Vats,
        product: &ProductRow,
    ) -> Vec<MenuImportDifference> {
        let mut found = Vec::new();
        differ(&mut found, Field::Price, price(old.price), price(new.price));
        differ(&mut found, Field::EanCode, old.ean_code.clone(), new.ean_code.clone());
        differ(&mut found, Field::Active, Some(old.active.to_string()), Some(new.active.to_string()));
        differ(
            &mut found,
            Field::Allergens,
            self.allergens(&old.allergenic_ids),
            self.allergens(&new.allergenic_ids),
        );
        differ(
            &mut found,
            Field::OptionGroups,
            self.group_names(&old.option_group_ids),
            self.group_names(&new.option_group_ids),
        );
        let pieces = |row: &SubproductRow| row.deposit_pieces.map(|pieces| pieces.to_string());
        differ(&mut found, Field::DepositPieces, pieces(old), pieces(new));
        let parts = |row: &SubproductRow| self.part_names(&row.component_ids, &row.component_pieces);
        differ(&mut found, Field::Components, parts(old), parts(new));
        // Changes of the product are not repeated for its sizes.
        if old.vat_id != new.vat_id {
            let was = old.vat_id.or(product.vat_id).unwrap_or(inherited.vat);
            differ(
                &mut found,
                Field::Vat,
                self.percent(was),
                self.percent(new.vat_id.unwrap_or(from_product.vat)),
            );
        }
        if old.sit_in_vat_id != new.sit_in_vat_id {
            let was = inherited
                .sit_in_of(old.vat_id.or(product.vat_id), old.sit_in_vat_id.or(product.sit_in_vat_id));
            differ(
                &mut found,
                Field::SitInVat,
                self.percent(was),
                self.percent(from_product.sit_in_of(new.vat_id, new.sit_in_vat_id)),
            );
        }
        found
    }

    /// Names of allergens in the order of the alphabet; none where there are none.
    pub(super) fn allergens(&self, ids: &[Uuid]) -> Option<String> {
        let mut names: Vec<&str> =
            ids.iter().filter_map(|id| self.menu.allergens.get(id).map(|one| one.name.as_str())).collect();
        names.sort_unstable();
        Some(names.join(", ")).filter(|names| !names.is_empty())
    }

    /// Names of option groups in their order; none where there are none.
    fn group_names(&self, ids: &[Uuid]) -> Option<String> {
        let new = |id: &Uuid| self.plan.new_option_groups.iter().find(|row| row.id == *id);
        let names: Vec<&str> = ids
            .iter()
            .filter_map(|id| self.menu.option_groups.get(id).or_else(|| new(id)).map(|row| row.name.as_str()))
            .collect();
        Some(names.join(", ")).filter(|names| !names.is_empty())
    }
}

pub(super) fn price(price: Decimal) -> Option<String> {
    Some(price.normalize().to_string())
}

pub(super) fn differ(
    found: &mut Vec<MenuImportDifference>, field: Field, before: Option<String>, after: Option<String>,
) {
    if before != after {
        found.push(MenuImportDifference { field, before, after });
    }
}
