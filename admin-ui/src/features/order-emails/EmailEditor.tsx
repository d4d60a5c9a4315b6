import { Alert, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { orderEmailsTest } from '../../generated/client/orders/orders';
import type { OrderEmail, OrderEmailLanguage } from '../../generated/model';
import { FormBody, type ResourceForm } from '../../lib/crud';
import { SaveBar } from '../../lib/form/SaveBar';
import { useHotkey } from '../../lib/hooks';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { useWork } from '../../lib/ui/work';
import { Preview } from './Preview';
import { FIELDS, useEmailForm } from './useEmailForm';

/** One mail: on or off, its texts in each language, and how it looks. */
export function EmailEditor({ row }: { row: OrderEmail }) {
  const { t } = useTranslation();
  const { state, lang, setLang, name, insert, layout, overrides } = useEmailForm(row);
  const second = row.secondary_language;
  return (
    <div className="emails">
      <Card className="emails-form">
        {row.missing_address && <MissingAddress />}
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
          <Placeholders words={row.placeholders} onInsert={insert} />
          <Preview kind={row.kind} lang={lang} subject={name('subject')} body={name('body')} />
        </FormBody>
        <TestMail kind={row.kind} lang={lang} dirty={state.dirty} />
      </Card>
      <Buttons state={state} />
    </div>
  );
}

/** The mail is for the restaurant, which has no address yet. */
function MissingAddress() {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <Alert
      type="info"
      showIcon
      title={t('order_emails.missing_address')}
      description={<Link to={url('restaurant_general')}>{t('order_emails.missing_address_link')}</Link>}
    />
  );
}

function Placeholders({ words, onInsert }: { words: readonly string[]; onInsert: (word: string) => void }) {
  const { t } = useTranslation();
  return (
    <div className="emails-words" role="group" aria-label={t('order_emails.placeholders')}>
      <span>{t('order_emails.placeholders')}</span>
      {words.map((word) => (
        <Button key={word} size="small" title={t(`order_emails.word.${word}`)} onClick={() => onInsert(word)}>
          {`{{${word}}}`}
        </Button>
      ))}
    </div>
  );
}

interface TestProps {
  kind: OrderEmail['kind'];
  lang: OrderEmailLanguage;
  dirty: boolean;
}

/** A test mail to oneself, of what is saved. */
function TestMail({ kind, lang, dirty }: TestProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const restaurant = useRestaurant();
  const { busy: sending, work } = useWork();
  const test = () =>
    work(async () => {
      await orderEmailsTest(restaurant.partner_id, restaurant.id, kind, { lang });
      notify.success(t('order_emails.test_sent'));
    });
  return (
    <Button
      loading={sending}
      disabled={dirty}
      title={dirty ? t('order_emails.test_dirty') : undefined}
      onClick={() => void test()}
    >
      {t('order_emails.test')}
    </Button>
  );
}

/** Discard and save. */
function Buttons({ state }: { state: ResourceForm }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const save = async () => {
    if (await state.save()) notify.saved();
  };
  useHotkey('ctrl+s', () => void (state.dirty && save()));
  return (
    <SaveBar shown={state.dirty || state.saving} dirty={state.dirty}>
      <Button disabled={state.saving} onClick={state.reset}>
        {t('unsaved.discard')}
      </Button>
      <Button type="primary" loading={state.saving} onClick={() => void save()}>
        {t('action.save')}
      </Button>
    </SaveBar>
  );
}
