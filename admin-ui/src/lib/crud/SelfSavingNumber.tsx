import { Input } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAmount, useFormat } from '../format';
import { Card } from '../ui/page';
import { ProblemAlert } from '../ui/states';
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

/** A number that saves itself once typing pauses, at the latest when the field or the screen is left. */
export function SelfSavingNumber({
  id,
  title,
  label,
  help,
  unit,
  now,
  pause,
  fits,
  wrong,
  disabled = false,
  save,
}: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [typed, setTyped] = useState<string>();
  const [state, setState] = useState<'saving' | 'saved'>();
  const [error, setError] = useState<unknown>();
  const plain = typed === undefined ? String(now) : parseAmount(typed);
  const faulty = plain === undefined || !fits(plain);
  const put = async () => {
    if (typed === undefined || faulty || state === 'saving') return;
    if (Number(plain) === now) return setTyped(undefined);
    setState('saving');
    setError(undefined);
    try {
      await save(Number(plain));
      setTyped((latest) => (latest === typed ? undefined : latest));
      setState('saved');
    } catch (failure) {
      setState(undefined);
      setError(failure);
    }
  };
  const latest = useRef(put);
  latest.current = put;
  const saving = state === 'saving';
  // What was typed while an earlier number was under way waits for its answer. A refused one waits for the
  // next key.
  useEffect(() => {
    if (typed === undefined || saving || error !== undefined) return;
    const timer = setTimeout(() => void latest.current(), pause);
    return () => clearTimeout(timer);
  }, [typed, saving, error, pause]);
  // Going to another screen is a pause too.
  useEffect(() => () => void latest.current(), []);
  return (
    <Card title={title}>
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <div className="setting-line">
        <div>
          <label htmlFor={id}>
            <b>{label}</b>
          </label>
          <p id={`${id}-help`}>{help}</p>
          <p role="status" className={faulty ? 'setting-wrong' : ''}>
            {faulty
              ? wrong
              : saving || (typed !== undefined && error === undefined)
                ? t('state.will_save')
                : state === 'saved'
                  ? t('state.saved')
                  : ''}
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
          onChange={(event) => {
            setError(undefined);
            setTyped(event.target.value);
          }}
          onBlur={() => void put()}
          onPressEnter={() => void put()}
        />
      </div>
    </Card>
  );
}
