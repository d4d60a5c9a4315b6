//! Faults that a test scripts for a stand-in, call by call, and answers that break off or do not end.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::{
    Response, StatusCode,
    body::{Body, Bytes, Frame},
    header,
};
use serde_json::Value;

/// How late an answer is that comes too late.
pub(crate) const LATE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The connection is closed before anything is done.
    Refuse,
    /// The work is done, then the connection is closed.
    CloseAfterWork,
    /// The work is done, the answer comes 20 s later.
    Slow,
    /// This status; nothing is done.
    Status(u16),
    /// The answer ends in the middle.
    CutBody,
    /// The answer is no JSON.
    Garbage,
    /// The answer does not end.
    Endless,
    /// The work is done, the answer is signed with another key; where nothing is signed, nothing changes.
    WrongSignature,
}

impl Fault {
    /// The one that is called so; `status_503` is a status.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "refuse" => Self::Refuse,
            "close_after_work" => Self::CloseAfterWork,
            "slow" => Self::Slow,
            "cut_body" => Self::CutBody,
            "garbage" => Self::Garbage,
            "endless" => Self::Endless,
            "wrong_signature" => Self::WrongSignature,
            other => Self::Status(other.strip_prefix("status_")?.parse().ok()?),
        })
    }
}

/// An answer's body, which may break off or not end.
pub(crate) struct Reply {
    data: Option<Bytes>,
    fault: Option<Fault>,
}

impl Body for Reply {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>, _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        match (self.data.take(), self.fault) {
            (_, Some(Fault::Endless)) => Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b' '; 65_536]))))),
            (Some(data), Some(Fault::CutBody)) => {
                Poll::Ready(Some(Ok(Frame::data(data.slice(..data.len() / 2)))))
            }
            (None, Some(Fault::CutBody)) => Poll::Ready(Some(Err(std::io::Error::other("cut")))),
            (Some(data), _) => Poll::Ready(Some(Ok(Frame::data(data)))),
            (None, _) => Poll::Ready(None),
        }
    }
}

pub(crate) type Answer = Response<Reply>;

pub(crate) fn answer(status: u16, kind: &'static str, body: String) -> Answer {
    let mut response = Response::new(Reply { data: Some(Bytes::from(body)), fault: None });
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}

pub(crate) fn document(status: u16, value: &Value) -> Answer {
    answer(status, "application/json", value.to_string())
}

/// The answer to a call with a fault. `refused` makes that of a status, `work` does what is asked. None: the connection is
/// closed without an answer.
pub(crate) async fn spoiled(
    fault: Option<Fault>, refused: impl FnOnce(u16) -> Answer, work: impl FnOnce() -> Answer,
) -> Option<Answer> {
    match fault {
        Some(Fault::Refuse) => return None,
        Some(Fault::Status(status)) => {
            let mut refused = refused(status);
            if status == 429 {
                refused.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("7"));
            }
            return Some(refused);
        }
        _ => {}
    }
    let mut done = work();
    match fault {
        Some(Fault::CloseAfterWork) => return None,
        Some(Fault::Slow) => tokio::time::sleep(LATE).await,
        Some(Fault::Garbage) => done = answer(200, "text/html", "<html>502</html>".to_owned()),
        _ => {}
    }
    done.body_mut().fault = fault;
    Some(done)
}
