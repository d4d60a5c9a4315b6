//! The form of an export: all faults at once.

use access::prelude::*;
use chrono::{DateTime, Months, Utc};
use chrono_tz::Tz;
use kernel::Email;
use poem::{Request, RequestBody, error::ReadBodyError};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
    types::Type,
};
use sea_orm::{ColIdx, DbErr, QueryResult, TryGetError, TryGetable};

const FORM: &str = "application/x-www-form-urlencoded";
const LARGEST: usize = 10_000;
/// The longest range of anybody but super admins.
const LONGEST: Months = Months::new(12);

/// What an export holds. The names are published: clients send them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
#[allow(clippy::enum_variant_names, reason = "the values are published")]
pub(crate) enum ExportType {
    /// Customers: with `all_customers` everybody whom the restaurant knows, else those who ordered in the
    /// range,
    /// with their orders of that time.
    ShadowCustomerExport,
    /// One row for each order.
    OrderExport,
    /// One row for each item of each order.
    OrderItemExport,
    /// What a filter of previous orders finds: one row for each order and each partial storno.
    OrderListExport,
}

impl ExportType {
    pub(crate) const ALL: [Self; 4] =
        [Self::ShadowCustomerExport, Self::OrderExport, Self::OrderItemExport, Self::OrderListExport];

    pub(crate) const fn key(self) -> &'static str {
        self.into_str()
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == text)
    }

    pub(crate) const fn permission(self) -> &'static str {
        if matches!(self, Self::ShadowCustomerExport) { "customer_export" } else { "order_export" }
    }
}

// Derived rows read a kind from its name; an unknown one is an error.
impl TryGetable for ExportType {
    fn try_get_by<I: ColIdx>(row: &QueryResult, column: I) -> Result<Self, TryGetError> {
        let text = String::try_get_by(row, column)?;
        Self::parse(&text).ok_or_else(|| DbErr::Type(format!("{text} is no export")).into())
    }
}

/// Which instant of an order lies in the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum ExportFilterType {
    /// When it was ordered.
    CreatedAt,
    /// When it is wanted.
    ExpectedAt,
}

impl ExportFilterType {
    pub(crate) const fn key(self) -> &'static str {
        if matches!(self, Self::CreatedAt) { "created_at" } else { "expected_at" }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::CreatedAt, Self::ExpectedAt].into_iter().find(|kind| kind.key() == text)
    }
}

/// What an export of a range holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
#[allow(clippy::enum_variant_names, dead_code, reason = "the values are published; the form is read as text")]
enum RangeExportType {
    /// As in `ExportType`.
    ShadowCustomerExport,
    OrderExport,
    OrderItemExport,
}

fn of_range(text: &str) -> Option<ExportType> {
    ExportType::parse(text).filter(|kind| *kind != ExportType::OrderListExport)
}

/// An export that somebody orders.
#[derive(Debug, Object)]
#[allow(dead_code, reason = "the schema of the form; its fields are read one by one")]
struct NewExportRequest {
    /// To whom the link is sent.
    export_email: Email,
    export_type: RangeExportType,
    filter_type: ExportFilterType,
    /// Not needed with `all_customers`.
    from: Option<Timestamp>,
    /// At most 12 months after `from`, except for super admins. Not needed with `all_customers`.
    till: Option<Timestamp>,
    /// Every customer of the restaurant; for customers only, the range is ignored then.
    all_customers: Option<bool>,
}

/// The fields of the form as they were sent.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    pairs: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ordered {
    pub email: String,
    pub kind: ExportType,
    pub filter: ExportFilterType,
    /// None: everything.
    pub range: Option<(DateTime<Utc>, DateTime<Utc>)>,
}

impl<'a> ApiExtractor<'a> for Sent {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        NewExportRequest::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType { content_type: FORM, schema: NewExportRequest::schema_ref() }];
        Some(MetaRequest { description: None, content, required: true })
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        if !request.content_type().is_some_and(|kind| kind.starts_with(FORM)) {
            return Err(Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
                .detail("send application/x-www-form-urlencoded")
                .into());
        }
        let body = body.take().map_err(|_| Problem::new(Code::BAD_REQUEST))?;
        let bytes = body.into_bytes_limit(LARGEST).await.map_err(|error| match error {
            ReadBodyError::PayloadTooLarge => Problem::new(Code::TOO_LARGE),
            _ => Problem::new(Code::BAD_REQUEST),
        })?;
        Ok(Self { pairs: form_urlencoded::parse(&bytes).into_owned().collect() })
    }
}

impl Sent {
    fn get(&self, key: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    }

    fn one<T>(
        &self, problem: &mut Problem, key: &'static str, fault: Fault, parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let found = self.get(key);
        let parsed = found.and_then(parse);
        if parsed.is_none() {
            *problem = problem.clone().key(key, if found.is_none() { Fault::Required } else { fault });
        }
        parsed
    }

    /// What is ordered. `zone` is the restaurant's: twelve months are counted in whole days of its calendar.
    /// Errors: `EXPORT_REQUEST_MISSING_PARAM` with every key at fault.
    pub(crate) fn checked(&self, super_admin: bool, zone: Tz) -> Result<Ordered> {
        let mut problem = Problem::new(Code::EXPORT_REQUEST_MISSING_PARAM);
        let email = self.one(&mut problem, "export_email", Fault::Pattern, Email::parse);
        let kind = self.one(&mut problem, "export_type", Fault::Enum, of_range);
        let filter = self.one(&mut problem, "filter_type", Fault::Enum, ExportFilterType::parse);
        let all = kind == Some(ExportType::ShadowCustomerExport)
            && matches!(self.get("all_customers"), Some("true" | "1"));
        let mut range = None;
        if !all {
            let instant = |text: &str| DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc());
            let from = self.one(&mut problem, "from", Fault::Type, instant);
            let till = self.one(&mut problem, "till", Fault::Type, instant);
            range = from.zip(till);
            let day = |at: DateTime<Utc>| at.with_timezone(&zone).date_naive();
            if let Some((from, till)) = range {
                if from > till {
                    problem = problem.key("till", Fault::Min);
                } else if !super_admin
                    && day(from).checked_add_months(LONGEST).is_some_and(|end| day(till) > end)
                {
                    problem = problem.detail("the range is longer than 12 months").key("till", Fault::Max);
                }
            }
        }
        problem.if_any()?;
        match (email, kind, filter) {
            (Some(email), Some(kind), Some(filter)) => {
                Ok(Ordered { email: email.lowercase(), kind, filter, range })
            }
            _ => Err(Code::EXPORT_REQUEST_MISSING_PARAM.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str) -> Sent {
        Sent { pairs: form_urlencoded::parse(text.as_bytes()).into_owned().collect() }
    }

    fn keys(text: &str, super_admin: bool) -> Vec<String> {
        match sent(text).checked(super_admin, chrono_tz::Europe::Budapest) {
            Ok(_) => vec![],
            Err(problem) => {
                let faults = problem.body()["faults"].as_array().unwrap().clone();
                faults
                    .iter()
                    .map(|fault| {
                        format!("{}:{}", fault["key"].as_str().unwrap(), fault["fault"].as_str().unwrap())
                    })
                    .collect()
            }
        }
    }

    #[test]
    fn every_rule_has_its_fault() {
        let year = "export_email=a@b.hu&export_type=order_export&filter_type=created_at&from=2026-01-01T00:00:00Z&till=2027-01-01T00:00:00Z";
        let cases = [
            (
                "",
                vec![
                    "export_email:required", "export_type:required", "filter_type:required", "from:required",
                    "till:required",
                ],
            ),
            (year, vec![]),
            (
                "export_email=ab.hu&export_type=order_list_export&filter_type=y&from=z&till=1",
                vec![
                    "export_email:pattern", "export_type:enum", "filter_type:enum", "from:type", "till:type",
                ],
            ),
            (
                "export_type=shadow_customer_export&filter_type=created_at&all_customers=true&export_email=a@b.hu",
                vec![],
            ),
            (
                "export_type=order_export&filter_type=created_at&all_customers=true&export_email=a@b.hu",
                vec!["from:required", "till:required"],
            ),
        ];
        for (text, faults) in cases {
            assert_eq!(keys(text, false), faults, "{text}");
        }
        let range = |from: &str, till: &str| {
            format!(
                "export_email=a@b.hu&export_type=order_item_export&filter_type=expected_at&from={from}&till={till}"
            )
        };
        assert_eq!(keys(&range("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"), true), ["till:min"]);
        let long = range("2024-02-29T00:00:00%2B01:00", "2025-03-01T00:00:00Z");
        assert_eq!((keys(&long, false), keys(&long, true)), (vec!["till:max".to_owned()], vec![]));
        // From a day until the end of the same one a year later, as the screen sends it; in winter clocks are
        // an hour behind.
        let year = |till: &str| keys(&range("2025-10-25T22:00:00Z", till), false);
        assert_eq!(
            (year("2026-10-26T22:59:59.999Z"), year("2026-10-26T23:00:00Z")),
            (vec![], vec!["till:max".to_owned()])
        );
    }

    #[test]
    fn addresses_are_looked_at() {
        for (text, right) in [
            ("a@b.hu", true),
            ("A.B@C.D.hu", true),
            ("a b@c.hu", false),
            ("a@b", false),
            ("a@b@c.hu", false),
            ("a@b.hu,c@d.hu", false),
            ("a@b.hu\r\nBcc:x", false),
        ] {
            assert_eq!(Email::parse(text).is_some(), right, "{text}");
        }
    }
}
