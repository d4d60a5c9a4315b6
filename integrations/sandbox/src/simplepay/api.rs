//! The four calls: `start`, `query`, `refund`, `finish`. A refusal is a code.

use chrono::DateTime;
use serde_json::{Map, Value, json};
use url::Url;

use super::{Account, Refund, SimplePay, State, Transaction, iso, random};

type Fields = Map<String, Value>;

fn text<'a>(body: &'a Fields, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The members that every request has.
fn frame(body: &Fields) -> Result<(), u32> {
    if !(32..=64).contains(&text(body, "salt").len()) {
        return Err(5401);
    }
    if text(body, "sdkVersion").is_empty() { Err(5320) } else { Ok(()) }
}

fn currency(account: &Account, body: &Fields) -> Result<(), u32> {
    match text(body, "currency") {
        one if one == account.currency => Ok(()),
        "HUF" | "EUR" | "USD" => Err(5307),
        _ => Err(5223),
    }
}

/// `url` is one address; several stand in `urls`.
fn address(body: &Fields) -> Result<&str, u32> {
    let one = match (body.get("url"), body.get("urls")) {
        (Some(Value::String(one)), None) => one.as_str(),
        (None, Some(Value::Object(several))) => {
            several.get("success").and_then(Value::as_str).ok_or(5325_u32)?
        }
        (None, None) => return Err(5325),
        _ => return Err(5321),
    };
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    Url::parse(one).ok().filter(is_web).map(|_| one).ok_or(5325)
}

fn invoice(body: &Fields) -> Result<(), u32> {
    let Some(invoice) = body.get("invoice") else { return Ok(()) };
    let invoice = invoice.as_object().ok_or(5321_u32)?;
    let needed = [("city", 5310), ("zip", 5311), ("address", 5312), ("country", 5322)];
    if text(invoice, "name").is_empty() && text(invoice, "company").is_empty() {
        return Err(5309);
    }
    needed.iter().find(|(name, _)| text(invoice, name).is_empty()).map_or(Ok(()), |(_, code)| Err(*code))
}

impl SimplePay {
    /// The answer, and the account whose key signs it.
    pub(super) fn api(
        &self, action: &str, signature: &str, raw: &[u8], scripted: Option<u32>,
    ) -> (Value, Option<&'static Account>) {
        let refused =
            |code: u32, body: &Fields| json!({"errorCodes": [code], "merchant": text(body, "merchant")});
        let Ok(Value::Object(body)) = serde_json::from_slice(raw) else {
            return (refused(5321, &Fields::new()), None);
        };
        let merchant = text(&body, "merchant");
        if merchant.is_empty() {
            return (refused(5201, &body), None);
        }
        // No key is known, so nothing can be signed.
        let Some(account) = Account::of(merchant) else { return (refused(5010, &body), None) };
        let mut state = self.state();
        state.last = Value::Object(body.clone());
        state.sweep();
        let done = if account.is_signed(raw, signature) { frame(&body) } else { Err(5302) };
        let done = match (done, scripted) {
            (Err(code), _) => Err(code),
            // Inside, it timed out after the work.
            (Ok(()), Some(code @ (5304 | 2019))) => {
                self.work(&mut state, account, action, &body).and(Err(code))
            }
            (Ok(()), Some(code)) => Err(code),
            (Ok(()), None) => self.work(&mut state, account, action, &body),
        };
        let answer = match done {
            Ok(mut fields) => {
                fields.insert("salt".to_owned(), random(16).into());
                fields.insert("merchant".to_owned(), account.merchant.into());
                Value::Object(fields)
            }
            Err(code) => refused(code, &body),
        };
        (answer, Some(account))
    }

    fn work(
        &self, state: &mut State, account: &'static Account, action: &str, body: &Fields,
    ) -> Result<Fields, u32> {
        let done = match action {
            "start" => self.start(state, account, body)?,
            "query" => query(state, account, body)?,
            "refund" => refund(state, account, body)?,
            "finish" => finish(state, account, body)?,
            _ => return Err(5000),
        };
        match done {
            Value::Object(fields) => Ok(fields),
            _ => Err(5000),
        }
    }

    fn start(&self, state: &mut State, account: &'static Account, body: &Fields) -> Result<Value, u32> {
        let order_ref = text(body, "orderRef");
        if order_ref.is_empty() {
            return Err(5213);
        }
        currency(account, body)?;
        if !text(body, "customerEmail").contains('@') {
            return Err(5219);
        }
        let language = text(body, "language");
        if !["HU", "EN", "DE", "RO", "SK", "IT", "ES", "PL", "CZ", "HR"].contains(&language) {
            return Err(5220);
        }
        if body.get("methods") != Some(&json!(["CARD"])) {
            return Err(5050);
        }
        let total = body.get("total").and_then(|total| account.read(total)).filter(|total| *total > 0);
        let total = total.ok_or(5065_u32)?;
        let ends = chrono::DateTime::parse_from_rfc3339(text(body, "timeout")).map_err(|_| 5094_u32)?;
        let ends = u64::try_from(ends.timestamp()).unwrap_or(0);
        if ends <= state.now() {
            return Err(5224);
        }
        let url = address(body)?.to_owned();
        invoice(body)?;
        let two_step = match body.get("twoStep") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) if account.szep => return Err(5308),
            Some(Value::Bool(true)) => true,
            Some(_) => return Err(5321),
        };
        if state
            .transactions
            .iter()
            .any(|one| one.order_ref == order_ref && one.account.merchant == account.merchant)
        {
            return Err(5013);
        }
        let (id, token, begun) = (state.id(), random(24), state.now());
        let page = format!("{}/pay/{token}", self.base);
        state.transactions.push(Transaction {
            id,
            token,
            account,
            order_ref: order_ref.to_owned(),
            total,
            taken: 0,
            status: "INIT".to_owned(),
            code: 0,
            two_step,
            hungarian: language == "HU",
            is_slow: false,
            url,
            begun,
            ends,
            finished: None,
            refunds: Vec::new(),
        });
        Ok(json!({"orderRef": order_ref, "currency": account.currency, "transactionId": account.id(id),
            "timeout": iso(ends), "total": account.number(total), "paymentUrl": page}))
    }
}

/// At most 50 ids; a number counts as its digits.
fn ids(body: &Fields, name: &str, too_many: u32) -> Result<Vec<String>, u32> {
    let Some(list) = body.get(name) else { return Ok(Vec::new()) };
    let list = list.as_array().ok_or(5321_u32)?;
    if list.len() > 50 {
        return Err(too_many);
    }
    let id = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    Ok(list.iter().map(id).collect())
}

fn query(state: &State, account: &Account, body: &Fields) -> Result<Value, u32> {
    let order_refs = ids(body, "orderRefs", 5327)?;
    let transactions = ids(body, "transactionIds", 5328)?;
    let moment = |name: &str| DateTime::parse_from_rfc3339(text(body, name)).ok().map(|at| at.timestamp());
    let times = moment("from").zip(moment("until"));
    if order_refs.is_empty() && transactions.is_empty() && times.is_none() {
        return Err(5339);
    }
    let is_in = |begun: u64| {
        let begun = i64::try_from(begun).unwrap_or(i64::MAX);
        times.is_some_and(|(from, until)| (from..=until).contains(&begun))
    };
    let asked = |name: &str| body.get(name) == Some(&Value::Bool(true));
    let found: Vec<Value> = state
        .transactions
        .iter()
        .filter(|one| one.account.merchant == account.merchant)
        .filter(|one| {
            let named = order_refs.contains(&one.order_ref) || transactions.contains(&one.id.to_string());
            named || is_in(one.begun)
        })
        .map(|one| described(one, asked("detailed"), asked("refunds")))
        .collect();
    // Without a match the list is empty at some accounts, and not there at others.
    if found.is_empty() && account.currency != "HUF" {
        return Ok(json!({"totalCount": 0}));
    }
    Ok(json!({"totalCount": found.len(), "transactions": found}))
}

fn described(one: &Transaction, detailed: bool, refunds: bool) -> Value {
    let account = one.account;
    let mut said = json!({"merchant": account.merchant, "orderRef": one.order_ref, "currency": account.currency,
        "currencyEnum": account.currency, "language": if one.hungarian { "HU" } else { "EN" },
        "twoStep": one.two_step, "total": account.number(one.total), "shippingCost": 0, "discount": 0,
        "transactionId": account.id(one.id), "status": one.status, "method": "CARD",
        "remainingTotal": account.number(one.remaining()), "paymentDate": iso(one.begun)});
    let is_paid = one.finished.is_some() || one.status == "AUTHORIZED";
    if detailed {
        if let Some(finished) = one.finished {
            said["finishDate"] = iso(finished).into();
        }
        if is_paid {
            said["cardMask"] = "444444******0004".into();
        }
        let code = if one.code == 0 { "OK".to_owned() } else { one.code.to_string() };
        said["resultCode"] = code.into();
    }
    if refunds {
        let rows = one.refunds.iter().map(|refund| {
            json!({"transactionId": account.id(refund.id), "refundTotal": account.number(refund.amount),
                "status": if refund.bounced { "FAILED" } else { "FINISHED" }})
        });
        said["refunds"] = rows.collect();
    }
    said
}

/// The payment that `orderRef` or `transactionId` names.
fn named<'a>(state: &'a mut State, account: &Account, body: &Fields) -> Result<&'a mut Transaction, u32> {
    let id = body.get("transactionId").map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    let order_ref = body.get("orderRef").and_then(Value::as_str);
    if id.is_none() && order_ref.is_none() {
        return Err(5111);
    }
    let mut all = state.transactions.iter_mut().filter(|one| one.account.merchant == account.merchant);
    all.find(|one| {
        id.as_ref().is_none_or(|id| *id == one.id.to_string())
            && order_ref.is_none_or(|order_ref| order_ref == one.order_ref)
    })
    .ok_or(5011)
}

fn refund(state: &mut State, account: &Account, body: &Fields) -> Result<Value, u32> {
    let (id, is_refused) = (state.id(), std::mem::take(&mut state.refuse_refund));
    currency(account, body)?;
    let one = named(state, account, body)?;
    let amount = body.get("refundTotal").and_then(|total| account.read(total)).filter(|total| *total > 0);
    let amount = amount.ok_or(5106_u32)?;
    if is_refused {
        return Err(5229);
    }
    one.give_back(id, amount)?;
    Ok(json!({"orderRef": one.order_ref, "currency": account.currency, "transactionId": account.id(one.id),
        "refundTransactionId": account.id(id), "refundTotal": account.number(amount),
        "remainingTotal": account.number(one.remaining())}))
}

impl Transaction {
    pub(super) fn give_back(&mut self, id: u64, amount: i64) -> Result<(), u32> {
        match self.status.as_str() {
            "FINISHED" if amount <= self.remaining() => {}
            "FINISHED" | "REFUND" => return Err(5110),
            _ => return Err(5022),
        }
        self.refunds.push(Refund { id, amount, bounced: false });
        if self.remaining() == 0 {
            "REFUND".clone_into(&mut self.status);
        }
        Ok(())
    }
}

fn finish(state: &mut State, account: &Account, body: &Fields) -> Result<Value, u32> {
    currency(account, body)?;
    let one = named(state, account, body)?;
    let amount = |name: &str| body.get(name).and_then(|total| account.read(total));
    if amount("originalTotal") != Some(one.total) {
        return Err(5020);
    }
    let approved = amount("approveTotal").filter(|approved| *approved <= one.total).ok_or(5323_u32)?;
    match one.status.as_str() {
        "AUTHORIZED" => {}
        "FINISHED" | "REFUND" => return Err(5021),
        _ => return Err(5022),
    }
    one.taken = approved;
    let (id, order_ref) = (one.id, one.order_ref.clone());
    state.set(id, if approved == 0 { "REVERSED" } else { "FINISHED" }, 0);
    Ok(json!({"orderRef": order_ref, "currency": account.currency, "transactionId": account.id(id),
        "approveTotal": account.number(approved)}))
}
