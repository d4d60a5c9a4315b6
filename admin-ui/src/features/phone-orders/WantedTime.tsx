import { Input } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useContext, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publicOpeningHoursGet } from '../../generated/client/public/public';
import { leadAt } from '../../lib/busy';
import DayInput from '../../lib/fields/DayInput';
import { toInstant, toLocalTime } from '../../lib/fields/zone';
import { PLAIN_DAY, useFormat } from '../../lib/format';
import { FieldStateContext, useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useNow } from '../../lib/hooks';
import { useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { isPast, type PhoneDraft } from './draft';
import { LONGEST, nextQuarters, parseWanted, sensibleTime } from './wantedTime';

/** So many times of today are one press away. */
const MOST_QUICK = 8;
const MINUTE = 60_000;

interface Props {
  /** The wanted time, in whichever draft it is. */
  form: {
    draft: Pick<PhoneDraft, 'pickup' | 'expected_at'>;
    set: (change: Pick<PhoneDraft, 'expected_at'>) => void;
  };
}

/** The wanted time as it is typed and chosen, by the restaurant's clock and hours. */
function useWanted({ draft, set }: Props['form']) {
  const { language, zone } = useFormat();
  const restaurant = useRestaurant();
  const { min_preorder_pickup_diff, min_preorder_delivery_diff } = restaurant;
  const { data: hours } = useRead('publicOpeningHoursGet', () => publicOpeningHoursGet(...here()), {
    staleTime: MINUTE,
  });
  const clock = useNow(MINUTE / 2);
  const now = useMemo(() => toLocalTime(new Date(clock).toISOString(), zone), [clock, zone]);
  // What is typed, until it is read; what cannot be read stays.
  const [text, setText] = useState<string>();
  const [unread, setUnread] = useState(false);
  const local = draft.expected_at ? toLocalTime(draft.expected_at, zone) : undefined;
  const day = (local ?? now).format(PLAIN_DAY);
  const least = (draft.pickup ? min_preorder_pickup_diff : min_preorder_delivery_diff) || 0;
  const lead = leadAt(restaurant, least, clock);
  const around = { now, lead, hours };
  const put = (chosen: Dayjs) => {
    setText(undefined);
    setUnread(false);
    set({ expected_at: toInstant(chosen, zone) });
  };
  const at = (chosen: string, time: string) => dayjs(`${chosen}T${time}`);
  return {
    now,
    local,
    day,
    text: text ?? local?.format('HH:mm') ?? '',
    quick: nextQuarters(around, MOST_QUICK),
    fault: unread
      ? ('time_unread' as const)
      : isPast(draft.expected_at, clock)
        ? ('time_past' as const)
        : undefined,
    put,
    type: (typed: string) => {
      setText(typed);
      setUnread(false);
      // A whole time counts at once.
      const time = /^\d{2}:\d{2}$/.test(typed) ? parseWanted(typed, language, now)?.time : undefined;
      if (time) put(at(day, time));
    },
    /** The field is left: what was typed is taken, or said to be no time. */
    read: () => {
      if (text === undefined) return;
      const typed = parseWanted(text, language, now);
      if (typed) {
        const chosen = typed.day ?? day;
        return put(at(chosen, typed.time ?? sensibleTime(chosen, around)));
      }
      setUnread(text.trim() !== '');
      if (text.trim() === '') setText(undefined);
      set({ expected_at: null });
    },
    /** Another day keeps the time, unless it is over then. */
    choose: (chosen: string) => {
      const kept = local && at(chosen, local.format('HH:mm'));
      put(kept?.isAfter(now) ? kept : at(chosen, sensibleTime(chosen, around)));
    },
  };
}

/** When it is wanted: typed, one of the next quarter hours, or on another day of the calendar. */
export function WantedTime({ form }: Props) {
  const { t } = useTranslation();
  const state = useContext(FieldStateContext);
  const locked = useLocked();
  const wanted = useWanted(form);
  const { now, day, text, fault } = wanted;
  // What is wrong with it is said at once: it was typed, and is not only missing.
  const faults = fault ? { ...state.faults, expected_at: t(`phone_orders.${fault}`) } : state.faults;
  return (
    <FieldStateContext.Provider value={{ ...state, faults }}>
      <FieldRow
        path="expected_at"
        label={t('phone_orders.expected_at')}
        help={t('phone_orders.time_help')}
        required
      >
        {(control) => (
          <div className="phone-wanted">
            <Input
              {...control}
              className="num"
              autoComplete="off"
              maxLength={30}
              disabled={locked}
              value={text}
              onFocus={(event) => event.target.select()}
              onChange={(event) => wanted.type(event.target.value)}
              onPressEnter={wanted.read}
              onBlur={wanted.read}
            />
            <DayInput
              label={t('phone_orders.expected_day')}
              allowClear={false}
              // Days are typed with the time.
              inputReadOnly
              least={now.format(PLAIN_DAY)}
              most={now.add(LONGEST, 'day').format(PLAIN_DAY)}
              disabled={locked}
              value={day}
              onChange={(chosen) => chosen && wanted.choose(chosen)}
            />
          </div>
        )}
      </FieldRow>
      <Quick wanted={wanted} />
    </FieldStateContext.Provider>
  );
}

function Quick({ wanted: { quick, local, put } }: { wanted: ReturnType<typeof useWanted> }) {
  const { t } = useTranslation();
  const locked = useLocked();
  if (quick.length === 0) return null;
  return (
    <div className="phone-buttons phone-quick" role="group" aria-label={t('phone_orders.quick')}>
      {quick.map((time) => (
        <Button
          key={time.valueOf()}
          size="small"
          className="num"
          type={local?.isSame(time) ? 'primary' : 'default'}
          aria-pressed={local?.isSame(time) ?? false}
          disabled={locked}
          onClick={() => put(time)}
        >
          {time.format('HH:mm')}
        </Button>
      ))}
    </div>
  );
}
