import { useInvalidate, useList } from '@refinedev/core';
import { Form, type FormRule, Input, Segmented, Select, Tabs } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { orderEmailsPreview, orderEmailsTest } from '../../generated/client/orders/orders';
import type { OrderEmail, OrderEmailLanguage, OrderEmailPreview } from '../../generated/model';
import { FormBody, type Row, useResourceForm } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { useHotkey, useNarrow } from '../../lib/hooks';
import { ApiError } from '../../lib/http';
import { usePage } from '../../lib/navigation';
import { explain } from '../../lib/problem';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { changedTexts } from './changed';
import './emails.css';

const KINDS = ['received', 'accepted', 'taken_back', 'refused'] as const;
const FIELDS = {
  enabled: { kind: 'switch' },
  subject: { kind: 'text', nullable: true, max: 200 },
  body: { kind: 'text', nullable: true, max: 10_000 },
  subject_sec_lang: { kind: 'text', nullable: true, max: 200 },
  body_sec_lang: { kind: 'text', nullable: true, max: 10_000 },
} satisfies Fields;
const TEXTS = ['subject', 'body'] as const;

/** The mails that guests get about an order: on or off, the own words, how they look. */
export default function OrderEmails() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const list = useList<OrderEmail & { id?: string }>({
    resource: 'order_emails',
    pagination: { mode: 'off' },
    errorNotification: false,
  });
  const kind = KINDS.find((one) => one === path[0]) ?? KINDS[0];
  const rows = list.result.data;
  const row = rows.find((one) => one.kind === kind);
  const narrow = useNarrow();
  const kinds = KINDS.map((one) => ({
    key: one,
    label: (
      <>
        {t(`order_emails.kind.${one}`)}{' '}
        {rows.find((other) => other.kind === one)?.enabled === false && <Chip>{t('order_emails.off')}</Chip>}
      </>
    ),
  }));
  return (
    <>
      <PageHeader lead={t('order_emails.lead')} />
      {list.query.isError && (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      )}
      {list.query.isPending && <Loading />}
      {row && (
        <>
          {narrow ? (
            <Select
              className="emails-kinds"
              aria-label={t('order_emails.which')}
              value={kind}
              onChange={(next) => open(next)}
              options={kinds.map(({ key, label }) => ({ value: key, label }))}
            />
          ) : (
            <Tabs activeKey={kind} onChange={(next) => open(next)} items={kinds} />
          )}
          <Editor key={kind} row={row} />
        </>
      )}
    </>
  );
}

function Editor({ row }: { row: OrderEmail }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const invalidate = useInvalidate();
  const restaurant = useRestaurant();
  const second = row.secondary_language;
  const state = useResourceForm({
    resource: 'order_emails',
    fields: FIELDS,
    id: row.kind,
    row: row as unknown as Row,
    toBody: (body, values) => ({ ...body, ...changedTexts(row, values) }),
    onSaved: () => void invalidate({ resource: 'order_emails', invalidates: ['list'] }),
  });
  const [lang, setLang] = useState(row.primary_language as OrderEmailLanguage);
  const { busy: sending, work } = useWork();
  const latest = useRef<(typeof TEXTS)[number]>('body');
  const own = lang === row.primary_language ? '' : '_sec_lang';
  const name = (text: (typeof TEXTS)[number]) => `${text}${own}` as keyof typeof FIELDS;
  const usual = (text: (typeof TEXTS)[number]) =>
    (row[`usual_${text}${own}` as keyof OrderEmail] as string | null) ?? '';

  const save = async () => {
    if (await state.save()) notify.saved();
  };
  useHotkey('ctrl+s', () => void save());
  const test = () =>
    work(async () => {
      await orderEmailsTest(restaurant.partner_id, restaurant.id, row.kind, { lang });
      notify.success(t('order_emails.test_sent'));
    });
  // A placeholder goes to the end of the text that was edited last; into the usual one it goes as a copy of
  // it.
  const insert = (placeholder: string) => {
    const field = name(latest.current);
    const text = (state.form.getFieldValue(field) as string | null) || usual(latest.current);
    state.form.setFieldValue(field, `${text}{{${placeholder}}}`);
    state.changed();
  };
  // The service refuses them too; here they are named at the field.
  const known: FormRule = {
    validator: async (_, text: string | null) => {
      const names = [...(text ?? '').matchAll(/\{\{([^}]*)(?:\}\}|$)/g)]
        .filter((found) => !row.placeholders.includes(found[1]!.trim()))
        .map((found) => found[0]);
      if (names.length > 0) throw new Error(t('order_emails.unknown', { names: names.join(', ') }));
    },
  };
  const layout = ['enabled', ...TEXTS.map(name)];
  // Pressed or typed into: whoever walks by Tab passes the body on the way to the placeholders.
  const used = (text: (typeof TEXTS)[number]) => ({
    onPointerDown: () => {
      latest.current = text;
    },
    onInput: () => {
      latest.current = text;
    },
  });
  const overrides = Object.fromEntries(
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
              placeholder={usual(text)}
              autoSize={{ minRows: 10, maxRows: 24 }}
              {...used(text)}
            />
          ),
      },
    ]),
  );
  return (
    <div className="emails">
      <Card className="emails-form">
        {second && (
          <Segmented
            aria-label={t('order_emails.language')}
            value={lang}
            options={[row.primary_language, second].map((one) => ({
              value: one as OrderEmailLanguage,
              label: t(`language.${one}`),
            }))}
            onChange={setLang}
          />
        )}
        <FormBody state={state} resource="order_emails" fields={FIELDS} layout={layout} overrides={overrides}>
          <div className="emails-words" role="group" aria-label={t('order_emails.placeholders')}>
            <span>{t('order_emails.placeholders')}</span>
            {row.placeholders.map((word) => (
              <Button
                key={word}
                size="small"
                title={t(`order_emails.word.${word}`)}
                onClick={() => insert(word)}
              >{`{{${word}}}`}</Button>
            ))}
          </div>
          <Preview kind={row.kind} lang={lang} subject={name('subject')} body={name('body')} />
        </FormBody>
      </Card>
      <div className="save-bar form-buttons">
        <Button
          loading={sending}
          disabled={state.dirty}
          title={state.dirty ? t('order_emails.test_dirty') : undefined}
          onClick={() => void test()}
        >
          {t('order_emails.test')}
        </Button>
        <span className="form-buttons-gap" />
        {state.dirty && (
          <Button disabled={state.saving} onClick={state.reset}>
            {t('unsaved.discard')}
          </Button>
        )}
        <Button type="primary" loading={state.saving} disabled={!state.dirty} onClick={() => void save()}>
          {t('action.save')}
        </Button>
      </div>
    </div>
  );
}

/** As a guest would get it, with an order that nobody made; asked anew when the typing rests. */
function Preview({
  kind,
  lang,
  subject,
  body,
}: {
  kind: OrderEmail['kind'];
  lang: OrderEmailLanguage;
  subject: string;
  body: string;
}) {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const own = {
    subject: Form.useWatch(subject, { preserve: true }) as string | null | undefined,
    body: Form.useWatch(body, { preserve: true }) as string | null | undefined,
  };
  const [shown, setShown] = useState<OrderEmailPreview>();
  const [failure, setFailure] = useState<unknown>();
  const draft = JSON.stringify({ lang, subject: own.subject || null, body: own.body || null });
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      orderEmailsPreview(restaurant.partner_id, restaurant.id, kind, JSON.parse(draft)).then(
        (preview) => {
          if (current) {
            setShown(preview);
            setFailure(undefined);
          }
        },
        (error: unknown) => {
          if (current) setFailure(error);
        },
      );
    }, 400);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [draft, kind, restaurant]);
  return (
    <section
      className="emails-preview"
      aria-label={t('order_emails.preview')}
      data-stale={failure !== undefined}
    >
      <h3>{t('order_emails.preview')}</h3>
      {failure !== undefined && (
        <p role="status">
          {failure instanceof ApiError && failure.status === 422
            ? t('order_emails.preview_failed')
            : explain(failure).text}
        </p>
      )}
      {shown && (
        <div className="emails-paper">
          <b>{shown.subject}</b>
          <div>{shown.text}</div>
        </div>
      )}
    </section>
  );
}
