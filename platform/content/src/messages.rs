//! The common part of announcements and release infos: their texts and their readers.

use access::{SignedIn, prelude::*};

/// A text without blanks around it; one that has nothing else is noted under its key.
pub(crate) fn written(faults: &mut Vec<(String, Fault)>, key: impl Into<String>, text: String) -> String {
    let text = text.trim().to_owned();
    if text.is_empty() {
        faults.push((key.into(), Fault::Required));
    }
    text
}

/// Marks a message as read by the caller; repeating changes nothing. The statement says whether there is one.
pub(crate) async fn confirm<T: Resource>(caller: &SignedIn, sql: &'static str, id: Id<T>) -> Result<Done> {
    let values = [caller.session.into(), caller.account.into(), id.into()];
    if caller.app.door.value(sql, values).await?.unwrap_or_default() {
        Ok(Done)
    } else {
        Err(Problem::not_exist::<T>())
    }
}
