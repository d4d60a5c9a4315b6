import {
  BarChartOutlined,
  BarcodeOutlined,
  CopyOutlined,
  DeleteOutlined,
  EditOutlined,
  EllipsisOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { fields as plainFields } from '../../generated/fields/discounts.gen';
import type { Discount } from '../../generated/model';
import { ActiveSwitch } from '../../lib/crud/ActiveSwitch';
import { type Column, ResourceList, type Row } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { DropMenu } from '../../lib/ui/DropMenu';
import { Chip } from '../../lib/ui/page';
import { CopyDialog } from './CopyDialog';
import { TYPES } from './draft';
import { StateChip } from './parts';
import { DISCOUNTS } from './useDiscountForm';
import { useCopyDiscount, useRemoveDiscount, useUndoActive } from './useRowActions';
import { conditions, summary, unbroken } from './words';

/** What the list is filtered by stands beside the fields of a row. */
const fields = {
  ...plainFields,
  activity: { kind: 'select', options: ['active', 'inactive', 'all'] },
  type: { kind: 'select', options: [...TYPES] },
  used: { kind: 'switch' },
} satisfies Fields;

const of = (row: Row) => row as unknown as Discount;

/** All promotions that hold at the restaurant; those that are active unless asked otherwise. */
export function DiscountList() {
  const { t } = useTranslation();
  const { open } = usePage();
  const url = usePageUrl();
  const [copied, setCopied] = useState<Discount>();
  const columns = useColumns();
  return (
    <>
      <ResourceList
        resource="discounts"
        fields={fields}
        lead={t('discounts.lead')}
        actions={
          <Link className="button-link" to={url(DISCOUNTS, 'running')}>
            <ThunderboltOutlined aria-hidden />
            {t('discounts.running')}
          </Link>
        }
        columns={columns}
        filters={['activity', 'type', 'used']}
        filterDefaults={{ activity: 'active' }}
        href={(row) => url(DISCOUNTS, String(row.id)) + location.search}
        onOpen={(row) => void open(String(row.id))}
        onNew={() => void open('new')}
        rowActions={(row) => <RowMenu row={of(row)} onCopyCoupon={setCopied} />}
      />
      {copied && <CopyDialog row={copied} onClose={() => setCopied(undefined)} />}
    </>
  );
}

function useColumns(): Column[] {
  const { t } = useTranslation();
  const { language, currency, number, dateTime } = useFormat();
  const undo = useUndoActive();
  const limits = ({ use_qty, all_max_use_qty: most }: Discount) =>
    most === null || most === undefined ? number(use_qty) : `${number(use_qty)} / ${number(most)}`;
  return [
    { key: 'name', render: (row) => unbroken(of(row).name) },
    {
      key: 'what',
      title: t('discounts.what'),
      render: (row) => (
        <span className="discount-what">
          {summary(of(row), { language, currency })}
          <TypeLine row={of(row)} />
          {conditions(of(row), language).map((one) => (
            <span className="edit-help" key={one}>
              {one}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'use_qty',
      align: 'right',
      wideOnly: true,
      render: (row) => <span className="num">{limits(of(row))}</span>,
    },
    {
      key: 'isValid',
      render: (row) => {
        const { valid_from, valid_till } = of(row);
        return (
          <span className="discount-valid">
            <StateChip row={of(row)} />
            {(valid_from ?? valid_till) && (
              <>
                <span className="edit-help num">{valid_from ? dateTime(valid_from) : '…'} –</span>
                <span className="edit-help num">{valid_till ? dateTime(valid_till) : '…'}</span>
              </>
            )}
          </span>
        );
      },
    },
    {
      key: 'active',
      render: (row) =>
        row.editable ? (
          <ActiveSwitch
            resource="discounts"
            row={row}
            name={of(row).name}
            onChanged={(active) => undo(of(row), active)}
          />
        ) : (
          <Chip tone={row.active ? 'success' : 'neutral'}>
            {t(row.active ? 'state.active' : 'state.inactive')}
          </Chip>
        ),
    },
  ];
}

/** What it is; a coupon with its code. */
function TypeLine({ row }: { row: Discount }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <span className="edit-help">
      {t(`discounts.discount_type.${row.discount_type}`)} {row.code && <code>{row.code}</code>}{' '}
      {row.series_qty > 0 && t('discounts.series_of', { number: number(row.series_qty) })}
    </span>
  );
}

function RowMenu({ row, onCopyCoupon }: { row: Discount; onCopyCoupon: (row: Discount) => void }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const remove = useRemoveDiscount();
  const copy = useCopyDiscount();
  const link = (sub: string, text: string) => <Link to={url(DISCOUNTS, `${row.id}${sub}`)}>{text}</Link>;
  const coupon = row.discount_type === 'coupon';
  return (
    <DropMenu
      menu={{
        items: [
          { key: 'edit', icon: <EditOutlined />, label: link('', t('action.edit')) },
          { key: 'usage', icon: <BarChartOutlined />, label: link('/usage', t('discounts.usage')) },
          ...(coupon
            ? [{ key: 'codes', icon: <BarcodeOutlined />, label: link('/codes', t('discounts.codes')) }]
            : []),
          {
            key: 'copy',
            icon: <CopyOutlined />,
            label: t('discounts.copy'),
            onClick: () => (coupon ? onCopyCoupon(row) : void copy(row)),
          },
          ...(row.editable
            ? [
                { type: 'divider' as const },
                {
                  key: 'archive',
                  danger: true,
                  icon: <DeleteOutlined />,
                  label: t('discounts.archive'),
                  onClick: () => void remove(row),
                },
              ]
            : []),
        ],
      }}
    >
      <Button
        type="text"
        icon={<EllipsisOutlined />}
        aria-label={t('discounts.more_of', { name: row.name })}
      />
    </DropMenu>
  );
}
