import { Alert, Input, type InputRef } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { NoOwnPin } from '../../lib/pin/NoOwnPin';
import { Button } from '../../lib/ui/Button';
import { type Choice, Choices } from './Choices';
import { isUnaccepted, type OrderRow } from './model';
import { MoneyBack } from './MoneyBack';
import { useOrderWords } from './parts';
import { useReasons } from './reasons';
import type { OrderActions } from './useOrderActions';
import { useStornoRight } from './useStornoRight';
import { Dialog } from '../../lib/ui/Dialog';
import './archive.css';

/** The service takes up to this many characters. */
const MAX_TEXT = 500;

/**
 * Refuses an order that nobody accepted, or cancels an accepted one (storno). Names the order and what will
 * happen; a reason must be chosen, and some ask for words. Who may not sends the PIN of somebody who may.
 */
export function ArchiveDialog({
  order,
  actions,
  onClose,
}: {
  order: OrderRow;
  actions: OrderActions;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const id = useId();
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const { reason, choose, gone, choices, needsText, refuse } = useReason(order);
  const refusing = isUnaccepted(order);
  const mailed = refusing && Boolean(order.email);
  const lacksText = needsText && !text.trim();
  const busy = actions.busy(order.id);
  const pin = usePinOfOther();

  const submit = async () => {
    setSubmitted(true);
    if (!reason || lacksText || pin.lacks) return;
    const done = await actions.archive(order, reason, text.trim() || undefined, pin.sent);
    if (done === 'pin') pin.refuse();
    else if (done === 'reason' || done === 'text') refuse(done);
    else if (done) onClose();
  };
  const reasonFault = reason
    ? ''
    : gone
      ? t('order.reason_gone')
      : submitted
        ? t('order.reason_missing')
        : '';

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
      <Reasons choices={choices} value={reason} onChange={choose} fault={reasonFault} />
      <label className="archive-text" htmlFor={`${id}-text`}>
        {mailed ? t('order.reason_text_mail') : t('order.reason_text')}
      </label>
      <Input.TextArea
        id={`${id}-text`}
        value={text}
        maxLength={MAX_TEXT}
        autoSize={{ minRows: 2, maxRows: 5 }}
        status={submitted && lacksText ? 'error' : ''}
        aria-invalid={submitted && lacksText}
        aria-describedby={`${id}-text-missing`}
        onChange={(event) => setText(event.target.value)}
      />
      <div id={`${id}-text-missing`} className="archive-missing">
        {submitted && lacksText && t('order.reason_text_missing')}
      </div>
      {pin.needed && <PinOfOther pin={pin} id={`${id}-pin`} submitted={submitted} />}
    </Dialog>
  );
}

/** The order, and what will happen. */
function Effect({ order, mailed }: { order: OrderRow; mailed: boolean }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const words = useOrderWords();
  return (
    <>
      <p className="archive-object">
        {[words.who(order), order.items && words.pieces(order), money(order.total_price)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p className="archive-effect">
        {mailed
          ? t('order.refuse_effect_mail')
          : isUnaccepted(order)
            ? t('order.refuse_effect')
            : t('order.storno_effect')}
      </p>
      <MoneyBack order={order} />
    </>
  );
}

/** The chosen reason, and what became of it: somebody may have taken it away, or made it ask for words. */
function useReason(order: OrderRow) {
  const [chosen, setChosen] = useState<string>();
  const [gone, setGone] = useState(false);
  const [wordy, setWordy] = useState<string>();
  const {
    choices,
    chosen: reason,
    needsText,
    reload,
  } = useReasons(isUnaccepted(order) ? 'refusal' : 'storno', chosen);
  return {
    reason,
    choices,
    gone,
    needsText: needsText(reason) || (reason !== undefined && reason === wordy),
    choose: (next: string) => {
      setChosen(next);
      setGone(false);
    },
    refuse: (what: 'reason' | 'text') => {
      if (what === 'reason') {
        setChosen(undefined);
        setGone(true);
      } else setWordy(reason);
      reload();
    },
  };
}

function Reasons({
  choices,
  value,
  onChange,
  fault,
}: {
  choices: readonly Choice<string>[];
  value: string | undefined;
  onChange: (reason: string) => void;
  fault: string;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <Choices
        legend={t('order.reason')}
        aria-describedby={`${id}-fault`}
        value={value}
        onChange={onChange}
        choices={choices}
      />
      <div id={`${id}-fault`}>{fault && <Alert type="error" showIcon role="alert" title={fault} />}</div>
    </>
  );
}

const PIN = /^\d{4,8}$/;

/** The PIN of somebody who may cancel, where one may not oneself. A refused one is emptied. */
function usePinOfOther() {
  const { needsPin: needed } = useStornoRight();
  const [value, setValue] = useState('');
  const [refused, setRefused] = useState(false);
  return {
    needed,
    value,
    refused,
    lacks: needed && !PIN.test(value),
    sent: needed ? value : undefined,
    change: (text: string) => {
      setRefused(false);
      setValue(text.replace(/\D/g, ''));
    },
    refuse: () => {
      setRefused(true);
      setValue('');
    },
  };
}

function PinOfOther({
  pin,
  id,
  submitted,
}: {
  pin: ReturnType<typeof usePinOfOther>;
  id: string;
  submitted: boolean;
}) {
  const { t } = useTranslation();
  const field = useRef<InputRef>(null);
  const { refused } = pin;
  useEffect(() => {
    if (refused) field.current?.focus();
  }, [refused]);
  const fault = refused ? t('fault.pin_of_other') : submitted && pin.lacks ? t('order.pin_missing') : '';
  return (
    <>
      <label className="archive-text" htmlFor={id}>
        {t('order.pin')}
      </label>
      <Input
        ref={field}
        id={id}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        data-1p-ignore=""
        maxLength={8}
        value={pin.value}
        status={fault ? 'error' : ''}
        aria-invalid={fault !== ''}
        aria-describedby={`${id}-help ${id}-fault`}
        onChange={(event) => pin.change(event.target.value)}
      />
      <div id={`${id}-help`} className="archive-help">
        {t('order.pin_help')} <NoOwnPin />
      </div>
      <div id={`${id}-fault`} className="archive-missing" role={fault ? 'alert' : undefined}>
        {fault}
      </div>
    </>
  );
}
