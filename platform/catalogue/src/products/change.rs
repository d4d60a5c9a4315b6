//! Applies a change of a product to its row.

use access::prelude::*;

use super::{
    product,
    product::ActiveModel,
    subproduct::Model,
    types::{ProductChange, SubproductRow},
};
use crate::{reference::ReferenceData, text};

impl ProductChange {
    /// The sub-products as they were sent; those that exist, unchanged, when none were.
    pub(super) fn sent_subproducts(&mut self, existing: &[Model]) -> Vec<SubproductRow> {
        let unchanged = |row: &Model| SubproductRow { id: Some(row.id), ..SubproductRow::absent() };
        self.subproducts.take().unwrap_or_else(|| existing.iter().map(unchanged).collect())
    }

    /// What is wrong with what it refers to.
    pub(super) async fn check(
        &self, tx: &TenantTx, restaurant: Id<Restaurant>, known: &ReferenceData, before: &product::Model,
    ) -> Result<Problem> {
        let problem = known.inheritable_change(Problem::new(Code::VALIDATION_FAILED), "", &self.own);
        let problem = known.color(problem, self.pos_color_id.value().copied());
        let problem =
            known.ntak(problem, "", self.ntak_category_id.value().copied(), before.ntak_category_id);
        let image = self.image_id.value().copied();
        Ok(problem.keys(media::missing(tx, restaurant, "image_id", image).await?))
    }

    /// Sets the columns that were sent, texts without outer blanks; names the faults of texts.
    pub(super) fn apply(self, problem: Problem, row: &mut ActiveModel) -> Problem {
        let Self {
            name,
            name_sec_lang,
            description,
            description_sec_lang,
            active,
            own,
            available_from,
            available_to,
            expected_at,
            ntak_category_id,
            ntak_quantity_unit,
            pos_color_id,
            ean_code,
            ids: _,
            image_id,
            base_price: _,
            subproducts: _,
            version: _,
        } = self;
        let (problem, name) = text::name(problem, "name", name);
        let [name_sec_lang, description, description_sec_lang, ean_code] =
            [name_sec_lang, description, description_sec_lang, ean_code].map(text::change);
        access::apply!(row: name, name_sec_lang, description, description_sec_lang, active, available_from);
        access::apply!(row: available_to, expected_at, ntak_category_id, ntak_quantity_unit, pos_color_id, ean_code);
        access::apply!(row: image_id);
        row.apply_inheritable(own);
        problem
    }
}
