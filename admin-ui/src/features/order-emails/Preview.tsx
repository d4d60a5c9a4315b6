import { Form } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { orderEmailsPreview } from '../../generated/client/orders/orders';
import type { OrderEmail, OrderEmailLanguage, OrderEmailPreview } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { explain } from '../../lib/problem';
import { useRestaurant } from '../../lib/target';

/** A preview with a sample order, requested again when typing pauses. */
export function Preview({
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
      <h2>{t('order_emails.preview')}</h2>
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
