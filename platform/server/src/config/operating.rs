//! What concerns whoever runs the service: which release it is, which chart started it, who collects its traces.

use url::Url;

use super::{ConfigError, get, optional_address, parsed};

pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Number of the contract between chart and image. It grows when one of them needs the other to be newer.
pub const CHART: &str = include_str!("../../chart-contract").trim_ascii();

/// `PULT_CHART`: the number of the contract of the chart that started this, when one did.
pub fn chart() -> Result<(), ConfigError> {
    let Some(theirs) = get("PULT_CHART") else { return Ok(()) };
    let theirs: u32 = parsed("PULT_CHART", &theirs, "a number")?;
    let ours: u32 = parsed("the contract of this image", CHART, "a number")?;
    let older = match theirs.cmp(&ours) {
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Less => "the chart is older than the image: upgrade the chart",
        std::cmp::Ordering::Greater => "the image is older than the chart: choose a newer image",
    };
    Err(ConfigError(format!("PULT_CHART is {theirs}, and this image ({VERSION}) needs {ours}; {older}")))
}

/// `OTEL_EXPORTER_OTLP_ENDPOINT`: the collector of traces, by http; without it none are sent.
pub fn trace_endpoint() -> Result<Option<Url>, String> {
    optional_address("OTEL_EXPORTER_OTLP_ENDPOINT").map_err(|error| error.0)
}

/// `OTEL_TRACES_SAMPLER_ARG`: the part of all traces that is recorded, 0 to 1.
pub fn trace_ratio() -> Result<Option<f64>, String> {
    let Some(value) = get("OTEL_TRACES_SAMPLER_ARG") else { return Ok(None) };
    let ratio = value.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.map(Some).ok_or_else(|| "OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1".to_owned())
}
