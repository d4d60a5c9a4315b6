import { DownloadOutlined, PlusOutlined } from '@ant-design/icons';
import { keepPreviousData } from '@tanstack/react-query';
import { Alert, Form, Input, Pagination, Switch, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  discountSeriesCreate,
  getDiscountSeriesExportUrl,
  discountSeriesList,
} from '../../generated/client/orders/orders';
import type { Discount, DiscountCode, NewDiscountSeries } from '../../generated/model';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import { useInputForm } from '../../lib/form/useInputForm';
import { useFormat } from '../../lib/format';
import { counted, requestFile } from '../../lib/http';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { NumberInput } from '../../lib/ui/NumberInput';
import { Chip } from '../../lib/ui/page';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { useDiscount, useRefreshDiscounts } from './api';
import { save } from '../../lib/download';

/** The most codes of one coupon. */
const MOST = 10_000;

const readCodes = (id: string, page: number): Promise<{ rows: DiscountCode[]; total: number }> =>
  counted((options) =>
    discountSeriesList(...here(), id, { limit: PAGE_SIZE, page: page - 1, count: true }, options),
  );

/** Codes of a coupon, each good for one order: which there are, more of them, and all as a sheet. */
export default function CodesDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const discount = useDiscount(id).data;
  const [page, setPage] = useState(1);
  const [making, setMaking] = useState(false);
  const codes = useRead(readKey('discountSeriesList', id, page), () => readCodes(id, page), {
    placeholderData: keepPreviousData,
  });
  const total = codes.data?.total ?? 0;
  return (
    <SideDrawer
      rootClassName="edit-drawer"
      title={discount ? t('discounts.codes_of', { name: discount.name }) : t('discounts.codes')}
      width={720}
      onClose={onClose}
      footer={<Buttons discount={discount} total={total} onMake={() => setMaking(true)} />}
    >
      <p className="edit-lead">{t('discounts.codes_lead')}</p>
      {discount?.code && total > 0 && (
        <Alert
          className="page-alert"
          type="info"
          showIcon
          title={t('discounts.own_code_too', { code: discount.code })}
        />
      )}
      {!codes.data ? (
        <QueryFallback query={codes} rows={6} />
      ) : total === 0 ? (
        <EmptyState title={t('discounts.codes_none')} text={t('discounts.codes_none_text')} />
      ) : (
        <Codes rows={codes.data.rows} busy={codes.isPlaceholderData} />
      )}
      {total > PAGE_SIZE && (
        <Pagination
          className="discount-pages"
          current={page}
          pageSize={PAGE_SIZE}
          total={total}
          showSizeChanger={false}
          onChange={setPage}
          responsive
        />
      )}
      {making && discount && (
        <MakeDialog discount={discount} total={total} onClose={() => setMaking(false)} />
      )}
    </SideDrawer>
  );
}

function Buttons({
  discount,
  total,
  onMake,
}: {
  discount: Discount | undefined;
  total: number;
  onMake: () => void;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { busy, work } = useWork();
  const download = (row: Discount) =>
    work(async () =>
      save(`${row.name}.xlsx`, await requestFile(getDiscountSeriesExportUrl(...here(), row.id))),
    );
  return (
    <div className="form-buttons">
      <span role="status">{t('list.total', { total: number(total) })}</span>
      <span className="form-buttons-gap" />
      {discount && total > 0 && (
        <Button icon={<DownloadOutlined />} loading={busy} onClick={() => void download(discount)}>
          {t('discounts.codes_export')}
        </Button>
      )}
      {discount?.editable && total < MOST && (
        <Button type="primary" icon={<PlusOutlined />} onClick={onMake}>
          {t('discounts.codes_make')}
        </Button>
      )}
    </div>
  );
}

function Codes({ rows, busy }: { rows: DiscountCode[]; busy: boolean }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return (
    <Table<DiscountCode>
      rowKey="code"
      pagination={false}
      loading={busy}
      dataSource={rows}
      columns={[
        { key: 'code', title: t('discounts.one_code'), render: (_, row) => <code>{row.code}</code> },
        {
          key: 'state',
          title: t('discounts.code_state'),
          render: (_, row) =>
            row.used_at ? (
              <span className="discount-type">
                <Chip>{t('discounts.code_used')}</Chip>
                <span className="edit-help num">{dateTime(row.used_at)}</span>
              </span>
            ) : (
              <Chip tone="success">{t('discounts.code_free')}</Chip>
            ),
        },
      ]}
    />
  );
}

/** Makes more codes; the coupon's own one can go with it. */
function MakeDialog({
  discount,
  total,
  onClose,
}: {
  discount: Discount;
  total: number;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const refresh = useRefreshDiscounts();
  const left = MOST - total;
  const action = useInputForm<NewDiscountSeries>({
    initial: { quantity: Math.min(100, left), prefix: '', keep_code: true },
    send: ({ quantity, prefix, keep_code }, key) =>
      discountSeriesCreate(
        ...here(),
        discount.id,
        { quantity, ...(prefix ? { prefix } : {}), keep_code: keep_code ?? true },
        { 'Idempotency-Key': key },
      ),
    onDone: (_, { quantity }) => {
      refresh();
      notify.success(t('discounts.codes_made', { number: number(quantity) }));
      onClose();
    },
  });
  return (
    <ActionDialog
      action={action}
      title={t('discounts.codes_make_of', { name: discount.name })}
      verb={t('discounts.codes_make')}
      onClose={onClose}
    >
      <Form.Item
        name="quantity"
        label={t('discount_series.quantity')}
        extra={t('discounts.codes_left', { number: number(left) })}
        rules={[
          { required: true, message: t('form.required') },
          { type: 'number', min: 1, message: t('form.min', { min: 1 }) },
          { type: 'number', max: left, message: t('form.max', { max: number(left) }) },
        ]}
      >
        <NumberInput<number> className="discount-number" min={0} precision={0} />
      </Form.Item>
      <Form.Item
        name="prefix"
        label={t('discount_series.prefix')}
        extra={t('discounts.prefix_help')}
        normalize={(text: string) => text.toUpperCase()}
        rules={[{ pattern: /^[A-Z0-9-]*$/, message: t('discounts.prefix_wrong') }]}
      >
        <Input maxLength={12} autoComplete="off" spellCheck={false} />
      </Form.Item>
      {discount.code && (
        <Form.Item
          name="keep_code"
          label={t('discount_series.keep_code')}
          valuePropName="checked"
          extra={t('discounts.keep_code_help', { code: discount.code })}
        >
          <Switch />
        </Form.Item>
      )}
    </ActionDialog>
  );
}
