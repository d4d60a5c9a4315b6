import { Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TimeInput } from '../../lib/fields/TimeInput';
import { useFormat } from '../../lib/format';
import { useNow } from '../../lib/hooks';
import { Dialog } from '../../lib/ui/Dialog';
import type { BusyTime } from '../../lib/busy';
import { serverNow } from '../../lib/clock';
import { endOf, type Length, LENGTHS, MORE, type More } from './end';
import './busy.css';

interface Props {
  /** As it holds now. */
  busy: BusyTime | undefined;
  saving: boolean;
  onSet: (minutes: More, until: string) => void;
  onClose: () => void;
}

/** So often the end that is shown is computed anew. ms */
const TICK_MS = 10_000;

/** Asks by how much orders take longer, and until when. */
export default function BusyDialog({ busy, saving, onSet, onClose }: Props) {
  const { t } = useTranslation();
  const { zone, time: clock, dateTime, date } = useFormat();
  useNow(TICK_MS);
  const [more, setMore] = useState<More>(() => MORE.find((one) => one === busy?.minutes) ?? 10);
  const [length, setLength] = useState<Length>(busy ? 'time' : 30);
  const [time, setTime] = useState(() => clock(busy?.until ?? new Date(serverNow() + 60 * 60_000)));
  const end = endOf(length, time, serverNow(), zone);
  const today = end && date(end) === date(new Date(serverNow()).toISOString());
  return (
    <Dialog
      title={t('busy.question')}
      okText={t(busy ? 'busy.change' : 'busy.set')}
      cancelText={t('action.cancel')}
      okButtonProps={{ loading: saving, disabled: !end }}
      onOk={() => end && onSet(more, end)}
      onCancel={onClose}
    >
      <fieldset className="busy-choice">
        <legend>{t('busy.more')}</legend>
        <Radio.Group
          aria-label={t('busy.more')}
          optionType="button"
          value={more}
          onChange={({ target }) => setMore(target.value as More)}
          options={MORE.map((minutes) => ({ value: minutes, label: t('busy.plus', { minutes }) }))}
        />
      </fieldset>
      <fieldset className="busy-choice">
        <legend>{t('busy.length')}</legend>
        <Radio.Group
          aria-label={t('busy.length')}
          value={length}
          onChange={({ target }) => setLength(target.value as Length)}
          options={[
            ...LENGTHS.map((minutes) => ({ value: minutes, label: t('busy.for_minutes', { minutes }) })),
            { value: 'time', label: t('busy.until_time') },
          ]}
        />
        {length === 'time' && (
          <div className="busy-time">
            <TimeInput label={t('busy.until_time')} value={time} onChange={setTime} />
          </div>
        )}
      </fieldset>
      <p role="status">
        {end && t('busy.effect', { minutes: more, time: today ? clock(end) : dateTime(end) })}
      </p>
    </Dialog>
  );
}
