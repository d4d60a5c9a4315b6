import { Modal, Radio, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRestaurant } from '../../lib/target';
import { Card } from '../../lib/ui/page';
import { FieldRow } from '../../lib/form/FieldRow';
import { type DraftForm } from '../../lib/form/useDraftForm';
import { useBusy } from '../../lib/form/fieldState';
import { usePartnerRestaurants } from './api';
import type { Draft } from './draft';
import { type Editor, mayChooseTarget, mayGrantAll } from './rights';
import { type Admin, SURFACES } from './types';

/** Where the person works: the whole company or some restaurants, and on which surfaces. */
export function Place({
  state,
  editor,
  locked,
}: {
  state: DraftForm<Admin, Draft>;
  editor: Editor;
  locked: boolean;
}) {
  const { t } = useTranslation();
  const { draft, set, base } = state;
  const busy = useBusy();
  const current = useRestaurant();
  const off = locked || busy;
  // With everything granted the place is part of it.
  const placeOff = off || (base.full_target_access && !mayGrantAll(editor));
  return (
    <Card title={t('users.where')}>
      {mayChooseTarget(editor) && (
        <FieldRow path="target_type" label={t('users.target_type')} group>
          {({ id }) => (
            <Radio.Group
              id={id}
              disabled={placeOff}
              value={draft.target_type}
              onChange={(event) =>
                set({
                  target_type: event.target.value as Draft['target_type'],
                  restaurant_ids:
                    event.target.value === 'Restaurant' && draft.restaurant_ids.length === 0
                      ? [current.id]
                      : draft.restaurant_ids,
                })
              }
              options={[
                { value: 'Partner', label: t('users.whole_partner') },
                { value: 'Restaurant', label: t('users.some_restaurants') },
              ]}
            />
          )}
        </FieldRow>
      )}
      {draft.target_type === 'Restaurant' && (
        <Restaurants state={state} editor={editor} disabled={placeOff} />
      )}
      <Surfaces state={state} disabled={off} />
    </Card>
  );
}

interface PartProps {
  state: DraftForm<Admin, Draft>;
  disabled: boolean;
}

/** Some restaurants of the company. */
function Restaurants({ state, editor, disabled }: PartProps & { editor: Editor }) {
  const { t } = useTranslation();
  const { draft, set } = state;
  const current = useRestaurant();
  const restaurants = usePartnerRestaurants();
  const [forced, setForced] = useState(false);
  // A restaurant's admin edits for their own restaurant, which cannot be removed from the list.
  const own = mayChooseTarget(editor) ? undefined : current.id;
  const choose = (ids: string[]) => {
    const lost = own !== undefined && !ids.includes(own);
    if (lost) setForced(true);
    set({ restaurant_ids: lost ? [...ids, own] : ids });
  };
  return (
    <>
      <FieldRow
        path="restaurant_ids"
        label={t('users.restaurants')}
        required
        help={own ? t('users.restaurants_own', { name: current.name }) : undefined}
      >
        {(control) => (
          <Select<string[]>
            {...control}
            className="edit-wide"
            mode="multiple"
            disabled={disabled}
            loading={restaurants.isLoading}
            value={draft.restaurant_ids}
            onChange={choose}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('form.choose')}
            options={restaurants.data?.map((r) => ({ value: r.id, label: r.name }))}
          />
        )}
      </FieldRow>
      <Modal
        open={forced}
        title={t('users.rest_id_error')}
        onCancel={() => setForced(false)}
        onOk={() => setForced(false)}
        cancelButtonProps={{ hidden: true }}
        okText={t('users.understood')}
      >
        <p>{t('users.rest_id_error_text', { name: current.name })}</p>
      </Modal>
    </>
  );
}

/** Where the person may sign in: the admin, the till, a device. */
function Surfaces({ state, disabled }: PartProps) {
  const { t } = useTranslation();
  const { draft, set } = state;
  return (
    <FieldRow path="surfaces" label={t('users.surfaces')} group help={t('users.surfaces_help')}>
      {({ id }) => (
        <div className="pills" id={id} tabIndex={-1}>
          {SURFACES.map((surface) => (
            <label className="pill" key={surface}>
              <input
                type="checkbox"
                checked={draft.surfaces.includes(surface)}
                disabled={disabled}
                onChange={(event) =>
                  set({
                    surfaces: SURFACES.filter((s) =>
                      s === surface ? event.target.checked : draft.surfaces.includes(s),
                    ),
                  })
                }
              />
              <span>{t(`users.surface.${surface}`)}</span>
            </label>
          ))}
        </div>
      )}
    </FieldRow>
  );
}
