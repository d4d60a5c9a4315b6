import {
  AimOutlined,
  DeleteOutlined,
  EditOutlined,
  EllipsisOutlined,
  ImportOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../generated/model';
import { type Column, ResourceList, type Row } from '../../lib/crud';
import { ActiveSwitch } from '../../lib/crud/ActiveSwitch';
import { isWord } from '../../lib/features';
import { useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { usePage, usePageUrl } from '../../lib/navigation';
import { whenIdle } from '../../lib/reach';
import { Button } from '../../lib/ui/Button';
import { DropMenu } from '../../lib/ui/DropMenu';
import { Chip } from '../../lib/ui/page';
import { regionFields } from './regionFields';
import { StreetsOrShapes, useHasShapes } from './shared/MethodNotice';
import { RegionPrice } from './shared/RegionPrice';
import { useSwitchOff } from './shared/useNoRegion';
import { useRemoveRegion } from './useRemoveRegion';
import { ViewSwitch } from './ViewSwitch';

// The list stands first; what opens over it is loaded after it.
const loadEditor = () => import('./RegionEditor');
const RegionEditor = later(loadEditor, 'over');
const TownImport = later(() => import('./streets/TownImport'), 'over');
const CheckDrawer = later(() => import('./shared/CheckDrawer'), 'over');

export const SCREEN = 'delivery_regions';

/** All regions with their prices. Over it, behind `/list/new` and `/list/{id}`, the form of one. */
export function RegionList({ id }: { id: string | undefined }) {
  const { t } = useTranslation();
  const { open } = usePage();
  const url = usePageUrl();
  const { currency } = useFormat();
  const [over, setOver] = useState<'import' | 'check'>();
  const [generation, setGeneration] = useState(0);
  const columns = useColumns();
  const shapes = useHasShapes();
  const isNew = isWord('new', id);
  useEffect(() => whenIdle(() => void loadEditor().catch(() => undefined)), []);
  return (
    <>
      <ResourceList<DeliveryRegion>
        resource="delivery_regions"
        fields={regionFields(currency, false)}
        lead={t('delivery_regions.lead')}
        notice={<StreetsOrShapes shapes={shapes} />}
        actions={
          <>
            <ViewSwitch value="list" />
            <Button icon={<AimOutlined />} onClick={() => setOver('check')}>
              {t('region_check.title')}
            </Button>
            <Button icon={<ImportOutlined />} onClick={() => setOver('import')}>
              {t('region_import.towns')}
            </Button>
          </>
        }
        columns={columns}
        filters={['active']}
        href={(row) => url(SCREEN, row.id)}
        onOpen={(row) => void open(row.id, { dropQuery: true })}
        onNew={() => void open('list/new')}
        rowActions={(row) => <RowMenu row={row} />}
      />
      {id !== undefined && (
        <RegionEditor
          key={isNew ? `new-${generation}` : id}
          id={isNew ? undefined : id}
          onClose={() => void open('list')}
          onAnother={() => setGeneration((now) => now + 1)}
        />
      )}
      {over === 'import' && <TownImport onClose={() => setOver(undefined)} />}
      {over === 'check' && <CheckDrawer onClose={() => setOver(undefined)} />}
    </>
  );
}

function useColumns(): Column<DeliveryRegion>[] {
  const { t } = useTranslation();
  const { money, number } = useFormat();
  const beforeSwitch = useSwitchOff();
  return [
    {
      key: 'name',
      render: (row) => (
        <span className="dr-name">
          {row.name} {!row.active && <Chip>{t('state.inactive')}</Chip>}
        </span>
      ),
    },
    { key: 'price', align: 'right', render: (row) => <RegionPrice {...row} /> },
    {
      key: 'min_order_price',
      align: 'right',
      render: (row) => <span className="num">{money(row.min_order_price)}</span>,
    },
    {
      key: 'courier_price',
      align: 'right',
      wideOnly: true,
      render: (row) => <span className="num">{money(row.courier_price)}</span>,
    },
    {
      key: 'streets',
      title: t('delivery_regions.streets'),
      align: 'right',
      wideOnly: true,
      render: (row) => <span className="num">{number(row.streets)}</span>,
    },
    {
      key: 'polygons',
      title: t('delivery_regions.polygons'),
      align: 'right',
      wideOnly: true,
      render: (row) => <span className="num">{number(row.polygons)}</span>,
    },
    {
      key: 'active',
      render: (row) => (
        <ActiveSwitch
          resource="delivery_regions"
          row={row as unknown as Row}
          name={row.name}
          before={beforeSwitch(row)}
        />
      ),
    },
  ];
}

function RowMenu({ row }: { row: DeliveryRegion }) {
  const { t } = useTranslation();
  const { open } = usePage();
  const remove = useRemoveRegion();
  return (
    <DropMenu
      menu={{
        items: [
          {
            key: 'streets',
            icon: <UnorderedListOutlined />,
            label: t('delivery_regions.open_streets'),
            onClick: () => void open(row.id, { dropQuery: true }),
          },
          {
            key: 'edit',
            icon: <EditOutlined />,
            label: t('action.edit'),
            onClick: () => void open(`list/${row.id}`),
          },
          { type: 'divider' as const },
          {
            key: 'delete',
            danger: true,
            icon: <DeleteOutlined />,
            label: t('action.delete'),
            onClick: () => void remove(row),
          },
        ],
      }}
    >
      <Button
        type="text"
        icon={<EllipsisOutlined />}
        aria-label={t('delivery_regions.more_of', { name: row.name })}
      />
    </DropMenu>
  );
}
