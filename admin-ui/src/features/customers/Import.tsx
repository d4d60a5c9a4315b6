import { ArrowLeftOutlined, CheckOutlined, DownloadOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerImport } from '../../generated/model';
import { PlainRows } from '../../lib/crud/PlainRows';
import { csv, save } from '../../lib/download';
import { useFormat } from '../../lib/format';
import { UploadButton } from '../../lib/media/UploadButton';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip, PageHeader, type Tone } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useCustomerCalls } from './calls';
import { type RowFault, rowFaults } from './rowFaults';

/** Spreadsheets that the service reads. */
const KINDS = '.xlsx,.xls,.ods,.csv,.tsv';
/** The fields of a sample file. The service knows their names, in both languages, as headings. */
const HEADINGS = [
  'last_name',
  'first_name',
  'phone_1',
  'phone_2',
  'email',
  'note',
  'comment',
  'country',
  'postcode',
  'city',
  'street',
  'premise_number',
  'building',
  'floor',
  'door_number',
  'doorbell',
  'address_notes',
];

interface Tried {
  file: File;
  outcome: ShadowCustomerImport;
}

/** Customers from a spreadsheet: the rehearsal says what would be done, then it is done. */
export default function Import() {
  const { t } = useTranslation();
  const { open } = usePage();
  const notify = useNotify();
  const calls = useCustomerCalls();
  const { busy, error, dismiss, work } = useInlineWork();
  const [tried, setTried] = useState<Tried>();
  const rehearse = async (file: File) => {
    setTried(undefined);
    await work(async () => setTried({ file, outcome: await calls.importFile(file, true) }));
  };
  const apply = async ({ file }: Tried) => {
    const done = await work(async () => {
      const { added, filled } = await calls.importFile(file, false);
      notify.success(t('customers.import_done', { added, filled }));
    });
    if (done) void open();
  };
  const faults = rowFaults(error);
  return (
    <>
      <PageHeader
        title={t('customers.import')}
        lead={t('customers.import_lead')}
        actions={
          <Button icon={<ArrowLeftOutlined />} onClick={() => void open()}>
            {t('customers.back')}
          </Button>
        }
      />
      <div className="page-cards">
        <Card title={t('customers.import_file')}>
          <div className="customer-import">
            <p className="edit-help">{t('customers.import_columns')}</p>
            <div className="customer-buttons">
              <UploadButton
                primary={!tried}
                label={t('customers.import_choose')}
                accept={KINDS}
                disabled={busy}
                onFiles={([file]) => file && void rehearse(file)}
              />
              <Sample />
            </div>
            <div role="status">{busy && t('customers.import_reading')}</div>
          </div>
        </Card>
        {error !== undefined &&
          (faults.length > 0 ? <Faults faults={faults} /> : <ProblemAlert error={error} onClose={dismiss} />)}
        {tried && <Rehearsal tried={tried} busy={busy} onApply={() => void apply(tried)} />}
      </div>
    </>
  );
}

/** A file with the headings, to begin with. */
function Sample() {
  const { t } = useTranslation();
  const heading = (field: string) => {
    if (field === 'email') return 'E-mail';
    const own = `shadow_customers.${field}`;
    return t(i18next.exists(own) ? own : `shadow_customers.addresses.${field}`);
  };
  return (
    <Button
      icon={<DownloadOutlined />}
      onClick={() => save(t('customers.import_sample_file'), csv([HEADINGS.map(heading)]))}
    >
      {t('customers.import_sample')}
    </Button>
  );
}

const TONES: Record<string, Tone> = { added: 'success', filled: 'info', same: 'neutral' };

/** What would be done with each row, and the button that does it. */
function Rehearsal({
  tried: { file, outcome },
  busy,
  onApply,
}: {
  tried: Tried;
  busy: boolean;
  onApply: () => void;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const nothing = outcome.added + outcome.filled === 0;
  const all = outcome.added + outcome.filled + outcome.same;
  return (
    <Card flush className="list-card" title={t('customers.import_rehearsal', { file: file.name })}>
      <div className="customer-decide">
        <p role="status">
          {nothing
            ? t('customers.import_nothing')
            : t('customers.import_effect', {
                added: number(outcome.added),
                filled: number(outcome.filled),
              })}
        </p>
        <Button type="primary" icon={<CheckOutlined />} loading={busy} disabled={nothing} onClick={onApply}>
          {t('customers.import_apply')}
        </Button>
      </div>
      {outcome.rows.length < all && (
        <p className="customer-part">
          {t('customers.import_part', { shown: number(outcome.rows.length), total: number(all) })}
        </p>
      )}
      <PlainRows
        rows={outcome.rows}
        rowKey={({ row }) => String(row)}
        columns={[
          {
            key: 'name',
            title: t('shadow_customers.name'),
            render: ({ name }) => name || t('customers.nameless'),
          },
          {
            key: 'row',
            title: t('customers.fault_row'),
            render: ({ row }) => <span className="num">{number(row)}</span>,
          },
          {
            key: 'what',
            title: t('customers.import_what'),
            render: ({ what }) => (
              <Chip tone={TONES[what] ?? 'neutral'}>{t(`customers.import_what_${what}`)}</Chip>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** Every faulty cell: nothing was taken over. */
function Faults({ faults }: { faults: readonly RowFault[] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const head = (['row', 'column', 'reason'] as const).map((key) => t(`customers.fault_${key}`));
  const download = () =>
    save(
      t('customers.faults_file'),
      csv([head, ...faults.map(({ row, column, reason }) => [String(row), column, reason])]),
    );
  return (
    <>
      <Alert
        type="error"
        showIcon
        role="alert"
        title={t('customers.faults', { number: number(faults.length) })}
        description={t('customers.faults_text')}
        action={
          <Button icon={<DownloadOutlined />} onClick={download}>
            {t('customers.faults_download')}
          </Button>
        }
      />
      <Card flush className="list-card">
        <PlainRows
          rows={faults.map((fault, place) => ({ ...fault, place }))}
          rowKey={({ place }) => String(place)}
          columns={[
            {
              key: 'row',
              title: head[0] ?? '',
              render: ({ row }) => <span className="num">{t('customers.fault_in_row', { row })}</span>,
            },
            { key: 'column', title: head[1] ?? '', render: ({ column }) => column },
            { key: 'reason', title: head[2] ?? '', render: ({ reason }) => reason },
          ]}
        />
      </Card>
    </>
  );
}
