import { DatePicker, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useMemo } from 'react';
import 'dayjs/locale/hu';
import { useTranslation } from 'react-i18next';
import type { useListState } from '../../lib/crud';
import { DAY, PLAIN_DAY, useFormat } from '../../lib/format';
import { plain } from '../../lib/plain';
import { Button } from '../../lib/ui/Button';
import { SearchInput } from '../../lib/ui/SearchInput';
import { dayOf, type Log } from './model';

/** All actions of a resource as one choice. */
const IN_RESTAURANT = [
  'admins',
  'api_keys',
  'couriers',
  'delivery_polygons',
  'delivery_regions',
  'delivery_streets',
  'devices',
  'discount_series',
  'discount_usages',
  'discounts',
  'export_requests',
  'exports',
  'images',
  'kiosks',
  'legal_file',
  'menu_imports',
  'menu_mends',
  'ntak_changes',
  'opening_hours',
  'option_groups',
  'options',
  'order_emails',
  'order_filters',
  'orders',
  'own_pins',
  'payment_methods',
  'permission',
  'pos_configs',
  'product_categories',
  'products',
  'featured_products',
  'product_category_upsells',
  'sellable_quantities',
  'push_notifications',
  'restaurant_groups',
  'restaurant_holidays',
  'restaurant_switches',
  'restaurant_tvs',
  'restaurants',
  'sessions',
  'settings_history',
  'shadow_customer_addresses',
  'shadow_customers',
  'sign_in_provider',
  'socials',
  'storno_reasons',
  'support',
  'provider_accounts',
  'terminal_schemes',
  'teya',
];
const ON_PLATFORM = [
  'announcements',
  'api_key_limits',
  'documentations',
  'exports',
  'jobs',
  'ntak_categories',
  'partners',
  'release_infos',
  'restaurant_features',
  'restaurant_switches',
  'second_factor',
  'sessions',
  'support',
];

/** Time, person, action, record; all in the address. */
export function Filters({ log, state }: { log: Log; state: ReturnType<typeof useListState> }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  dayjs.locale(language);
  const one = (name: string) => state.filters[name]?.[0];
  const set = (name: string, value: string | undefined) =>
    state.set({ filters: { [name]: value ? [value] : undefined } });
  const [from, till] = [dayOf(one('from')), dayOf(one('till'))];
  // Another object counts as another value: with one of each drawing what is being typed would be lost.
  const range = useMemo(
    () => [from ? dayjs(from) : null, till ? dayjs(till) : null] as [Dayjs | null, Dayjs | null],
    [from, till],
  );
  return (
    <div className="list-tools" role="search">
      <DatePicker.RangePicker
        className="audit-range"
        format={DAY}
        allowEmpty
        aria-label={t('audit.time')}
        placeholder={[t('audit.from'), t('audit.till')]}
        value={range}
        onChange={(next) =>
          state.set({
            filters: {
              from: next?.[0] ? [next[0].format(PLAIN_DAY)] : undefined,
              till: next?.[1] ? [next[1].format(PLAIN_DAY)] : undefined,
            },
          })
        }
      />
      <SearchInput
        className="list-filter audit-person"
        label={t('audit.person')}
        value={one('name') ?? ''}
        onSearch={(text) => set('name', text || undefined)}
      />
      <Select
        allowClear
        className="list-filter audit-action"
        aria-label={t('audit.action')}
        placeholder={t('audit.action')}
        popupMatchSelectWidth={false}
        showSearch={{ optionFilterProp: 'label', filterSort: beginningFirst }}
        options={(log === 'platform_audit' ? ON_PLATFORM : IN_RESTAURANT)
          .map((value) => ({ value, label: t(`audit.resource.${value}`) }))
          .toSorted((a, b) => a.label.localeCompare(b.label, 'hu'))}
        value={one('action') ?? null}
        onChange={(value?: string) => set('action', value)}
      />
      <SearchInput
        className="audit-record"
        label={t('audit.record')}
        value={one('record_id') ?? ''}
        onSearch={(text) => set('record_id', text || undefined)}
        fits={isId}
      />
      {state.filtered && (
        <Button type="link" onClick={state.clear}>
          {t('action.clear_filters')}
        </Button>
      )}
    </div>
  );
}

/** What begins with what was typed stands before what contains it. */
const beginningFirst = (
  a: { label: string },
  b: { label: string },
  { searchValue }: { searchValue: string },
) => {
  const begins = ({ label }: { label: string }) => Number(plain(label).startsWith(plain(searchValue)));
  return begins(b) - begins(a);
};

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
