import { PlusOutlined } from '@ant-design/icons';
import { useList } from '@refinedev/core';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { fields } from '../../generated/fields/restaurant_groups.gen';
import { useCanDo } from '../../lib/access';
import { FormDrawer, ResourceList, useResourceForm, type Row } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { useFormat } from '../../lib/format';
import { useMe } from '../../lib/me';
import { pageUrl, usePage, usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { currencies } from '../restaurant-general/choices';
import { mayExport } from '../company-export/mayExport';
import { Archived } from './Archive';
import { Members } from './Members';
import { NewRestaurant } from './NewRestaurant';
import './groups.css';

/**
 * Groups of the company's restaurants. Admins of the whole company edit them and move restaurants; others see
 * them.
 */
export default function RestaurantGroups() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const { language } = useFormat();
  const me = useMe();
  const canDo = useCanDo();
  const restaurant = useRestaurant();
  const [generation, setGeneration] = useState(0);
  const [adding, setAdding] = useState(false);
  const whole =
    me.super_admin ||
    me.targets.some(
      (target) => target.partner_id === restaurant.partner_id && target.target_type === 'Partner',
    );
  const id = path[0];
  return (
    <>
      <ResourceList
        resource="restaurant_groups"
        fields={fields}
        lead={t(whole ? 'restaurant_groups.lead' : 'restaurant_groups.lead_reader')}
        columns={['name', 'currency', 'restaurants']}
        actions={
          whole &&
          canDo('restaurants', 'create') && (
            <Button icon={<PlusOutlined />} onClick={() => setAdding(true)}>
              {t('restaurant_groups.new_restaurant')}
            </Button>
          )
        }
        href={(row) => url('restaurant_groups', row.id)}
        onOpen={(row) => open(row.id)}
        {...(whole ? { onNew: () => open('new') } : {})}
      />
      {whole && canDo('archived_restaurants', 'list') && <Archived partnerId={restaurant.partner_id} />}
      {mayExport(me, restaurant.partner_id) && (
        <p className="company-export">
          <Link to={url('company_export')}>{t('restaurant_groups.export_link')}</Link>
        </p>
      )}
      {id && !(isWord('new', id) && !whole) && (
        <Editor
          key={isWord('new', id) ? `new-${generation}` : id}
          id={isWord('new', id) ? undefined : id}
          whole={whole}
          onClose={() => open()}
          onAnother={() => setGeneration((g) => g + 1)}
        />
      )}
      {adding && (
        <NewRestaurant
          onClose={() => setAdding(false)}
          // Its guide follows. A page of its own: lists of restaurants that were read before do not know it.
          onDone={(made) => location.assign(pageUrl(made.id, 'getting_started', language))}
        />
      )}
    </>
  );
}

function Editor({
  id,
  whole,
  onClose,
  onAnother,
}: {
  id: string | undefined;
  whole: boolean;
  onClose: () => void;
  onAnother: () => void;
}) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { query, result } = useList<Row & { id: string }>({
    resource: 'restaurant_groups',
    pagination: { mode: 'off' },
    queryOptions: { enabled: id !== undefined },
  });
  const row = result.data.find((group) => group.id === id);
  const state = useResourceForm({
    resource: 'restaurant_groups',
    fields,
    id,
    row: query.isSuccess ? (row ?? null) : row,
    initial: { currency: 'huf' },
  });
  const name = String(row?.name ?? '');
  return (
    <FormDrawer
      state={state}
      resource="restaurant_groups"
      fields={fields}
      layout={['name', 'currency']}
      overrides={{
        name: { disabled: !whole },
        // Its stock is kept in it.
        currency: {
          input: (
            <Select
              disabled={!whole || Number(row?.restaurants ?? 0) > 0}
              options={currencies(t, row?.currency as string | undefined)}
            />
          ),
        },
      }}
      name={name}
      title={id === undefined ? t('restaurant_groups.new') : name || t('state.loading')}
      history={whole ? 'company' : undefined}
      onClose={onClose}
      onAnother={onAnother}
      onRemoved={() => notify.success(t('state.deleted', { name }))}
    >
      {id && <Members groupId={id} whole={whole} />}
    </FormDrawer>
  );
}
