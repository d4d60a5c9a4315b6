import { useList } from '@refinedev/core';
import { InboxOutlined, SearchOutlined } from '@ant-design/icons';
import { Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { restaurantsMove } from '../../generated/client/restaurants/restaurants';
import type { RestaurantGroup, RestaurantShort } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { useForget } from '../../lib/query';
import { target } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { ArchiveDialog } from './Archive';
import { plain } from '../../lib/plain';

/** Restaurants shown at first, and more at a time: each has a list of all groups. */
const STEP = 20;

/** The restaurants of a group; each can be moved to another one, or archived. */
export function Members({ groupId, whole }: { groupId: string; whole: boolean }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const { doing: moving, work } = useWork<string>();
  const restaurants = useList<RestaurantShort>({ resource: 'restaurants', pagination: { mode: 'off' } });
  const groups = useList<RestaurantGroup>({ resource: 'restaurant_groups', pagination: { mode: 'off' } });
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(STEP);
  const [archiving, setArchiving] = useState<RestaurantShort>();
  const mayArchive = useCanDo()('restaurants', 'delete') && whole && restaurants.result.data.length > 1;
  const all = restaurants.result.data.filter((row) => row.restaurant_group_id === groupId);
  const rows = all.filter((row) => plain(`${row.name} ${row.city ?? ''}`).includes(plain(text.trim())));
  const options = groups.result.data.map((group) => ({ value: group.id, label: group.name }));

  const put = async (id: string, group: string) => {
    await restaurantsMove(target().partner_id, id, { restaurant_group_id: group });
    await forget(['restaurantsList', 'restaurantGroupsList']);
  };
  const move = (row: RestaurantShort, group: string) =>
    work(async () => {
      await put(row.id, group);
      notify.undo(t('restaurant_groups.moved', { name: row.name }), () => put(row.id, groupId));
    }, row.id);
  return (
    <fieldset className="field-group">
      <legend>{t('restaurant_groups.members')}</legend>
      {all.length > STEP && (
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          aria-label={t('restaurant_groups.find_member')}
          placeholder={t('restaurant_groups.find_member')}
          value={text}
          onChange={(e) => setText(e.target.value)}
        />
      )}
      {all.length > 0 && rows.length === 0 && <p className="field-lead">{t('state.no_match')}</p>}
      {all.length === 0 && restaurants.query.isSuccess && (
        <p className="field-lead">{t('restaurant_groups.no_members')}</p>
      )}
      <ul className="group-members">
        {rows.slice(0, limit).map((row) => (
          <li key={row.id}>
            <span>
              <b>{row.name}</b> {row.city}
            </span>
            <span className="group-member-actions">
              {whole && groups.result.data.length > 1 && (
                <Select
                  disabled={false}
                  aria-label={t('restaurant_groups.group_of', { name: row.name })}
                  value={groupId}
                  loading={moving === row.id}
                  options={options}
                  showSearch={{ optionFilterProp: 'label' }}
                  onChange={(group) => void move(row, group)}
                />
              )}
              {mayArchive && <ArchiveButton name={row.name} onClick={() => setArchiving(row)} />}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > limit && (
        <Button onClick={() => setLimit((old) => old + STEP)}>
          {t('restaurant_groups.more_members', { count: rows.length - limit })}
        </Button>
      )}
      {archiving && <ArchiveDialog restaurant={archiving} onClose={() => setArchiving(undefined)} />}
    </fieldset>
  );
}

function ArchiveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      type="text"
      danger
      icon={<InboxOutlined />}
      onClick={onClick}
      aria-label={t('restaurant_groups.archive_of', { name })}
    >
      {t('restaurant_groups.archive')}
    </Button>
  );
}
