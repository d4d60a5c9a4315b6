import { Alert } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { csv, save } from '../../../lib/download';
import { PlainRows } from '../../../lib/crud/PlainRows';
import { useFormat } from '../../../lib/format';
import { UploadButton } from '../../../lib/media/UploadButton';
import { Button } from '../../../lib/ui/Button';
import { ProblemAlert } from '../../../lib/ui/states';
import { SideDrawer } from '../../../lib/ui/SideDrawer';
import { type CellFault, faultsOf } from './faults';

const KINDS = '.xlsx,.xls,.ods,.csv,.tsv';

interface Props {
  title: string;
  lead: string;
  /** Which columns the file has. */
  columns: string;
  /** An example to begin with. */
  sample: { name: string; rows: readonly (readonly string[])[] };
  busy: boolean;
  error: unknown;
  /** What the column of a key is called. */
  labelOf: (key: string) => string;
  /** The key of the column that says what a row is about. */
  nameKey: string;
  onFile: (file: File) => void;
  onClose: () => void;
  footer?: ReactNode;
  children?: ReactNode;
}

/** A drawer that takes a spreadsheet, and says row by row why it does not. */
export function FileImport(props: Props) {
  const { title, lead, columns, sample, busy, error, labelOf, nameKey } = props;
  const { onFile, onClose, footer, children } = props;
  const { t } = useTranslation();
  const choice = useFocusAfter(busy);
  const faults = faultsOf(error, labelOf);
  return (
    <SideDrawer title={title} width={680} onClose={onClose} footer={footer}>
      <p className="edit-lead">{lead}</p>
      <p className="edit-help">{columns}</p>
      <div className="dr-buttons" ref={choice}>
        <UploadButton
          primary={!children}
          label={t('region_import.choose')}
          accept={KINDS}
          disabled={busy}
          onFiles={([file]) => file && onFile(file)}
        />
        <Button onClick={() => save(sample.name, csv(sample.rows))}>{t('region_import.sample')}</Button>
      </div>
      <div role="status">{busy && <p>{t('region_import.reading')}</p>}</div>
      {error !== undefined &&
        (faults.length > 0 ? (
          <Faults faults={faults} nameTitle={labelOf(nameKey)} />
        ) : (
          <ProblemAlert error={error} />
        ))}
      {children}
    </SideDrawer>
  );
}

/**
 * The button that chose the file is disabled while it is read, and loses the focus: then it goes to the button that
 * takes it, where there is one, else back.
 */
function useFocusAfter(busy: boolean) {
  const choice = useRef<HTMLDivElement>(null);
  const was = useRef(false);
  useEffect(() => {
    const done = was.current && !busy;
    was.current = busy;
    if (!done) return;
    // With what the answer has brought.
    const frame = requestAnimationFrame(() => {
      const layer = choice.current?.closest<HTMLElement>('[role=dialog]');
      const now = document.activeElement;
      if (now !== document.body && now !== layer && !choice.current?.contains(now)) return;
      const take = layer?.querySelector<HTMLElement>('.form-buttons .ant-btn-primary:not(:disabled)');
      (take ?? choice.current?.querySelector<HTMLElement>('button'))?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [busy]);
  return choice;
}

interface FaultsProps {
  faults: readonly CellFault[];
  nameTitle: string;
}

function Faults({ faults, nameTitle }: FaultsProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const named = faults.some(({ name }) => name);
  const head = {
    row: t('region_import.fault_row'),
    ...(named ? { name: nameTitle } : {}),
    column: t('region_import.fault_column'),
    reason: t('region_import.fault_reason'),
  };
  return (
    <>
      <Alert
        className="page-alert"
        type="error"
        showIcon
        role="alert"
        title={t('region_import.faults', { number: number(faults.length) })}
        description={t('region_import.faults_text')}
        action={
          <Button
            onClick={() =>
              save(
                t('region_import.faults_file'),
                csv([
                  Object.values(head),
                  ...faults.map(({ row, name, column, reason }) => [
                    String(row),
                    ...(named ? [name] : []),
                    column,
                    reason,
                  ]),
                ]),
              )
            }
          >
            {t('region_import.faults_download')}
          </Button>
        }
      />
      <div className="card card-flush list-card">
        <PlainRows
          rows={faults.map((fault, index) => ({ ...fault, key: String(index) }))}
          rowKey={({ key }) => key}
          columns={[
            {
              key: 'row',
              title: head.row,
              render: ({ row }) => (
                <span className="num">{t('region_import.row', { number: number(row) })}</span>
              ),
            },
            ...(named ? [{ key: 'name', title: nameTitle, render: ({ name }: CellFault) => name }] : []),
            { key: 'column', title: head.column, render: ({ column }) => column },
            { key: 'reason', title: head.reason, render: ({ reason }) => reason },
          ]}
        />
      </div>
    </>
  );
}
