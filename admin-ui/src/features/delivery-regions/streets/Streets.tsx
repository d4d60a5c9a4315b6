import { LeftOutlined, EditOutlined, ImportOutlined } from '@ant-design/icons';
import { useOne } from '@refinedev/core';
import { Checkbox, Input } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion, DeliveryStreet } from '../../../generated/model';
import { type Column, type FormBodyProps, ResourcePage } from '../../../lib/crud';
import { useFormat } from '../../../lib/format';
import { later } from '../../../lib/later';
import { usePage } from '../../../lib/navigation';
import { useRestaurant } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { Chip } from '../../../lib/ui/page';
import { QueryFallback } from '../../../lib/ui/states';
import { StreetsOrShapes } from '../shared/MethodNotice';
import { streetFields, unitOf } from '../regionFields';
import { useStreetName, WHOLE } from './street';

const RegionEditor = later(() => import('../RegionEditor'), 'over');
const StreetImport = later(() => import('./StreetImport'), 'over');

/** From the last key until streets are searched. ms */
const SEARCH_MS = 700;

/** The streets of a region; behind `/new` and `/{street}` the form of one beside them. */
export default function Streets({ region }: { region: string }) {
  const { query, result } = useOne<DeliveryRegion>({
    resource: 'delivery_regions',
    id: region,
    errorNotification: false,
  });
  if (!result) return <QueryFallback query={query} rows={8} />;
  return <StreetPage region={result} />;
}

function StreetPage({ region }: { region: DeliveryRegion }) {
  const { t } = useTranslation();
  const { open } = usePage();
  const { currency, money } = useFormat();
  const own = useRestaurant();
  const [over, setOver] = useState<'edit' | 'import'>();
  // Streets are entered one after the other: the next one lies where the last one does.
  const [place, setPlace] = useState<Pick<DeliveryStreet, 'postcode' | 'city'>>();
  const nameOf = useStreetName();
  return (
    <>
      <ResourcePage<DeliveryStreet>
        resource="delivery_streets"
        fields={streetFields(currency)}
        below={region.id}
        params={{ id: region.id }}
        title={t('delivery_streets.of', { name: region.name })}
        lead={t('delivery_streets.lead', {
          price: money(region.price),
          minimum: money(region.min_order_price),
        })}
        notice={<StreetsOrShapes shapes={region.polygons > 0} />}
        actions={
          <>
            <Button icon={<LeftOutlined />} onClick={() => void open('list', { dropQuery: true })}>
              {t('delivery_streets.back')}
            </Button>
            <Button icon={<EditOutlined />} onClick={() => setOver('edit')}>
              {t('delivery_regions.edit')}
            </Button>
            <Button icon={<ImportOutlined />} onClick={() => setOver('import')}>
              {t('region_import.streets')}
            </Button>
          </>
        }
        searchPause={SEARCH_MS}
        filters={['active']}
        columns={useColumns(region)}
        form={['name', ['postcode', 'city'], 'price', 'description', 'active']}
        overrides={useOverrides(region)}
        initial={{ active: true, postcode: own.postcode ?? null, city: own.city, ...place }}
        onCreated={({ postcode, city }) => setPlace({ postcode, city })}
        nameOf={nameOf}
        history
      />
      {over === 'edit' && <RegionEditor id={region.id} onClose={() => setOver(undefined)} />}
      {over === 'import' && <StreetImport region={region} onClose={() => setOver(undefined)} />}
    </>
  );
}

function useColumns(region: DeliveryRegion): Column<DeliveryStreet>[] {
  const { t } = useTranslation();
  const { money } = useFormat();
  const nameOf = useStreetName();
  return [
    {
      key: 'name',
      render: (row) => (
        <span className="dr-name">
          {nameOf(row)} {!row.active && <Chip>{t('state.inactive')}</Chip>}
        </span>
      ),
    },
    { key: 'postcode' },
    { key: 'city' },
    {
      key: 'price',
      align: 'right',
      render: (row) =>
        row.price === null || row.price === undefined ? (
          <span className="dr-inherited">
            <span className="num">{money(region.price)}</span> {t('delivery_streets.from_region')}
          </span>
        ) : (
          <span className="num">{money(row.price)}</span>
        ),
    },
    { key: 'active' },
  ];
}

function useOverrides(region: DeliveryRegion): NonNullable<FormBodyProps['overrides']> {
  const { t } = useTranslation();
  const { currency, money } = useFormat();
  const { city: own } = useRestaurant();
  return {
    name: {
      input: <NameInput />,
      rules: [
        ({ getFieldValue }) => ({
          validator: async (_, value) => {
            const placed = [getFieldValue('postcode'), getFieldValue('city')].some(
              (one) => typeof one === 'string' && one.trim() !== '',
            );
            if (value === WHOLE && !placed) throw new Error(t('delivery_streets.whole_needs'));
          },
        }),
      ],
    },
    postcode: { help: t('delivery_streets.postcode_hint') },
    city: { help: t('delivery_streets.city_hint', { city: own || t('delivery_streets.own_city') }) },
    price: {
      unit: unitOf(currency),
      help: t('delivery_streets.price_hint', { price: money(region.price) }),
    },
  };
}

interface NameProps {
  id?: string;
  value?: string | null;
  onChange?: (name: string) => void;
}

/** The name of a street, or that the row stands for all streets of its postcode or town. */
function NameInput({ id, value, onChange }: NameProps) {
  const { t } = useTranslation();
  const whole = value === WHOLE;
  const typed = useRef('');
  return (
    <>
      <Input
        {...(id ? { id } : {})}
        value={whole ? '' : (value ?? '')}
        {...(whole ? { disabled: true } : {})}
        autoComplete="off"
        placeholder={whole ? t('delivery_streets.whole') : undefined}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Checkbox
        className="dr-whole"
        checked={whole}
        onChange={(event) => {
          if (event.target.checked) typed.current = value ?? '';
          onChange?.(event.target.checked ? WHOLE : typed.current);
        }}
      >
        {t('delivery_streets.whole')}
      </Checkbox>
    </>
  );
}
