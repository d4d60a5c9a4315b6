import { Input } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAmount, useFormat } from '../format';
import { Card } from '../ui/page';
import { ProblemAlert } from '../ui/states';
import { useInlineWork } from '../ui/work';
import './form.css';

interface Props {
  /** Of the input; its name in the form, should there be one. */
  id: string;
  title: string;
  label: string;
  help: ReactNode;
  /** Behind the number. */
  unit: string;
  now: number;
  /** Sent when typing has paused this long. ms */
  pause: number;
  /** Whether a number as it is sent (`12.5`) can be taken. */
  fits: (plain: string) => boolean;
  /** Said of one that cannot. */
  wrong: string;
  disabled?: boolean;
  save: (value: number) => Promise<unknown>;
}

/** The input, and the time of sending. */
function useSelfSaving({ now, pause, fits, save }: Pick<Props, 'now' | 'pause' | 'fits' | 'save'>) {
  const [typed, setTyped] = useState<string>();
  const [saved, setSaved] = useState(false);
  const { busy: saving, error, dismiss, work } = useInlineWork();
  const plain = typed === undefined ? String(now) : parseAmount(typed);
  const faulty = plain === undefined || !fits(plain);
  const put = async () => {
    if (typed === undefined || faulty || saving) return;
    if (Number(plain) === now) return setTyped(undefined);
    setSaved(false);
    if (!(await work(() => save(Number(plain))))) return;
    setTyped((latestText) => (latestText === typed ? undefined : latestText));
    setSaved(true);
  };
  const latest = useRef(put);
  latest.current = put;
  // What was typed while an earlier number was under way waits for its answer. A refused number waits for the
  // next key press.
  useEffect(() => {
    if (typed === undefined || saving || error !== undefined) return;
    const timer = setTimeout(() => void latest.current(), pause);
    return () => clearTimeout(timer);
  }, [typed, saving, error, pause]);
  // Going to another screen is a pause too.
  useEffect(() => () => void latest.current(), []);
  return {
    typed,
    faulty,
    error,
    /** Typed, and not saved yet. */
    waiting: saving || (typed !== undefined && error === undefined),
    saved,
    type: (text: string) => {
      dismiss();
      setTyped(text);
    },
    put: () => void put(),
    dismissError: dismiss,
  };
}

/** A number that saves itself once typing pauses, at the latest when the field or the screen is left. */
export function SelfSavingNumber(props: Props) {
  const { id, title, label, help, unit, now, wrong, disabled = false } = props;
  const { t } = useTranslation();
  const { number } = useFormat();
  const { typed, faulty, error, waiting, saved, type, put, dismissError } = useSelfSaving(props);
  const state = waiting ? t('state.will_save') : saved ? t('state.saved') : '';
  return (
    <Card title={title}>
      {error !== undefined && <ProblemAlert error={error} onClose={dismissError} />}
      <div className="setting-line">
        <div>
          <label htmlFor={id}>
            <b>{label}</b>
          </label>
          <p id={`${id}-help`}>{help}</p>
          <p role="status" className={faulty ? 'setting-wrong' : ''}>
            {faulty ? wrong : state}
          </p>
        </div>
        <Input
          id={id}
          className="setting-number"
          aria-describedby={`${id}-help`}
          inputMode="decimal"
          autoComplete="off"
          suffix={unit}
          disabled={disabled}
          status={faulty ? 'error' : ''}
          value={typed ?? number(now)}
          onChange={(event) => type(event.target.value)}
          onBlur={put}
          onPressEnter={put}
        />
      </div>
    </Card>
  );
}
