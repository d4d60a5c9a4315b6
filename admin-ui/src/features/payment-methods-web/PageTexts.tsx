import { Form, Input } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentSettings } from '../../generated/model';
import type { PaymentOutcome } from '../../generated/model/paymentOutcome';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { ApiError } from '../../lib/http';
import { useForget } from '../../lib/query';
import { useNotify } from '../../lib/ui/notify';
import { Chip } from '../../lib/ui/page';
import { SETTINGS_KEY, type Settings } from './api';
import { LANGUAGES, OUTCOMES, type Texts, textsOf, withTexts } from './pageTexts';
import { NAMES, type Provider } from './words';

const MAX = 1000;

interface Props {
  provider: Provider;
  data: PaymentSettings;
  save: Settings['save'];
}

function useTexts({ provider, data, save }: Props) {
  const notify = useNotify();
  const forget = useForget();
  const now = textsOf(data.page_texts, provider);
  const form = useInputForm<Texts, PaymentSettings>({
    initial: now,
    send: async (_values, _key, changed) => {
      const page_texts = withTexts(data.page_texts, provider, changed);
      try {
        return await save({ page_texts, version: data.version });
      } catch (failure) {
        // All texts are sent: those that others have saved meanwhile are read before they are sent along.
        if (failure instanceof ApiError && failure.code === 'CONFLICT') await forget([SETTINGS_KEY]);
        throw failure;
      }
    },
    onDone: () => notify.saved(),
    next: (after) => textsOf(after.page_texts, provider),
    repeatable: true,
  });
  const latest = useRef(form);
  latest.current = form;
  const kept = JSON.stringify(now);
  // What others have saved is shown unless something is being edited.
  useEffect(() => {
    if (!latest.current.dirty) latest.current.begin(JSON.parse(kept) as Texts);
  }, [kept]);
  return form;
}

/** The texts after a payment at one provider, folded until wanted. */
export function PageTexts(props: Props) {
  const { provider, data } = props;
  const { t } = useTranslation();
  const form = useTexts(props);
  const own = data.page_texts.filter((one) => one.provider === provider).length;
  return (
    <details className="payment-provider">
      <summary>
        <b>{NAMES[provider]}</b>
        {own > 0 && <Chip tone="info">{t('payment_methods.texts_own', { number: own })}</Chip>}
      </summary>
      <InputForm state={form} name={`page-texts-${provider}`}>
        {OUTCOMES.map((outcome) => (
          <Outcome key={outcome} outcome={outcome} />
        ))}
        <SubmitRow state={form} label={t('action.save')} />
      </InputForm>
    </details>
  );
}

/** One way in which a payment can end. */
function Outcome({ outcome }: { outcome: PaymentOutcome }) {
  const { t } = useTranslation();
  const { max } = useTextRules();
  return (
    <fieldset className="payment-outcome">
      <legend>{t(`payment_methods.outcome.${outcome}`)}</legend>
      <div className="payment-fields">
        {LANGUAGES.map((language) => (
          <Form.Item
            key={language}
            name={`${outcome}_${language}`}
            label={t(`payment_methods.${language}`)}
            dependencies={language === 'hu' ? [`${outcome}_en`] : []}
            validateTrigger="onSubmit"
            rules={[
              max(MAX),
              ({ getFieldValue }) => ({
                validator: async (_, text: string) => {
                  const english = String(getFieldValue(`${outcome}_en`) ?? '');
                  if (language === 'hu' && english.trim() && !text?.trim())
                    throw new Error(t('payment_methods.hu_missing'));
                },
              }),
            ]}
          >
            <Input.TextArea maxLength={MAX} autoSize={{ minRows: 2, maxRows: 8 }} />
          </Form.Item>
        ))}
      </div>
    </fieldset>
  );
}
