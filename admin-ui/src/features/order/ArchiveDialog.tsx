import { Alert, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { ARCHIVE_REASONS, type ArchiveReason, isUnaccepted, type Order } from './model';
import { useOrderWords } from './parts';
import type { OrderActions } from './useOrderActions';
import { Dialog } from '../../lib/ui/Dialog';
import './archive.css';

/** The service takes up to this many characters. */
const MAX_TEXT = 500;

/**
 * Refuses an order that nobody accepted, or cancels an accepted one (storno). Names the order and what will
 * happen; a reason must be chosen, and `other` says it in words.
 */
export function ArchiveDialog({
  order,
  actions,
  onClose,
}: {
  order: Order;
  actions: OrderActions;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const id = useId();
  const [reason, setReason] = useState<ArchiveReason>();
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const refusing = isUnaccepted(order);
  const mailed = refusing && Boolean(order.email);
  const needsText = reason === 'other' && !text.trim();
  const busy = actions.busy(order.id);

  const submit = async () => {
    setSubmitted(true);
    if (!reason || needsText) return;
    if (await actions.archive(order, reason, text.trim() || undefined)) onClose();
  };

  return (
    <Dialog
      title={
        refusing
          ? t('order.refuse_question', { name: words.name(order) })
          : t('storno_question', { name: words.name(order) })
      }
      onCancel={busy ? undefined : onClose}
      mask={{ closable: false }}
      width={520}
      footer={[
        <Button key="cancel" autoFocus disabled={busy} onClick={onClose}>
          {t('order.keep')}
        </Button>,
        <Button key="do" type="primary" danger loading={busy} disabled={busy} onClick={() => void submit()}>
          {refusing ? t('order.refuse') : t('order.storno')}
        </Button>,
      ]}
    >
      <Effect order={order} mailed={mailed} />
      <Reasons value={reason} onChange={setReason} missing={submitted && !reason} />
      <label className="archive-text" htmlFor={`${id}-text`}>
        {mailed ? t('order.reason_text_mail') : t('order.reason_text')}
      </label>
      <Input.TextArea
        id={`${id}-text`}
        value={text}
        maxLength={MAX_TEXT}
        autoSize={{ minRows: 2, maxRows: 5 }}
        status={submitted && needsText ? 'error' : ''}
        aria-invalid={submitted && needsText}
        aria-describedby={`${id}-text-missing`}
        onChange={(event) => setText(event.target.value)}
      />
      <div id={`${id}-text-missing`} className="archive-missing">
        {submitted && needsText && t('order.reason_text_missing')}
      </div>
    </Dialog>
  );
}

/** The order, and what will happen. */
function Effect({ order, mailed }: { order: Order; mailed: boolean }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const words = useOrderWords();
  return (
    <>
      <p className="archive-object">
        {[words.who(order), words.pieces(order), money(order.total_price)].join(' · ')}
      </p>
      <p className="archive-effect">
        {mailed
          ? t('order.refuse_effect_mail')
          : isUnaccepted(order)
            ? t('order.refuse_effect')
            : t('order.storno_effect')}
      </p>
    </>
  );
}

function Reasons({
  value,
  onChange,
  missing,
}: {
  value: ArchiveReason | undefined;
  onChange: (reason: ArchiveReason) => void;
  missing: boolean;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <fieldset className="archive-reasons" aria-describedby={`${id}-missing`}>
        <legend>{t('order.reason')}</legend>
        {ARCHIVE_REASONS.map((reason) => (
          <label key={reason}>
            <input type="radio" name={id} checked={reason === value} onChange={() => onChange(reason)} />
            <span>{t(`order.reason_${reason}`)}</span>
          </label>
        ))}
      </fieldset>
      <div id={`${id}-missing`}>
        {missing && <Alert type="error" showIcon role="alert" title={t('order.reason_missing')} />}
      </div>
    </>
  );
}
