//! The one error table, and errors as `application/problem+json` (RFC 9457). See
//! `docs/decisions/api.md#errors`.

use std::{borrow::Cow, fmt};

use poem::{IntoResponse, Response, error::ResponseError, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    registry::{MetaResponses, Registry},
};
use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr, sqlx::error::DatabaseError};
use serde_json::{Value, json};

use crate::{Fault, Resource, request};

pub type Result<T, E = Problem> = std::result::Result<T, E>;

macro_rules! codes {
    ($($code:ident $status:literal $hu:literal $en:literal $advice:literal;)*) => {
        /// Every error code that the service can answer.
        #[allow(non_camel_case_types)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($code,)* }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The code as it stands in a problem.
            #[must_use]
            pub const fn name(self) -> &'static str { match self { $(Self::$code => stringify!($code),)* } }
            /// The HTTP status that goes with it.
            #[must_use]
            pub const fn status(self) -> u16 { match self { $(Self::$code => $status,)* } }
            /// Text for a reader of Hungarian; the interface shows the same.
            #[must_use]
            pub const fn hungarian(self) -> &'static str { match self { $(Self::$code => $hu,)* } }
            /// Text for a reader of English; the interface shows the same.
            #[must_use]
            pub const fn english(self) -> &'static str { match self { $(Self::$code => $en,)* } }
            /// Advice for developers.
            #[must_use]
            pub const fn advice(self) -> &'static str { match self { $(Self::$code => $advice,)* } }
        }
    };
}

codes! {
    BAD_REQUEST 400
        "A kérés nem értelmezhető."
        "The request cannot be understood."
        "Send well-formed JSON and parameters of the documented types.";
    IDEMPOTENCY_KEY_REQUIRED 400
        "Hiányzik az Idempotency-Key fejléc."
        "The Idempotency-Key header is missing."
        "Send a new random key with every new order, and the same key when you repeat it.";
    USER_LOGIN_REQUIRED 401
        "Jelentkezz be újra."
        "Please sign in again."
        "Sign in, or send an API key.";
    USER_WRONG_EMAIL_OR_PW 401
        "Hibás e-mail-cím vagy jelszó."
        "Wrong e-mail address or password."
        "Check both; after five failures the account pauses for a while.";
    USER_TOKEN_EXPIRED 401
        "A munkamenet lejárt. Jelentkezz be újra!"
        "The session has expired. Please sign in again."
        "Sign in again.";
    USER_INVALID_TOKEN 401
        "A link érvénytelen vagy már lejárt."
        "The link is invalid or has expired."
        "Sign in again; one-time links work once.";
    SECOND_FACTOR_REQUIRED 401
        "Add meg a kódot a hitelesítő alkalmazásból."
        "Enter the code of your authenticator app."
        "Send `code` too: six digits of the app, or a recovery code.";
    SECOND_FACTOR_INVALID 401
        "Ez a kód nem jó, vagy már felhasználtad."
        "This code is wrong, or has been used."
        "Each code works once; wait for the next one and check the clock of the device.";
    SIGN_IN_PROVIDER_REFUSED 401
        "A belépés a cég belépési szolgáltatójával nem sikerült."
        "Signing in with the company’s provider did not work."
        "Begin the sign-in again; the first one needs an invitation or an address of a proven domain, \
            verified by the provider.";
    DEVICE_INVALID 401
        "Ez a készülék már nincs csatlakoztatva."
        "This device is not connected any more."
        "Pair it again, with a new code or a new link.";
    PAIRING_INVALID 401
        "Ez a kód nem jó, vagy már lejárt."
        "This code is wrong or has expired."
        "Codes and links work once and for some minutes; make a new one on the Devices screen.";
    API_KEY_INVALID 401
        "Az API-kulcs érvénytelen."
        "The API key is invalid."
        "Check the key; it may have been revoked or replaced.";
    NO_ADMIN_ACCESS 403
        "Ezzel a fiókkal nem lehet belépni az adminfelületre."
        "This account may not enter the admin."
        "An administrator of the partner can grant admin_login.";
    RESTAURANT_ARCHIVED 403
        "Az étterem, amelyben dolgozol, archiválva van. A céged adminisztrátora tud segíteni."
        "The restaurant that you work in is archived. An administrator of your company can help."
        "Bring the restaurant back, or give the person another one.";
    USER_PERMISSION_REQUIRED 403
        "Ehhez nincs jogosultságod."
        "You have no permission for this."
        "An administrator can grant one of the keys in x-permission.";
    USER_TYPE_NOT_EDITABLE 403
        "Ezt itt nem módosíthatod."
        "You cannot change this here."
        "Nobody changes the own rights; accounts of super admins and of other partners are changed \
            elsewhere.";
    PIN_REQUIRED 403
        "Add meg a PIN-kódodat."
        "Please enter your PIN."
        "Send the PIN in the X-Pin header. Who has none sets one under the own account.";
    PIN_INVALID 403
        "Hibás PIN-kód."
        "Wrong PIN."
        "Check the PIN; it must belong to somebody who may do this. Five wrong ones pause it for a while.";
    SUPPORT_ACCESS_REQUIRED 403
        "Ehhez támogatói hozzáférés kell. Ha van, az csak olvasásra szól: nyisd meg újra, módosításra."
        "This needs a support access. If there is one, it is for reading only: open it again for changes."
        "Ask for support access with a reason first.";
    PARTNER_SUSPENDED 403
        "A partner fel van függesztve. Az okát a rendszer üzemeltetője tudja megmondani."
        "The partner is suspended. The platform’s operator can tell you why."
        "Contact the operator of the service.";
    FEATURE_NOT_AVAILABLE 403
        "Ez a funkció ennél az étteremnél nincs bekapcsolva."
        "This feature is not switched on for the restaurant."
        "Ask the operator of the service to switch it on.";
    FOREIGN_ORIGIN 403
        "A kérés idegen oldalról érkezett."
        "The request came from a foreign page."
        "Call signed in by cookie only from the product's own pages, or use an API key.";
    NOT_FOUND 404
        "A keresett oldal nem létezik."
        "There is nothing at this address."
        "Check the path against the reference.";
    RESTAURANT_NOT_EXIST 404
        "Nincs ilyen étterem."
        "There is no such restaurant."
        "Check the ids in the path.";
    PARTNER_NOT_EXIST 404
        "Nincs ilyen partner."
        "There is no such partner."
        "Check the ids in the path.";
    USER_NOT_EXIST 404
        "Nincs ilyen felhasználó."
        "There is no such user."
        "Check the id.";
    ENTITY_NOT_EXIST 404
        "Amit keresel, nem létezik, vagy már törölték."
        "There is no such thing, or it was deleted."
        "Check the id. The code on the wire names the entity, as in COURIER_NOT_EXIST.";
    ORDER_NOT_EXIST 404
        "Nincs ilyen rendelés."
        "There is no such order."
        "Check the id; the order may belong to another restaurant.";
    ORDER_FILTER_NOT_EXIST 404
        "Nincs ilyen mentett szűrőd."
        "You have no such saved filter."
        "Read the list again; it may have been deleted in another window.";
    STORNO_REASON_NOT_EXIST 404
        "Nincs ilyen sztornóok."
        "There is no such storno reason."
        "Read the list again; it may have been deleted meanwhile.";
    RESTAURANT_HOLIDAY_NOT_EXIST 404
        "Ezt az ünnepnapot közben törölték."
        "This holiday has been deleted meanwhile."
        "Check the id; the row may have been deleted.";
    API_KEY_NOT_EXIST 404
        "Nincs ilyen API-kulcs."
        "There is no such API key."
        "Check the id; the row may have been deleted.";
    TERMINAL_SCHEME_NOT_EXIST 404
        "Nincs ilyen terminálséma."
        "There is no such terminal scheme."
        "Check the id; the row may have been deleted.";
    PROVIDER_ACCOUNT_NOT_EXIST 404
        "Ezt a fiókot közben törölték vagy másikra cserélték."
        "This account has been removed or replaced meanwhile."
        "Read the list again; a replaced account has another id.";
    COURIER_NOT_EXIST 404
        "Nincs ilyen futár."
        "There is no such courier."
        "Check the id; the row may have been deleted.";
    PRODUCT_CATEGORY_NOT_EXIST 404
        "Nincs ilyen kategória."
        "There is no such category."
        "Check the id; the row may have been deleted.";
    PRODUCT_NOT_EXIST 404
        "Nincs ilyen termék."
        "There is no such product."
        "Check the id; the row may have been deleted.";
    FEATURED_PRODUCT_NOT_EXIST 404
        "Ez a termék már nincs a kiemeltek között."
        "This product is not among the featured ones any more."
        "Read the list again; it may have been removed meanwhile.";
    CATALOGUE_CHANGE_NOT_EXIST 404
        "Nem tudni, ki módosította utoljára."
        "It is not known who changed this last."
        "The row is not there, or its changes are not kept any more.";
    PRODUCT_CATEGORY_UPSELL_NOT_EXIST 404
        "Nincs ilyen kategóriaajánlás."
        "There is no such category upsell."
        "Read the list again; it may have been deleted meanwhile.";
    DISCOUNT_NOT_EXIST 404
        "Nincs ilyen kedvezmény."
        "There is no such discount."
        "Check the id; the promotion may have been archived, or hold at other restaurants.";
    DISCOUNT_USAGE_NOT_EXIST 404
        "Ez a vendég már nincs a kedvezmény listáján."
        "This customer is not on the list of the discount any more."
        "Check the id; the row may have been deleted.";
    DELIVERY_REGION_NOT_EXIST 404
        "Ez a szállítási körzet már nincs meg."
        "This delivery region is not there any more."
        "Check the id; the region may have been deleted, or belong to another restaurant.";
    DELIVERY_STREET_NOT_EXIST 404
        "Ez az utca már nincs meg ebben a körzetben."
        "This street is not in this region any more."
        "Check the id; the street may have been deleted, or belong to another region.";
    DELIVERY_POLYGON_NOT_EXIST 404
        "Ez az alakzat már nincs a térképen."
        "This shape is not on the map any more."
        "Check the id; the shape may have been deleted together with its region.";
    SHADOW_CUSTOMER_NOT_EXIST 404
        "Nincs ilyen vendég."
        "There is no such customer."
        "Check the id; the customer may have been anonymised, or be known at other restaurants only.";
    SHADOW_CUSTOMER_ADDRESS_NOT_EXIST 404
        "Ez a cím már nincs meg."
        "This address is not there any more."
        "Check the id; the row may have been deleted.";
    SUBPRODUCT_NOT_EXIST 404
        "Nincs ilyen altermék."
        "There is no such sub-product."
        "Check the id; the row may have been deleted.";
    OPTION_GROUP_NOT_EXIST 404
        "Nincs ilyen opciócsoport."
        "There is no such option group."
        "Check the id; the row may have been deleted.";
    OPTION_NOT_EXIST 404
        "Nincs ilyen opció."
        "There is no such option."
        "Check the id; the row may have been deleted.";
    IMAGE_NOT_EXIST 404
        "Ez a kép már nincs meg."
        "This picture is not there any more."
        "Check the id; the row may have been deleted.";
    DEVICE_NOT_EXIST 404
        "Nincs ilyen készülék."
        "There is no such device."
        "Check the id; the row may have been deleted.";
    KIOSK_NOT_EXIST 404
        "Nincs ilyen kioszk."
        "There is no such kiosk."
        "Check the id; the row may have been deleted.";
    RESTAURANT_TV_NOT_EXIST 404
        "Nincs ilyen vendégkijelző."
        "There is no such guest TV."
        "Check the id; the row may have been deleted.";
    SETTINGS_CHANGE_NOT_EXIST 404
        "Nincs ilyen változtatás."
        "There is no such change."
        "Check the id; the row may have been deleted.";
    DOCUMENTATION_NOT_EXIST 404
        "Ez a dokumentum már nincs meg."
        "This document is not there any more."
        "Check the id; the row may have been deleted.";
    VAT_NOT_EXIST 404
        "Nincs ilyen áfakulcs."
        "There is no such VAT rate."
        "Check the id; the row may have been deleted.";
    MENU_MEND_NOT_EXIST 404
        "Nincs ilyen módosítás."
        "There is no such change."
        "Check the id.";
    NTAK_CATEGORY_NOT_EXIST 404
        "Nincs ilyen NTAK-kategória."
        "There is no such NTAK category."
        "Check the id.";
    NTAK_CHANGE_NOT_EXIST 404
        "Nincs ilyen módosítás."
        "There is no such change."
        "Check the id.";
    SESSION_NOT_EXIST 404
        "Ez a munkamenet már véget ért."
        "This session has ended already."
        "Read the list of sessions again.";
    SIGN_IN_PROVIDER_NOT_EXIST 404
        "Nincs beállítva belépési szolgáltató."
        "No sign-in provider is set up."
        "Set one up first.";
    EXPORT_NOT_EXIST 404
        "Nincs ilyen export, vagy már lejárt."
        "There is no such export, or it has expired."
        "A file is kept for 24 hours; order a new export.";
    JOB_NOT_EXIST 404
        "Nincs ilyen háttérfeladat."
        "There is no such job."
        "A job is gone once it is done.";
    EXPORT_REQUEST_NOT_EXIST 404
        "Ez az export már nem érhető el."
        "This export is gone."
        "Order a new export.";
    MENU_IMPORT_NOT_EXIST 404
        "Ez az importálás már nem létezik."
        "This import is gone."
        "A file is kept for a day; upload it again.";
    RESTAURANT_GROUP_NOT_EXIST 404
        "Nincs ilyen étteremcsoport."
        "There is no such restaurant group."
        "Check the id; the row may have been deleted.";
    ANNOUNCEMENT_NOT_EXIST 404
        "Ez a közlemény már nem létezik."
        "This announcement does not exist any more."
        "Check the id; the row may have been deleted.";
    RELEASE_INFO_NOT_EXIST 404
        "Ez a kiadási hír már nem létezik."
        "This release note does not exist any more."
        "Check the id; the row may have been deleted.";
    PUSH_NOTIFICATION_NOT_EXIST 404
        "Ez az értesítés már nem létezik."
        "This notification does not exist any more."
        "Check the id; the row may have been deleted.";
    PUSH_DEVICE_NOT_EXIST 404
        "Ez az eszköz nincs feliratkozva."
        "This device is not registered."
        "Register the device first.";
    PAYMENT_NOT_EXIST 404
        "Ez a fizetés nem létezik."
        "This payment does not exist."
        "Check the id; a payment belongs to one restaurant.";
    PAYMENT_RECONCILIATION_NOT_EXIST 404
        "Ez az egyeztetés nem létezik."
        "This comparison does not exist."
        "Check the id; a comparison belongs to one restaurant.";
    PAYMENT_RECONCILIATION_LINE_NOT_EXIST 404
        "Az egyeztetésnek nincs ilyen eltérése."
        "The comparison has no such difference."
        "Check the id; only lines that differ can be explained.";
    REFUND_NOT_EXIST 404
        "Ez a visszatérítés nem létezik."
        "This refund does not exist."
        "Check the id; a refund belongs to one restaurant.";
    DRAWER_CLOSE_NOT_EXIST 404
        "Ez a kasszazárás nem létezik."
        "This close of a drawer does not exist."
        "Check the id; a close belongs to one restaurant.";
    ORDER_EMAIL_NOT_EXIST 404
        "Nincs ilyen e-mail."
        "There is no such mail."
        "See the list of kinds.";
    METHOD_NOT_ALLOWED 405
        "Ez a művelet itt nem érhető el."
        "This is not available here."
        "See the Allow header.";
    CONFLICT 409
        "Közben más is módosította."
        "Somebody else changed this meanwhile."
        "Read the row again (it is in `current`) and repeat.";
    IN_USE 409
        "Még használatban van, ezért nem törölhető."
        "It is still in use and cannot be deleted."
        "Remove what uses it first.";
    SHADOW_CUSTOMER_MERGED 409
        "Ezt a vendéget már összevonták egy másikkal."
        "This customer was merged into another one."
        "Use the customer that `merged_into` names, or undo the merge first.";
    SHADOW_CUSTOMER_ELSEWHERE 409
        "A vendéget a partner más éttermei is ismerik, ahol nincs jogod. Olyan anonimizálhatja, aki mindenhol jogosult."
        "Other restaurants of the partner know this customer, where you have no rights. Somebody with rights at all of them can anonymise."
        "Ask an admin of the whole partner: anonymising holds at all restaurants and cannot be undone.";
    SHADOW_CUSTOMER_NOT_MERGED 409
        "Ez a vendég nincs összevonva senkivel."
        "This customer is not merged into anybody."
        "Read the customer again; the merge may have been undone meanwhile.";
    SHADOW_CUSTOMER_MERGE_OLD 409
        "Az összevonás 30 napon túl már nem vonható vissza."
        "After 30 days the merge cannot be undone any more."
        "A merge can be undone until `undo_until`.";
    MENU_IMPORT_NOT_READY 409
        "Az importálás most nem tart itt. Frissítsd az oldalt; a fájlt egy napig őrizzük."
        "The import is not at this point. Reload the page; the file is kept for a day."
        "Read it again; `detail` says what is missing. A file is kept for a day.";
    MENU_IMPORT_OUTDATED 409
        "Az étlap a próba óta megváltozott. Nézd meg újra, mi változna."
        "The menu has changed since the rehearsal. Look again at what would change."
        "Rehearse again (PUT with an empty body), look at the difference, and apply then.";
    MENU_IMPORT_CHANGED 409
        "Az importálás óta valaki módosította, ezért nem vonható vissza."
        "Somebody has changed it since the import, so it cannot be undone."
        "`changed` names what was changed; change it back, or leave the import.";
    MENU_MEND_NOT_READY 409
        "Ez a módosítás már nem vonható vissza."
        "This change can no longer be undone."
        "A mend can be undone once, within 24 hours (`undo_until`).";
    MENU_MEND_OUTDATED 409
        "Az étlap időközben megváltozott. Nézd meg újra."
        "The menu has changed meanwhile. Look again."
        "Read the health of the menu again, and send what is still found with its `catalogue_version`.";
    MENU_MEND_CHANGED 409
        "Azóta valaki módosította, ezért nem vonható vissza."
        "Somebody has changed it since, so it cannot be undone."
        "`changed` names what was changed; change it back, or leave the mend.";
    NTAK_CHANGE_NOT_READY 409
        "Ez a módosítás már nem vonható vissza."
        "This change can no longer be undone."
        "A change can be undone once, within 24 hours (`undo_until`).";
    NTAK_CHANGE_OUTDATED 409
        "Az étlap időközben megváltozott. Nézd meg újra."
        "The menu has changed meanwhile. Look again."
        "Read the proposals again, and send the rows with their `catalogue_version`.";
    NTAK_CHANGE_CHANGED 409
        "Azóta valaki módosította, ezért nem vonható vissza."
        "Somebody has changed it since, so it cannot be undone."
        "`changed` names what was changed; change it back, or leave the change.";
    RESTAURANT_HAS_ORDERS 409
        "Van még nyitott rendelés. Zárd le vagy utasítsd el; amelyik online fizetésre vár, magától lejár."
        "Finish or refuse the open orders first; one that waits for an online payment expires by itself."
        "`orders` says how many; none may be received (it expires by itself), succeeded or processed.";
    LAST_RESTAURANT 409
        "A cég utolsó étterme nem archiválható."
        "The company’s last restaurant cannot be archived."
        "Open another restaurant first.";
    RESTORE_PERIOD_OVER 409
        "A 30 nap letelt, az étterem archiválva marad. Az adatai megvannak."
        "The 30 days are over and the restaurant stays archived. Its data are kept."
        "An archived restaurant can be brought back until `restorable_until`.";
    CURRENCY_FIXED 409
        "Van már termék, kedvezmény vagy rendelés a mostani pénznemben, ezért nem módosítható."
        "There are products, promotions or orders in the present currency, so it cannot be changed."
        "Open another restaurant with the other currency.";
    PARTNER_STATE_CHANGED 409
        "A partner állapota közben megváltozott. Frissítsd az oldalt."
        "The state of the partner has changed in the meantime. Reload the page."
        "Read the partner again; `detail` says what it is doing.";
    IDEMPOTENCY_KEY_REUSED 409
        "Ezt a kérést már más tartalommal küldték el."
        "This request was already sent with other content."
        "Use a new key for a new request.";
    IDEMPOTENCY_IN_PROGRESS 409
        "A kérés feldolgozása még tart. Próbáld újra egy pillanat múlva."
        "The request is still being processed. Try again in a moment."
        "Wait for Retry-After seconds and repeat with the same key.";
    ORDER_NOT_ACCEPTABLE 409
        "A rendelést így nem lehet felvenni."
        "The order cannot be taken like this."
        "See `reasons`; ask for a quote before ordering.";
    ORDER_PRICE_CHANGED 409
        "Közben megváltozott az ár."
        "The price has changed meanwhile."
        "Show the guest the new `quote` and send the order again.";
    ORDER_STATE_CHANGED 409
        "A rendelés állapota közben megváltozott."
        "The order is in another state by now."
        "Read the order again; `allowed` says what can be done.";
    PAYMENT_ABOVE_DUE 409
        "Ennyit már nem kell fizetni. Lehet, hogy közben más is fizetett."
        "So much is not to be paid any more. Somebody else may have paid meanwhile."
        "`due` says what is left to pay, `waiting` what payments under way would pay of it.";
    PAYMENT_STATE_CHANGED 409
        "Ez a fizetés már nem vár megerősítésre."
        "This payment does not wait to be confirmed any more."
        "Read the payment again (it is in `current`).";
    PAYMENT_UNDER_WAY 409
        "Egy fizetés még folyamatban van, addig a fizetési mód nem módosítható."
        "A payment is still under way, so the method cannot be changed yet."
        "Confirm or cancel the payment that waits first.";
    REFUND_ABOVE_PAID 409
        "Ennyit nem lehet visszaadni: ebből a fizetésből kevesebb maradt."
        "So much cannot be given back: less is left of this payment."
        "`left` and `left_tip` say how much may still go back.";
    REFUND_STATE_CHANGED 409
        "Erről a visszatérítésről már döntöttek."
        "This refund has been settled already."
        "Read the refund again (it is in `current`).";
    POINTS_NOT_ENOUGH 409
        "A vendégnek nincs ennyi pontja."
        "The customer does not have so many points."
        "`points` says how many there are.";
    USER_EMAIL_TAKEN 409
        "Ez az e-mail-cím már foglalt."
        "This e-mail address is already used."
        "Choose another address.";
    CARD_TERMINAL_NOT_CONNECTED 409
        "Az étterem nincs összekapcsolva a kártyaterminálok szolgáltatójával."
        "The restaurant is not connected to the provider of card terminals."
        "Connect it and choose a store first.";
    CARD_TERMINAL_SIGN_IN 409
        "Jelentkezz be újra a kártyaterminálok szolgáltatójánál."
        "Please sign in at the provider of card terminals again."
        "Begin with …/teya/oauth; the sign-in has ended or was refused.";
    CARD_TERMINAL_REFUSED 409
        "A kártyaterminálok szolgáltatója ezt nem engedte."
        "The provider of card terminals has refused this."
        "See `provider_code`; read the stores again.";
    USER_HAS_PASSWORD 409
        "Ennek a fióknak már van saját jelszava."
        "This account has a password of its own already."
        "Accept without a password; a forgotten one is set anew with a mailed link.";
    USER_DELETE_NOT_ALLOWED 409
        "Ez a felhasználó nem archiválható: magadat nem lehet, és egy teljes hozzáférésű mindig marad."
        "This user cannot be archived: nobody archives themselves, and one with full access always stays."
        "Nobody removes the own row, and one person keeps full access to the partner.";
    LIST_FULL 409
        "Ez a lista megtelt. Archiválj belőle valamit, mielőtt újat veszel fel."
        "This list is full. Archive something of it before you add more."
        "`limit` says how many there may be.";
    PIN_TAKEN 409
        "Ezt a PIN-t már használja valaki."
        "Somebody uses this PIN already."
        "Choose another PIN; in each restaurant a PIN belongs to one person.";
    PAIRING_OTHER_KIND 409
        "Ez a kód másfajta készülékhez tartozik."
        "This code is for a device of another kind."
        "The code is still good; `detail` says which page takes it.";
    TARGET_REQUIRED 409
        "Válassz éttermet."
        "Choose a restaurant."
        "Send the header X-Target.";
    TOO_LARGE 413
        "Ez túl nagy."
        "This is too large."
        "Stay below the documented limit.";
    MEDIA_TYPE_NOT_SUPPORTED 415
        "Ez a formátum nem támogatott."
        "This format is not supported."
        "Send application/json.";
    USER_PASSWORD_NOT_MATCH 422
        "A két jelszó nem egyezik."
        "The passwords differ."
        "Send the same password twice.";
    USER_PASSWORD_CANNOT_BE_EMPTY 422
        "A jelszó nem lehet üres."
        "The password cannot be empty."
        "Send 6 to 128 characters.";
    USER_PASSWORD_WEAK 422
        "Ez a jelszó túl könnyen kitalálható: ne legyen közismert, ne álljon névből, e-mail-címből vagy \
            cégnévből, és ne ismétlődjön."
        "This password is too easy to guess: it must not be a common one, nor repeat itself, nor be made of \
            names, e-mail addresses or the company’s name."
        "Avoid common passwords, your e-mail address and the product's name.";
    USER_WRONG_PASSWORD 422
        "Hibás jelszó."
        "Wrong password."
        "Send the password you signed in with.";
    USER_INVALID_EMAIL 422
        "Ez nem e-mail-cím."
        "This is not an e-mail address."
        "Send an address like name@example.com.";
    USER_TIMEZONE_NOT_EXIST 422
        "Ilyen időzóna nincs."
        "There is no such time zone."
        "Send the name of a zone by region and city, such as Europe/Budapest.";
    COURIER_HOLDS_LESS 422
        "A futárnál a könyvelés szerint nincs ennyi készpénz."
        "By the books the courier does not hold so much cash."
        "`holds` says how much he holds, with what of his orders is still to be paid in cash; send `confirmed` to take it all the same.";
    ARCHIVE_INVALID 422
        "Ez az archívum sérült, vagy nem Pult-export."
        "This archive is damaged, or it is no export of Pult."
        "Send an archive as it was exported; `detail` says what is wrong.";
    ARCHIVE_VERSION 422
        "Az archívum más verziójú telepítésről való, ezért nem állítható vissza."
        "The archive is of an installation of another version and cannot be restored."
        "Restore it on an installation of that version, or export it again.";
    IMAGE_INVALID 422
        "Ez a kép nem használható."
        "This picture cannot be used."
        "Send a JPEG, PNG, WebP or GIF of at most 40 megapixels; `detail` says what is wrong.";
    EXPORT_REQUEST_MISSING_PARAM 422
        "Az exporthoz hiányzik vagy hibás egy adat."
        "Something that the export needs is missing or wrong."
        "See `keys` and `faults`.";
    VALIDATION_FAILED 422
        "Néhány mező javításra szorul."
        "Some fields need to be corrected."
        "See `keys` and `faults`.";
    TOO_MANY_WAITING_ORDERS 429
        "Már több rendelésed vár visszajelzésre. Telefonon segítünk."
        "Several of your orders wait for an answer already. Please call us."
        "Wait until they are accepted or Retry-After seconds have passed; `phone` is the restaurant's \
            number.";
    TOO_MANY_REQUESTS 429
        "Túl sok próbálkozás, várj egy kicsit."
        "Too many attempts, please wait."
        "Wait for Retry-After seconds.";
    HEADERS_TOO_LARGE 431
        "A kérés fejlécei túl nagyok."
        "The headers of the request are too large."
        "Send at most 16 kB of headers; cookies count too.";
    UNKNOWN_ERROR 500
        "Váratlan hiba történt."
        "An unexpected error occurred."
        "Tell support the request_id.";
    UNAVAILABLE_SERVER 503
        "A szolgáltatás most nem érhető el. Próbáld újra kicsit később."
        "The service is unavailable. Try again a little later."
        "Repeat after Retry-After seconds.";
    PARTNER_IN_MAINTENANCE 503
        "A partner adatain karbantartás folyik. Próbáld újra néhány perc múlva."
        "The partner's data are under maintenance. Try again in a few minutes."
        "Repeat after Retry-After seconds.";
    STORAGE_UNAVAILABLE 503
        "A fájltároló most nem érhető el, próbáld újra kicsit később."
        "The file storage does not answer, please try again a little later."
        "Nothing was kept; repeat after Retry-After seconds.";
    CARD_TERMINAL_UNAVAILABLE 503
        "A kártyaterminálok szolgáltatója most nem érhető el. Próbáld újra később."
        "The provider of card terminals cannot be reached. Try again later."
        "Repeat after Retry-After seconds; without settings for the provider it stays so.";
    GEOCODER_UNAVAILABLE 503
        "A címkereső most nem válaszol. A tűt kézzel is leteheted, a mentés így is működik."
        "The address search does not answer. Place the pin by hand; saving works all the same."
        "Place the pin by hand, or repeat after Retry-After seconds.";
    STORAGE_FULL 507
        "Nincs több hely a tárolásra."
        "There is no storage left."
        "Contact the operator of the service.";
}

impl Code {
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// A refusal: a code of the table and what belongs to it.
#[derive(Debug, Clone)]
pub struct Problem(Box<Details>);

#[derive(Debug, Clone)]
struct Details {
    code: Code,
    /// The missing entity, when the table has no row for it.
    entity: Option<&'static str>,
    detail: Option<Cow<'static, str>>,
    keys: Vec<(String, Fault)>,
    retry_after: Option<u64>,
    extra: Vec<(&'static str, Value)>,
}

impl Problem {
    #[must_use]
    pub fn new(code: Code) -> Self {
        Self(Box::new(Details {
            code,
            entity: None,
            detail: None,
            keys: Vec::new(),
            retry_after: None,
            extra: Vec::new(),
        }))
    }

    /// The row does not exist, or the caller may not know that it does: `<ENTITY>_NOT_EXIST`.
    #[must_use]
    pub fn not_exist<T: Resource>() -> Self {
        let own = Code::parse(&format!("{}_NOT_EXIST", T::ENTITY));
        let mut problem = Self::new(own.unwrap_or(Code::ENTITY_NOT_EXIST));
        problem.0.entity = own.is_none().then_some(T::ENTITY);
        problem
    }

    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    #[must_use]
    pub fn code_name(&self) -> Cow<'static, str> {
        match self.0.entity {
            Some(entity) => format!("{entity}_NOT_EXIST").into(),
            None => self.0.code.name().into(),
        }
    }

    /// What exactly was wrong: the sentence that was given, else the fields at fault.
    #[must_use]
    pub fn reason(&self) -> String {
        let detail = self.0.detail.iter().map(ToString::to_string);
        detail
            .chain(self.0.keys.iter().map(|(key, fault)| format!("{key}: {}", fault.name())))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A sentence that says more than the code's own text.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Names a field at fault by its dotted path (`ranges.0.price_from`).
    #[must_use]
    pub fn key(mut self, key: impl Into<String>, fault: Fault) -> Self {
        self.0.keys.push((key.into(), fault));
        self
    }

    /// Names several fields at fault.
    #[must_use]
    pub fn keys(mut self, keys: impl IntoIterator<Item = (String, Fault)>) -> Self {
        self.0.keys.extend(keys);
        self
    }

    /// Puts the fields at fault below a member: `name` becomes `draft.name`.
    #[must_use]
    pub fn below(mut self, member: &str) -> Self {
        for (key, _) in &mut self.0.keys {
            *key = format!("{member}.{key}");
        }
        self
    }

    /// What this request saw does not hold any more, because another was faster. The service does the request
    /// again; when that does not help either, the caller gets `UNAVAILABLE_SERVER`.
    #[must_use]
    pub fn overtaken() -> Self {
        request::note_collision();
        Self::new(Code::UNAVAILABLE_SERVER)
    }

    /// Seconds after which to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// An extension member (`current`, `reasons`, `quote`).
    #[must_use]
    pub fn with(mut self, member: &'static str, value: Value) -> Self {
        self.0.extra.push((member, value));
        self
    }

    /// Refuses when fields at fault have been named; otherwise nothing was wrong.
    pub fn if_any(self) -> Result<()> {
        if self.0.keys.is_empty() { Ok(()) } else { Err(self) }
    }

    #[must_use]
    pub fn body(&self) -> Value {
        let Details { code, entity: _, detail, keys, extra, retry_after: _ } = &*self.0;
        let name = self.code_name();
        let title = if request::hungarian() { code.hungarian() } else { code.english() };
        let mut body = json!({
            "type": format!("/api/problems/{name}"),
            "title": title,
            "status": code.status(),
            "code": name,
            "keys": keys.iter().map(|(key, _)| key).collect::<Vec<_>>(),
            "request_id": request::id(),
        });
        if let Some(detail) = detail {
            body["detail"] = json!(detail);
        }
        if !keys.is_empty() {
            body["faults"] = keys
                .iter()
                .map(|(key, fault)| json!({"key": key, "fault": fault.name(), "limit": fault.limit()}))
                .collect();
        }
        for (member, value) in extra {
            body[*member] = value.clone();
        }
        body
    }
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self::new(code)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code_name())?;
        self.0.keys.iter().try_for_each(|(key, fault)| write!(f, " {key}:{}", fault.name()))
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn as_response(&self) -> Response {
        // The problem is attached to its answer, so counting refusals need not parse the body.
        let mut response = Response::builder()
            .status(self.status())
            .content_type("application/problem+json")
            .extension(self.clone());
        if let Some(seconds) = self.0.retry_after.or((self.0.code.status() == 503).then_some(2)) {
            response = response.header("Retry-After", seconds);
        }
        response.body(self.body().to_string()).into_response()
    }
}

/// Operations name their codes in their documentation, so nothing is added here.
impl ApiResponse for Problem {
    fn meta() -> MetaResponses {
        MetaResponses { responses: vec![] }
    }
    fn register(_: &mut Registry) {}
}

/// What the database itself says, if it was the database.
fn of_database(error: &DbErr) -> Option<&dyn DatabaseError> {
    let (DbErr::Query(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Conn(RuntimeErr::SqlxError(error))) = error
    else {
        return None;
    };
    error.as_database_error()
}

/// The database's own word for what went wrong (SQLSTATE).
fn sql_state(error: &DbErr) -> Option<String> {
    of_database(error).and_then(DatabaseError::code).map(Cow::into_owned)
}

/// Whether the statement gave up waiting for a lock.
#[must_use]
pub fn is_lock_timeout(error: &DbErr) -> bool {
    sql_state(error).as_deref() == Some("55P03")
}

/// What PgBouncer says when its connection to the server died, or there is none.
#[must_use]
pub fn is_lost_behind_pooler(error: &DbErr) -> bool {
    sql_state(error).is_some_and(|state| state.starts_with("08"))
}

/// Whether the statement would have made a second row where only one may be.
#[must_use]
pub fn is_unique_violation(error: &DbErr) -> bool {
    sql_state(error).as_deref() == Some("23505")
}

/// The same for one index, where a statement writes rows of several.
#[must_use]
pub fn is_unique_violation_of(error: &DbErr, index: &str) -> bool {
    is_unique_violation(error) && of_database(error).and_then(DatabaseError::constraint) == Some(index)
}

/// Whether a statement was prepared before a column got another type. Postgres has the same code for whatever it does
/// not support.
#[must_use]
pub fn is_outdated(error: &DbErr) -> bool {
    of_database(error).is_some_and(|error| {
        error.code().as_deref() == Some("0A000") && error.message().contains("cached plan")
    })
}

/// Nothing of the database's message reaches the caller; it is logged under the request's id.
impl From<DbErr> for Problem {
    fn from(error: DbErr) -> Self {
        let state = sql_state(&error);
        let outdated = is_outdated(&error);
        // The partner was moved to another server while a unit of work was under way; its door says so in this way.
        let moved = matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed));
        if outdated || moved || matches!(state.as_deref(), Some("40001" | "40P01")) {
            request::note_collision();
        }
        let code = match (state.as_deref(), &error) {
            (Some("53100"), _) => Code::STORAGE_FULL,
            _ if outdated => Code::UNAVAILABLE_SERVER,
            // Serialisation failure, deadlock, lock and statement time-outs, shutdown, too many connections,
            // read-only.
            (
                Some("40001" | "40P01" | "55P03" | "57014" | "57P01" | "57P02" | "57P03" | "53300" | "25006"),
                _,
            ) => Code::UNAVAILABLE_SERVER,
            _ if is_lost_behind_pooler(&error) => Code::UNAVAILABLE_SERVER,
            (Some("23505" | "23503"), _) => Code::CONFLICT,
            (Some("22P05" | "22021"), _) => Code::BAD_REQUEST,
            (None, DbErr::Conn(_) | DbErr::ConnectionAcquire(_)) => Code::UNAVAILABLE_SERVER,
            (
                None,
                DbErr::Query(RuntimeErr::SqlxError(inner)) | DbErr::Exec(RuntimeErr::SqlxError(inner)),
            ) if inner.as_database_error().is_none() && is_connection_loss(inner) => Code::UNAVAILABLE_SERVER,
            _ => Code::UNKNOWN_ERROR,
        };
        if matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)) {
            // Nothing is wrong with the database: more is asked for than is done, and the request's line says 503.
            tracing::info!(request_id = request::id(), "no connection came free in time");
        } else {
            tracing::error!(request_id = request::id(), code = code.name(), error = %error, "database");
        }
        Self::new(code)
    }
}

fn is_connection_loss(error: &impl fmt::Display) -> bool {
    let text = error.to_string();
    ["error communicating", "closed", "pool timed out", "unexpected end"]
        .iter()
        .any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        let before = names.len();
        names.dedup();
        assert_eq!(before, names.len(), "a code stands in the table twice");
        for code in Code::ALL {
            assert!((400..600).contains(&code.status()), "{code:?}");
            assert_ne!(code.hungarian(), code.english(), "{code:?}");
            assert!(!code.advice().is_empty());
            assert_eq!(Code::parse(code.name()), Some(*code));
        }
    }

    #[test]
    fn a_problem_names_its_fields() {
        let body = Problem::new(Code::VALIDATION_FAILED)
            .key("items.0.quantity", Fault::Min)
            .key("name", Fault::TooLong(100))
            .body();
        assert_eq!(body["keys"], json!(["items.0.quantity", "name"]));
        assert_eq!(body["faults"][1], json!({"key": "name", "fault": "too_long", "limit": 100}));
        assert_eq!(body["status"], 422);
    }
}
