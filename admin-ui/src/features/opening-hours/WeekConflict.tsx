import { Modal, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { type Day, DAYS, sameSpans, type Span, type Week } from './week';

interface Props {
  /** What somebody else saved meanwhile; nothing to decide without it. */
  theirs: Week | undefined;
  mine: Week;
  onTheirs: () => void;
  onMine: () => void;
  onLater: () => void;
}

/** Somebody else saved the week meanwhile: the days that differ, and which version stays. */
export function WeekConflict({ theirs, mine, onTheirs, onMine, onLater }: Props) {
  const { t } = useTranslation();
  const text = (spans: readonly Span[]) =>
    spans.map((span) => `${span.open_at}–${span.close_at}`).join(', ') || t('hours.closed');
  const days = theirs ? DAYS.filter((day) => !sameSpans(theirs[day], mine[day])) : [];
  return (
    <Modal
      open={theirs !== undefined}
      title={t('conflict.title')}
      width={640}
      onCancel={onLater}
      footer={[
        <Button key="theirs" onClick={onTheirs}>
          {t('conflict.theirs')}
        </Button>,
        <Button key="mine" type="primary" onClick={onMine}>
          {t('conflict.mine')}
        </Button>,
      ]}
    >
      <p style={{ marginBottom: 16 }}>{t('conflict.text')}</p>
      <Table<Day>
        size="small"
        pagination={false}
        rowKey={(day) => day}
        dataSource={days}
        locale={{ emptyText: t('conflict.same') }}
        columns={[
          { title: t('conflict.field'), render: (_, day) => <b>{t(`day.${day}`)}</b> },
          { title: t('conflict.their_value'), render: (_, day) => theirs && text(theirs[day]) },
          { title: t('conflict.my_value'), render: (_, day) => text(mine[day]) },
        ]}
      />
    </Modal>
  );
}
