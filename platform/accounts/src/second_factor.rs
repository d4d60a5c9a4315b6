//! The second factor: codes of an authenticator app (TOTP, RFC 6238) and recovery codes.

use kernel::{Account, Body, Code, Fault, Id, Problem, Result, clock, request};
use poem_openapi::{Object, OpenApi, param::Path, payload::Json};
use rand::RngCore;
use totp_rs::{Algorithm, Secret, TOTP};

use crate::profile::Own;
use access::{
    answers::{Done, Tag},
    app::App,
    attempts::take_attempt,
    credential::digest,
    people::{Platform, SignedIn},
    sealed,
    secrets::{Secrets, derive},
};

pub(crate) struct SecondFactor;

/// Seconds of one step.
const STEP: u64 = 30;
/// Recovery codes made at once, each of 80 random bits.
const RECOVERY_CODES: usize = 10;

/// What an authenticator app needs.
#[derive(Debug, Object)]
struct SecondFactorSecret {
    /// The secret in base32, for typing.
    secret: String,
    /// The same as an `otpauth` address, for a picture to be scanned.
    uri: String,
}

#[derive(Debug, Object)]
struct SecondFactorCode {
    /// Six digits of the app, or a recovery code.
    #[oai(validator(min_length = 1, max_length = 30))]
    code: String,
}

#[derive(Debug, Object)]
struct SecondFactorBegin {
    /// A code of the second factor that is on already; needed only then.
    #[oai(validator(max_length = 30))]
    code: Option<String>,
}

/// Shown once.
#[derive(Debug, Object)]
struct RecoveryCodes {
    /// Each signs in once instead of a code of the app.
    recovery_codes: Vec<String>,
}

fn totp(secret: Vec<u8>) -> Result<TOTP> {
    TOTP::new(Algorithm::SHA1, 6, 1, STEP, secret).map_err(|_| Code::UNKNOWN_ERROR.into())
}

/// The step this code belongs to: the present one, or one before or after it.
fn step_of(totp: &TOTP, code: &str) -> Option<i64> {
    let now = u64::try_from(clock::now().timestamp()).ok()? / STEP;
    let code = digest(code);
    let found = [now, now.saturating_sub(1), now + 1]
        .into_iter()
        .find(|step| digest(&totp.generate(step * STEP)) == code);
    found.and_then(|step| i64::try_from(step).ok())
}

/// What is kept of a recovery code: keyed, so that a copy of the database cannot be searched for it.
fn recovery_hash(secret: &[u8], account: Id<Account>, code: &str) -> Vec<u8> {
    let plain: String =
        code.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_uppercase()).collect();
    derive(&derive(secret, "recovery code 1"), &format!("{account} {plain}")).to_vec()
}

fn invalid() -> Problem {
    Problem::new(Code::SECOND_FACTOR_INVALID).key("code", Fault::Invalid)
}

/// Takes a code of the app or a recovery code; each counts once. Attempts are the caller's business.
/// Errors: `SECOND_FACTOR_INVALID`.
pub(crate) async fn check(app: &App, account: Id<Account>, secret: &[u8], code: &str) -> Result<()> {
    let code = code.trim();
    let digits = code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        let id = account.to_string();
        let totp = totp(sealed::open(&app.settings.secrets, sealed::second_factor(&id), secret)?)?;
        let step = step_of(&totp, code).ok_or_else(invalid)?;
        let values = [account.uuid().into(), step.into()];
        let done = app.door.is_true("select control.use_code_step($1, $2)", values).await?;
        return if done { Ok(()) } else { Err(invalid()) };
    }
    for secret in app.settings.secrets.all() {
        let hash = recovery_hash(secret, account, code);
        let values = [account.uuid().into(), hash.into()];
        if app.door.is_true("select control.use_recovery_code($1, $2)", values).await? {
            return Ok(());
        }
    }
    Err(invalid())
}

/// Seals a secret for an account, for whoever sets one up beforehand (the demo).
/// Errors: `UNKNOWN_ERROR` when the text is not base32 or too short.
pub fn sealed_secret(secrets: &Secrets, account: Id<Account>, base32: &str) -> Result<Vec<u8>> {
    let secret =
        Secret::Encoded(base32.to_owned()).to_bytes().map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
    totp(secret.clone())?;
    sealed::seal(secrets, sealed::second_factor(&account.to_string()), &secret)
}

/// The code of a secret in base32 at this moment.
/// Errors: `UNKNOWN_ERROR` when the text is not base32 or too short.
pub fn current_code(base32: &str) -> Result<String> {
    let secret =
        Secret::Encoded(base32.to_owned()).to_bytes().map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
    Ok(totp(secret)?.generate(u64::try_from(clock::now().timestamp()).unwrap_or_default()))
}

async fn own_code(app: &App, account: Id<Account>, own: &Own, code: Option<&str>) -> Result<()> {
    let Some(secret) = &own.secret else { return Ok(()) };
    let code = code
        .filter(|code| !code.is_empty())
        .ok_or_else(|| Problem::new(Code::SECOND_FACTOR_REQUIRED).key("code", Fault::Required))?;
    let subject = format!("second_factor account {account}");
    take_attempt(app, subject.clone(), 5, 15).await?;
    check(app, account, secret, code).await?;
    app.door.call("select control.forget_attempts($1)::text", [subject.into()]).await?;
    Ok(())
}

#[OpenApi(prefix_path = "/api/v3", tag = "Tag::Session")]
impl SecondFactor {
    /// Begins to set up a second factor.
    ///
    /// The secret is shown here only. It counts once a code made with it has been sent (PUT); until then
    /// signing in is as before. Where one is on already, a code of it is needed.
    ///
    /// codes: SECOND_FACTOR_REQUIRED, SECOND_FACTOR_INVALID, USER_TYPE_NOT_EDITABLE, TOO_MANY_REQUESTS
    #[oai(path = "/admin/me/second-factor", method = "post", operation_id = "second_factor_begin")]
    async fn begin(
        &self, caller: SignedIn, body: Body<SecondFactorBegin>,
    ) -> Result<Json<SecondFactorSecret>> {
        let own = Own::changeable(&caller).await?;
        own_code(&caller.app, caller.account, &own, body.code.as_deref()).await?;
        let mut secret = vec![0_u8; 20];
        rand::rng().fill_bytes(&mut secret);
        let pending = sealed::seal(
            &caller.app.settings.secrets,
            sealed::second_factor(&caller.account.to_string()),
            &secret,
        )?;
        let values = [caller.session.into(), caller.account.uuid().into(), pending.into()];
        let done =
            caller.app.door.done("select control.begin_second_factor($1, $2, $3) done", values).await?;
        if !done {
            return Err(Code::USER_TYPE_NOT_EDITABLE.into());
        }
        let Secret::Encoded(secret) = Secret::Raw(secret).to_encoded() else {
            return Err(Code::UNKNOWN_ERROR.into());
        };
        let email: String = url::form_urlencoded::byte_serialize(own.email.as_bytes()).collect();
        let uri = format!(
            "otpauth://totp/Pult:{email}?secret={secret}&issuer=Pult&algorithm=SHA1&digits=6&period=30"
        );
        Ok(Json(SecondFactorSecret { secret, uri }))
    }

    /// Switches the second factor on with a first code.
    ///
    /// The answer holds ten recovery codes, shown here only; those of before stop working. The account's
    /// other sessions end.
    ///
    /// codes: SECOND_FACTOR_INVALID, USER_TYPE_NOT_EDITABLE, TOO_MANY_REQUESTS
    #[oai(path = "/admin/me/second-factor", method = "put", operation_id = "second_factor_confirm")]
    async fn confirm(&self, caller: SignedIn, body: Body<SecondFactorCode>) -> Result<Json<RecoveryCodes>> {
        let (app, account) = (&caller.app, caller.account);
        let own = Own::changeable(&caller).await?;
        let subject = format!("second_factor account {account}");
        take_attempt(app, subject.clone(), 5, 15).await?;
        let pending = own.pending.ok_or_else(invalid)?;
        let secret =
            sealed::open(&app.settings.secrets, sealed::second_factor(&account.to_string()), &pending)?;
        let step = step_of(&totp(secret)?, body.code.trim()).ok_or_else(invalid)?;
        let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
        let hashes: Vec<Vec<u8>> =
            codes.iter().map(|code| recovery_hash(app.settings.secrets.newest(), account, code)).collect();
        let values = [
            caller.session.into(),
            account.uuid().into(),
            pending.into(),
            step.into(),
            hashes.into(),
            request::id().into(),
        ];
        let sql = "select d.done, case when d.done then control.note_account($2, 'second_factor_confirm', \
            $2, $6)::text end \
                   from (select control.confirm_second_factor($1, $2, $3, $4, $5) done offset 0) d";
        let done = app.door.done(sql, values).await?;
        if !done {
            return Err(invalid());
        }
        app.door.call("select control.forget_attempts($1)::text", [subject.into()]).await?;
        Ok(Json(RecoveryCodes { recovery_codes: codes }))
    }

    /// Switches the second factor off.
    ///
    /// Super admins cannot be without one.
    ///
    /// codes: SECOND_FACTOR_INVALID, SECOND_FACTOR_REQUIRED, USER_TYPE_NOT_EDITABLE, TOO_MANY_REQUESTS
    #[oai(path = "/admin/me/second-factor", method = "delete", operation_id = "second_factor_delete")]
    async fn delete(&self, caller: SignedIn, body: Body<SecondFactorCode>) -> Result<Done> {
        let own = Own::changeable(&caller).await?;
        if own.super_admin {
            return Err(Code::USER_TYPE_NOT_EDITABLE.into());
        }
        own_code(&caller.app, caller.account, &own, Some(&body.code)).await?;
        let sql = "select d.done, case when d.done then control.note_account($2, 'second_factor_delete', $2, \
            $3)::text end \
                   from (select control.drop_second_factor($1, $2) done offset 0) d";
        let done = caller
            .app
            .door
            .done(sql, [caller.session.into(), caller.account.uuid().into(), request::id().into()])
            .await?;
        if done { Ok(Done) } else { Err(Code::USER_TYPE_NOT_EDITABLE.into()) }
    }

    /// Takes another account's lost second factor away.
    ///
    /// Every session of that account ends; it signs in with its password and sets up a new one. A super
    /// admin's password goes too, because it alone would be enough for that: the person gets a mail with a
    /// link to set one. Nobody does it to oneself.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(
        path = "/super-admin/accounts/:id/second-factor",
        method = "delete",
        operation_id = "second_factor_reset"
    )]
    async fn reset(&self, caller: Platform, id: Path<Id<Account>>) -> Result<Done> {
        let Platform(caller) = caller;
        if *id == caller.account {
            return Err(Code::USER_TYPE_NOT_EDITABLE.into());
        }
        let values =
            [caller.session.into(), caller.account.uuid().into(), id.uuid().into(), request::id().into()];
        let sql = "select d.done, case when d.done then control.note_account($2, 'second_factor_reset', $3, \
            $4)::text end \
                   from (select control.reset_second_factor($1, $2, $3) done offset 0) d";
        let done = caller.app.door.done(sql, values).await?;
        if done { Ok(Done) } else { Err(Code::USER_NOT_EXIST.into()) }
    }
}

/// Four groups of four letters and digits that are not taken for one another.
fn recovery_code() -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut random = [0_u8; 16];
    rand::rng().fill_bytes(&mut random);
    let letters: Vec<char> = random.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, SHA-1, cut to six digits.
        let totp = totp(b"12345678901234567890".to_vec()).unwrap();
        for (time, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
        {
            assert_eq!(totp.generate(time), code);
        }
    }

    #[test]
    fn one_step_of_a_wrong_clock_is_forgiven() {
        let totp = totp(vec![7; 20]).unwrap();
        let now = u64::try_from(clock::now().timestamp()).unwrap() / STEP * STEP;
        let taken = |time: u64| step_of(&totp, &totp.generate(time)).is_some();
        assert!(taken(now) && taken(now - STEP) && taken(now + STEP));
        assert!(!taken(now - 4 * STEP) && !taken(now + 4 * STEP));
        assert!(step_of(&totp, "").is_none() && step_of(&totp, "12345").is_none());
    }

    #[test]
    fn recovery_codes_have_eighty_random_bits() {
        let codes: std::collections::HashSet<String> = (0..1000).map(|_| recovery_code()).collect();
        assert_eq!(codes.len(), 1000);
        assert!(codes.iter().all(|code| code.len() == 19 && code.split('-').all(|group| group.len() == 4)));
    }
}
