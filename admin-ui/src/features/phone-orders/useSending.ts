import { useCallback, useEffect, useRef, useState } from 'react';
import type { Draft } from '../../lib/form/useDraft';
import type { useSave } from '../../lib/form/useSave';
import type { Reason } from '../order-taking/reasons';
import type { RunningQuote } from '../order-taking/useQuote';
import type { PhoneDraft } from './draft';

/** What is waited for before the order is sent: fields that are being filled in, or the price. */
export type Waiting = 'fields' | 'price';

/** How much of the work is under way that fills in fields. */
export function useFilling() {
  const [count, setCount] = useState(0);
  const fill = useCallback(async <T>(work: Promise<T>): Promise<T> => {
    setCount((before) => before + 1);
    try {
      return await work;
    } finally {
      setCount((before) => before - 1);
    }
  }, []);
  return { filling: count > 0, fill };
}

/** Amounts and codes are taken over when their field is left: a shortcut comes while the cursor is in one. */
async function commitTyping(): Promise<void> {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.blur();
  await new Promise((resolve) => setTimeout(resolve));
  field.focus({ preventScroll: true });
}

interface Priced {
  form: Pick<Draft<PhoneDraft>, 'check'>;
  running: RunningQuote;
  reasons: readonly Reason[];
  /** Fields are being filled in. */
  filling: boolean;
  save: Pick<ReturnType<typeof useSave>, 'run' | 'unknown'>;
  /** It would be refused: go to the first reason. */
  onReasons: (reasons: readonly Reason[]) => void;
}

/** Sends once fields and price are there, or says what is missing and what stands against it. */
export function useSending(priced: Priced) {
  const latest = useRef(priced);
  latest.current = priced;
  const [refused, setRefused] = useState(false);
  const [waiting, setWaiting] = useState<Waiting>();
  const proceed = async () => {
    const { reasons, save, onReasons } = latest.current;
    if (reasons.length === 0) return void (await save.run());
    setRefused(true);
    onReasons(reasons);
  };
  const attempt = async () => {
    const whole = await latest.current.form.check();
    const { running, save, reasons } = latest.current;
    // What is missing has the focus; what stands against it is said with it.
    if (!whole) return setRefused(!running.stale && reasons.length > 0);
    if (!running.stale || save.unknown) return proceed();
    if (running.error === undefined) setWaiting('price');
    else running.retry();
  };
  const send = async () => {
    setRefused(false);
    await commitTyping();
    if (latest.current.filling) setWaiting('fields');
    else await attempt();
  };
  const { filling, running } = priced;
  const answered = waiting === 'fields' ? !filling : !running.stale || running.error !== undefined;
  useEffect(() => {
    if (!waiting || !answered) return;
    setWaiting(undefined);
    if (waiting === 'fields') void attempt();
    else if (!latest.current.running.stale) void proceed();
  }, [waiting, answered]);
  return {
    send,
    refused,
    waiting,
    forget: () => {
      setRefused(false);
      setWaiting(undefined);
    },
  };
}
