//! Applies a change of a category to its row.

use access::prelude::*;
use kernel::{ids::Images, time::TimeRange};
use media::NewPictures;

use super::{
    entity::{ActiveModel, Model, TimeRanges},
    types::ProductCategoryChange,
};
use crate::{reference::ReferenceData, text};

/// An empty list of ranges would be "never" to some and "always" to others: it is stored as none, which is
/// always.
pub(super) fn ranges(ranges: Vec<TimeRange>) -> Option<TimeRanges> {
    (!ranges.is_empty()).then_some(TimeRanges(ranges))
}

impl ProductCategoryChange {
    fn pictures(&mut self) -> [(&'static str, &mut Clearable<Id<Images>>); 3] {
        [
            ("image_web", &mut self.image_web_id),
            ("image_app", &mut self.image_app_id),
            ("image_desc", &mut self.image_desc_id),
        ]
    }

    /// Puts the pictures that came as files in place of their ids; they are called as the category.
    pub(super) async fn take_pictures<P>(
        &mut self, scope: &In<Restaurant, P>, tx: &TenantTx, sent: &mut NewPictures, name: &str,
    ) -> Result<()> {
        let name = self.name.clone().unwrap_or_else(|| name.to_owned());
        for (file, id) in self.pictures() {
            if let Some(picture) = sent.take(scope, tx, file, &name).await? {
                *id = Clearable::Value(picture);
            }
        }
        Ok(())
    }

    /// What is wrong with what it refers to.
    pub(super) async fn check(
        &self, tx: &TenantTx, restaurant: Id<Restaurant>, known: &ReferenceData, before: &Model,
    ) -> Result<Problem> {
        let mut problem = known.inheritable_change(Problem::new(Code::VALIDATION_FAILED), "", &self.own);
        problem = known.color(problem, self.pos_color_id.value().copied());
        for (key, id) in [
            ("image_web_id", &self.image_web_id),
            ("image_app_id", &self.image_app_id),
            ("image_desc_id", &self.image_desc_id),
        ] {
            problem = problem.keys(media::missing(tx, restaurant, key, id.value().copied()).await?);
        }
        Ok(known.ntak(problem, "", self.ntak_category_id.value().copied(), before.ntak_category_id))
    }

    /// Sets the columns that were sent, texts without outer blanks; names the faults of texts.
    pub(super) fn apply(self, problem: Problem, row: &mut ActiveModel) -> Problem {
        let Self {
            parent_id,
            name,
            name_sec_lang,
            description,
            description_sec_lang,
            active,
            own,
            available_from,
            available_to,
            expected_at,
            time_ranges,
            ntak_category_id,
            ntak_quantity_unit,
            pos_color_id,
            image_web_id,
            image_app_id,
            image_desc_id,
            version: _,
        } = self;
        let (problem, name) = text::name(problem, "name", name);
        let [name_sec_lang, description, description_sec_lang] =
            [name_sec_lang, description, description_sec_lang].map(text::change);
        let time_ranges = match time_ranges {
            Clearable::Value(sent) => ranges(sent).map_or(Clearable::Null, Clearable::Value),
            Clearable::Null => Clearable::Null,
            Clearable::Undefined => Clearable::Undefined,
        };
        access::apply!(row: parent_id, name, name_sec_lang, description, description_sec_lang, active);
        access::apply!(row: available_from, available_to, expected_at, time_ranges, ntak_category_id);
        access::apply!(row: ntak_quantity_unit, pos_color_id, image_web_id, image_app_id, image_desc_id);
        row.apply_inheritable(own);
        problem
    }
}
