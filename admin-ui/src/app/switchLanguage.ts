import { meChooseLanguage } from '../generated/client/session/session';
import { translatePath } from '../lib/features';
import { accountLanguage, setLanguage } from '../lib/i18n';
import { session } from '../lib/session';

/** Switches the language for this device and this account; the page, its query and its forms stay. */
export async function switchLanguage(language: 'hu' | 'en', go: (path: string) => void): Promise<void> {
  await setLanguage(language);
  go(translatePath(location.pathname, language) + location.search + location.hash);
  // A session that reaches one partner only changes nothing of the account.
  if (session.get()?.bound) return;
  // The account's language decides mails and the next device; a failure here must not undo the switch.
  await meChooseLanguage({ language }).then(
    () => accountLanguage.set(language),
    () => undefined,
  );
}
