import { Modal } from 'antd';
import { useFormat } from '../format';
import { Button } from '../ui/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../ui/page';
import type { Choice, Saved } from './useRow';
import './draft.css';

/** One value of two versions. */
interface Difference {
  key: string;
  label: ReactNode;
  theirs: ReactNode;
  mine: ReactNode;
  /** The person who changed it, if known. Both, each in another way: only one can stay. */
  by?: 'mine' | 'theirs' | 'both';
}

interface Props {
  open: boolean;
  saved: Saved | undefined;
  /** The effect of keeping one's own version. */
  help?: ReactNode;
  rows: readonly Difference[];
  resolve: (choice: Choice) => void;
}

/** Somebody else saved meanwhile: compare, take theirs or keep mine. */
export function ConflictDialog({ open, saved, help, rows, resolve }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Modal
      open={open}
      title={t('conflict.title')}
      width={720}
      zIndex={1150}
      onCancel={() => resolve('later')}
      footer={[
        <Button key="theirs" onClick={() => resolve('theirs')}>
          {t('conflict.theirs')}
        </Button>,
        <Button key="mine" type="primary" onClick={() => resolve('mine')}>
          {t('conflict.mine')}
        </Button>,
      ]}
    >
      <p className="edit-lead">
        {saved?.by && saved.at
          ? t('conflict.text_by', { name: saved.by, at: format.dateTime(saved.at) })
          : t('conflict.text')}{' '}
        {help}
      </p>
      {rows.length === 0 ? (
        <p>{t('conflict.same')}</p>
      ) : (
        <div className="compare">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('conflict.field')}</th>
                <th scope="col">{t('conflict.their_value')}</th>
                <th scope="col">{t('conflict.my_value')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">
                    {row.label} {row.by === 'both' && <Chip tone="warning">{t('conflict.clash')}</Chip>}
                  </th>
                  <td data-changed={row.by === 'theirs' || row.by === 'both'}>{row.theirs}</td>
                  <td data-changed={row.by === 'mine' || row.by === 'both'}>{row.mine}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Modal>
  );
}
