import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Language } from '../lib/format';
import { switchLanguage } from './switchLanguage';

/** Switches the language and stays on the page. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const choose = (language: Language) =>
    void switchLanguage(language, (path) => void navigate(path, { replace: true }));
  return (
    <div className="langs" role="group" aria-label={t('shell.language')}>
      {(['hu', 'en'] as const).map((code) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-label={code === 'hu' ? 'Magyar' : 'English'}
          aria-pressed={i18n.language === code}
          onClick={() => choose(code)}
        >
          {code.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
