import { type FormRule, Input } from 'antd';
import { type CSSProperties, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderEmail, OrderEmailLanguage } from '../../generated/model';
import { type Row, useResourceForm } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { useForget } from '../../lib/query';
import { changedTexts } from './changed';

export const FIELDS = {
  enabled: { kind: 'switch' },
  subject: { kind: 'text', nullable: true, max: 200 },
  body: { kind: 'text', nullable: true, max: 10_000 },
  subject_sec_lang: { kind: 'text', nullable: true, max: 200 },
  body_sec_lang: { kind: 'text', nullable: true, max: 10_000 },
} satisfies Fields;
const TEXTS = ['subject', 'body'] as const;
type Text = (typeof TEXTS)[number];

/** The form of one mail, and the texts of the language that is edited now. */
export function useEmailForm(row: OrderEmail) {
  const forget = useForget();
  const state = useResourceForm({
    resource: 'order_emails',
    fields: FIELDS,
    id: row.kind,
    row: row as unknown as Row,
    toBody: (body, values) => ({ ...body, ...changedTexts(row, values) }),
    onSaved: () => void forget(['order_emails']),
  });
  const [lang, setLang] = useState(row.primary_language as OrderEmailLanguage);
  const latest = useRef<Text>('body');
  const own = lang === row.primary_language ? '' : '_sec_lang';
  const name = (text: Text) => `${text}${own}` as keyof typeof FIELDS;
  const usual = (text: Text) => (row[`usual_${text}${own}` as keyof OrderEmail] as string | null) ?? '';

  // A placeholder goes to the end of the text that was edited last; into the usual one it goes as a copy of
  // it.
  const insert = (placeholder: string) => {
    const field = name(latest.current);
    const text = (state.form.getFieldValue(field) as string | null) || usual(latest.current);
    const values = { [field]: `${text}{{${placeholder}}}` };
    state.form.setFieldsValue(values);
    state.changed(values);
  };
  const onUse = (text: Text) => {
    latest.current = text;
  };
  return {
    state,
    lang,
    setLang,
    name,
    insert,
    layout: ['enabled', ...TEXTS.map(name)],
    overrides: useTextInputs({ row, name, usual, onUse }),
  };
}

interface TextInputs {
  row: OrderEmail;
  name: (text: Text) => string;
  usual: (text: Text) => string;
  /** This text is edited. */
  onUse: (text: Text) => void;
}

/** The inputs of subject and body: the usual text shows through, and placeholders are checked. */
function useTextInputs({ row, name, usual, onUse }: TextInputs) {
  const { t } = useTranslation();
  // The service refuses them too; here they are named at the field.
  const known: FormRule = {
    validator: async (_, text: string | null) => {
      const names = [...(text ?? '').matchAll(/\{\{([^}]*)(?:\}\}|$)/g)]
        .filter((found) => !row.placeholders.includes(found[1]!.trim()))
        .map((found) => found[0]);
      if (names.length > 0) throw new Error(t('order_emails.unknown', { names: names.join(', ') }));
    },
  };
  // The field that was used last by mouse or typing, because Tab passes the body on its way to the
  // placeholders.
  const used = (text: Text) => ({ onPointerDown: () => onUse(text), onInput: () => onUse(text) });
  return Object.fromEntries(
    TEXTS.map((text) => [
      name(text),
      {
        label: t(`order_emails.${text}`),
        help: t('order_emails.usual_help'),
        rules: [known],
        input:
          text === 'subject' ? (
            <Input placeholder={usual(text)} autoComplete="off" {...used(text)} />
          ) : (
            <Input.TextArea
              style={{ '--rows': 10 } as CSSProperties}
              placeholder={usual(text)}
              autoSize={{ minRows: 10, maxRows: 24 }}
              {...used(text)}
            />
          ),
      },
    ]),
  );
}
