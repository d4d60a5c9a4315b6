//! Lists: `limit`, `page`, `count` and the total in a header. See `docs/decisions/api.md#lists`.

use poem::{IntoResponse, Request, RequestBody, Response, http::Method};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions,
    param::Query,
    payload::{Json, Payload},
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::{ToJSON, Type},
};
use serde::Serialize;

use crate::{Code, Fault, Problem};

/// How many rows a list that grows without end answers when the caller does not say.
pub const DEFAULT_LIMIT: u64 = 40;
/// The most rows one answer of such a list holds.
pub const MAX_LIMIT: u64 = 200;
/// The most rows of an unpaged list.
pub const MAX_UNPAGED: u64 = 2_000;

/// The largest `limit` that is understood; an answer holds fewer rows.
pub const LARGEST_LIMIT: u64 = 1_000_000;
/// The last page.
pub const LAST_PAGE: u64 = 1_000_000;

/// Which rows of a list the caller wants: of one that grows without end (`x-paged` in the document), or of
/// one that answers [`Unpaged`]. The export step knows them by their markers and adds the three query
/// parameters.
#[derive(Debug, Clone, Copy)]
pub struct Paging<const ENDLESS: bool = true> {
    limit: Option<u64>,
    page: u64,
    /// Whether the answer carries `X-Total-Count`.
    pub count: bool,
}

/// The query parameters that a reading call knows, by its path; none where that is not known.
#[derive(Debug, Clone, Copy)]
pub struct Filters(pub fn(&str) -> Option<&'static [String]>);

impl Filters {
    /// Refuses an unknown query parameter, because the caller would believe that it had an effect.
    /// Errors: `VALIDATION_FAILED` with its name.
    pub fn check(request: &Request) -> Result<(), Problem> {
        if *request.method() != Method::GET {
            return Ok(());
        }
        let Some(known) = request.data::<Self>().and_then(|filters| filters.0(request.uri().path())) else {
            return Ok(());
        };
        let query = form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
        // Paging of what is not paged asks for nothing else.
        let unknown = query.filter(|(key, _)| {
            !known.iter().any(|one| one == key) && !["limit", "page", "count"].contains(&key.as_ref())
        });
        unknown
            .fold(Problem::new(Code::VALIDATION_FAILED), |problem, (key, _)| problem.key(key, Fault::Unknown))
            .if_any()
    }
}

/// A query parameter that may be left out.
pub type QueryParam<T> = Query<Option<T>>;

/// Which rows of a list that answers whole, up to 2,000, unless the caller wants a page.
pub type Unpaged = Paging<false>;

impl Paging {
    /// Marker of a list that grows without end in the raw document.
    pub const ENDLESS: &'static str = "pult:paged";
    /// Marker of an unpaged list in the raw document.
    pub const UNPAGED: &'static str = "pult:whole";
}

impl<const ENDLESS: bool> Paging<ENDLESS> {
    /// The maximum number of rows: the requested limit up to 200, by default 40; 2,000 in an unpaged list.
    #[must_use]
    pub fn limit(&self) -> u64 {
        if ENDLESS {
            self.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT)
        } else {
            self.limit.unwrap_or(MAX_UNPAGED).min(MAX_UNPAGED)
        }
    }

    /// Rows to skip, with pages of `limit` rows.
    #[must_use]
    pub fn offset(&self, limit: u64) -> u64 {
        self.page.saturating_mul(limit)
    }
}

impl<'a, const ENDLESS: bool> ApiExtractor<'a> for Paging<ENDLESS> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![if ENDLESS { Paging::ENDLESS } else { Paging::UNPAGED }]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let mut paging = Self { limit: None, page: 0, count: false };
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        for (key, value) in form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes()) {
            match key.as_ref() {
                "limit" => match whole_number(&value, 1, LARGEST_LIMIT) {
                    Ok(limit) => paging.limit = Some(limit),
                    Err(fault) => problem = problem.key("limit", fault),
                },
                "page" => match whole_number(&value, 0, LAST_PAGE) {
                    Ok(page) => paging.page = page,
                    Err(fault) => problem = problem.key("page", fault),
                },
                "count" => match value.as_ref() {
                    "true" | "1" => paging.count = true,
                    "false" | "0" => paging.count = false,
                    _ => problem = problem.key("count", Fault::Type),
                },
                _ => {}
            }
        }
        problem.if_any()?;
        Ok(paging)
    }
}

fn whole_number(text: &str, min: u64, max: u64) -> Result<u64, Fault> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::Type);
    }
    let below = text.starts_with('-') && digits.bytes().any(|digit| digit != b'0');
    match digits.parse::<u64>() {
        _ if below => Err(Fault::Min),
        Ok(number) if number < min => Err(Fault::Min),
        Ok(number) if number <= max => Ok(number),
        _ => Err(Fault::Max),
    }
}

/// The answer of a list: the array, and the total when it was asked for.
#[derive(Debug)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// How many rows there are in all, when the caller asked.
    pub total: Option<u64>,
}

impl<T> Page<T> {
    #[must_use]
    pub fn unpaged(rows: Vec<T>) -> Self {
        let total = Some(rows.len() as u64);
        Self { rows, total }
    }

    /// The same page of other rows.
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Page<U> {
        Page { rows: self.rows.into_iter().map(f).collect(), total: self.total }
    }
}

impl<T: ToJSON + Send> Page<T> {
    /// Row by row: the tree of a whole page costs more to allocate than to write.
    fn respond(self, write: impl Fn(T, &mut Vec<u8>)) -> Response {
        let mut body = vec![b'['];
        let rows = self.rows.len();
        for (at, row) in self.rows.into_iter().enumerate() {
            if at > 0 {
                body.push(b',');
            }
            write(row, &mut body);
            if at == 0 {
                // The others are about as long: growing step by step would copy all of them several times.
                body.reserve(body.len().saturating_mul(rows - 1));
            }
        }
        body.push(b']');
        let mut response = Response::builder().content_type(Json::<Vec<T>>::CONTENT_TYPE).body(body);
        if let Some(total) = self.total {
            response.headers_mut().insert("X-Total-Count", total.into());
        }
        response
    }
}

impl<T: ToJSON + Send> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        // Nothing that has a tree of JSON values fails to be written.
        self.respond(|row, body| serde_json::to_writer(body, &row.to_json()).unwrap_or_default())
    }
}

impl<T: ToJSON + Type + Send> ApiResponse for Page<T> {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType {
                    content_type: Json::<Vec<T>>::CONTENT_TYPE,
                    schema: Vec::<T>::schema_ref(),
                }],
                headers: vec![],
            }],
        }
    }
    fn register(registry: &mut Registry) {
        Vec::<T>::register(registry);
    }
}

/// A [`Page`] of rows of many values: they are written as they are, without a tree of JSON values for each, which
/// costs several times as much. `Serialize` of a row has to write what its schema says; builds for tests compare.
#[derive(Debug)]
pub struct SerializedPage<T>(pub Page<T>);

impl<T: ToJSON + Serialize + Send> IntoResponse for SerializedPage<T> {
    fn into_response(self) -> Response {
        self.0.respond(|row, body| {
            debug_assert_eq!(serde_json::to_value(&row).ok(), row.to_json());
            serde_json::to_writer(body, &row).unwrap_or_default();
        })
    }
}

impl<T: ToJSON + Serialize + Type + Send> ApiResponse for SerializedPage<T> {
    fn meta() -> MetaResponses {
        Page::<T>::meta()
    }
    fn register(registry: &mut Registry) {
        Page::<T>::register(registry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_a_query_says_what_is_wrong_with_it() {
        let limit = |text| whole_number(text, 1, LARGEST_LIMIT);
        for (text, expected) in [
            ("1", Ok(1)),
            ("1000000", Ok(1_000_000)),
            ("1000001", Err(Fault::Max)),
            ("99999999999999999999999", Err(Fault::Max)),
            ("0", Err(Fault::Min)),
            ("-1", Err(Fault::Min)),
            ("", Err(Fault::Type)),
            ("null", Err(Fault::Type)),
            ("1.0", Err(Fault::Type)),
            ("٣", Err(Fault::Type)),
        ] {
            assert_eq!(limit(text), expected, "{text}");
        }
    }
}
