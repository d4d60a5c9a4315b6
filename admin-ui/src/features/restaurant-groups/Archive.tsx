import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  archivedRestaurantsList,
  archivedRestaurantsRestore,
  restaurantsDelete,
} from '../../generated/client/restaurants/restaurants';
import type { RestaurantShort } from '../../generated/model';
import { ActionDialog, useInputForm } from '../../lib/crud';
import { readKey, useForget, useRead } from '../../lib/query';
import { forgetRestaurants } from '../../lib/restaurants';
import { lastTarget, target } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { ArchivedRestaurants } from '../partner-page/ArchivedRestaurants';

/** Reads again what shows the company's restaurants. */
function useReread() {
  const forget = useForget();
  return async () => {
    forgetRestaurants();
    await forget(['archived_restaurants', 'restaurantsList', 'restaurantGroupsList']);
  };
}

/** The name has to be typed: from then on nobody works there and nobody can order. */
export function ArchiveDialog({ restaurant, onClose }: { restaurant: RestaurantShort; onClose: () => void }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const reread = useReread();
  const { id, partner_id, name } = restaurant;
  const action = useInputForm<{ confirm: string }>({
    send: (body) => restaurantsDelete(partner_id, id, body),
    onDone: () => {
      onClose();
      if (id === target().id) {
        // The restaurant of this page is being archived.
        lastTarget.forget();
        location.assign('/');
        return;
      }
      void reread();
      notify.undo(t('restaurant_groups.archived', { name }), async () => {
        await archivedRestaurantsRestore(partner_id, id);
        await reread();
      });
    },
  });
  const typed = Form.useWatch('confirm', action.form);
  return (
    <ActionDialog
      action={action}
      danger
      blocked={typed?.trim() !== name.trim()}
      title={t('restaurant_groups.archive_title', { name })}
      verb={t('restaurant_groups.archive')}
      onClose={onClose}
    >
      <Alert
        type="warning"
        showIcon
        className="page-alert"
        title={t('restaurant_groups.archive_text')}
        description={t('restaurant_groups.archive_undo')}
      />
      <Form.Item name="confirm" label={t('restaurant_groups.archive_type', { name })}>
        <Input autoFocus autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}

/** The company's archived restaurants, which its admins bring back. */
export function Archived({ partnerId }: { partnerId: string }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const reread = useReread();
  const { doing: restoring, work } = useWork<string>();
  const { data } = useRead(readKey('archivedRestaurantsList', partnerId), () =>
    archivedRestaurantsList(partnerId),
  );
  return (
    <div className="archived-restaurants">
      <ArchivedRestaurants
        rows={data ?? []}
        restoring={restoring}
        onRestore={({ id, name }) =>
          void work(async () => {
            await archivedRestaurantsRestore(partnerId, id);
            await reread();
            notify.success(t('partner_page.brought_back', { name }));
          }, id)
        }
      />
    </div>
  );
}
