import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { channelName } from '../order/Channel';
import { formatPhone } from '../order/phone';
import { useMethods } from './api';
import { type Filter, isInstant, isSet, NO_FILTER } from './filter';

/** One thing that the list is filtered by, and the filter without it. */
export interface Words {
  text: string;
  without: Partial<Filter>;
}

/** Without these values. */
const none = (...names: (keyof Filter)[]): Partial<Filter> =>
  Object.fromEntries(names.map((name) => [name, NO_FILTER[name]]));

/** What is chosen, in words: a range as one, with the time that it is of. */
export function useFilterWords(): (filter: Filter) => Words[] {
  const { t } = useTranslation();
  const { day, dateTime } = useFormat();
  const methods = useMethods();
  const bound = (at: string) => (at === '' ? '…' : isInstant(at) ? dateTime(at) : day(at));
  const named = (name: keyof Filter, words: string): Words => ({
    text: `${t(`previous.${name}`)}: ${words}`,
    without: none(name),
  });
  const method = (id: string) => methods.find((one) => one.id === id)?.name ?? '…';
  return (filter) => {
    const of = (name: keyof Filter, words: () => string) =>
      isSet(filter, name) ? [named(name, words())] : [];
    const { from, till, date_filter_by: by } = filter;
    const range = from === till ? bound(from) : `${bound(from)} – ${bound(till)}`;
    return [
      ...of('q', () => filter.q),
      ...of('counter', () => filter.counter),
      ...of('name', () => filter.name),
      ...of('phone_1', () => formatPhone(filter.phone_1)),
      ...(from || till
        ? [{ text: `${t(`previous.by.${by}`)}: ${range}`, without: none('from', 'till', 'date_filter_by') }]
        : []),
      ...of('id', () => `…${filter.id.slice(-6)}`),
      ...of('city', () => filter.city),
      ...of('street', () => filter.street),
      ...of('premise_number', () => filter.premise_number),
      ...of('payment_methods', () => filter.payment_methods.map(method).join(', ')),
      ...of('platforms', () => filter.platforms.map((one) => channelName(one, t)).join(', ')),
      ...of('storno', () => t(`previous.storno.${filter.storno}`)),
      ...of('has_discount', () => t(`previous.has_discount.${filter.has_discount}`)),
    ];
  };
}
