import { Modal, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Fields, namesOf, sameValue, writable } from '../fields/kinds';
import { labelOf } from '../fields/labels';
import { Button } from '../ui/Button';
import { Value } from './Value';
import type { Choice, Conflict } from './useConflict';

/** Somebody else saved meanwhile: compare, take theirs or keep mine. */
export function ConflictDialog({
  conflict,
  fields,
  resource,
  resolve,
}: {
  conflict: Conflict | undefined;
  fields: Fields;
  resource: string;
  resolve: (choice: Choice) => void;
}) {
  const { t } = useTranslation();
  const by = conflict?.current.changed_by ?? conflict?.current.updated_by_name;
  const rows = writable(fields)
    .flatMap(([name, info]) =>
      namesOf(name, info).map((n) => ({
        name: n,
        info: info.kind === 'pair' ? { ...info, kind: 'text' as const } : info,
      })),
    )
    .filter(
      ({ name, info }) =>
        conflict && name in conflict.mine && !sameValue(info, conflict.mine[name], conflict.current[name]),
    );
  return (
    <Modal
      open={conflict !== undefined}
      title={t('conflict.title')}
      width={640}
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
      <p style={{ marginBottom: 16 }}>
        {by ? t('conflict.text_by', { name: String(by) }) : t('conflict.text')}
      </p>
      <Table
        size="small"
        pagination={false}
        rowKey="name"
        dataSource={rows}
        columns={[
          { title: t('conflict.field'), render: (_, { name }) => <b>{labelOf(resource, name)}</b> },
          {
            title: t('conflict.their_value'),
            render: (_, { name, info }) => (
              <Value resource={resource} name={name} info={info} value={conflict?.current[name]} />
            ),
          },
          {
            title: t('conflict.my_value'),
            render: (_, { name, info }) => (
              <Value resource={resource} name={name} info={info} value={conflict?.mine[name]} />
            ),
          },
        ]}
      />
    </Modal>
  );
}
