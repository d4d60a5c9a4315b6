import { useState } from 'react';
import { restaurantsBusy, restaurantsBusyEnd } from '../../generated/client/restaurants/restaurants';
import { useCan } from '../../lib/access';
import type { BusyTime } from '../../lib/busy';
import { here, useBusyTime, useRestaurantUpdate } from '../../lib/target';
import { later } from '../../lib/later';
import { useWork } from '../../lib/ui/work';

// Opened now and then: the board stands without it.
const BusyDialog = later(() => import('./BusyDialog'), 'over');

interface Busy {
  /** As it holds now. */
  busy: BusyTime | undefined;
  may: boolean;
  saving: boolean;
  ask: () => void;
  end: () => void;
  /** Open while it asks. */
  dialog: React.ReactNode;
}

/** Busy: orders take longer for a while. The answer is the restaurant, which the whole page then shows. */
export function useBusy(): Busy {
  const busy = useBusyTime();
  const may = useCan()('order_accept');
  const update = useRestaurantUpdate();
  const { busy: saving, work } = useWork();
  const [asking, setAsking] = useState(false);
  const set = (minutes: number, until: string) =>
    void work(async () => {
      update(await restaurantsBusy(...here(), { busy_minutes: minutes, busy_until: until }));
      setAsking(false);
    });
  const end = () => void work(async () => update(await restaurantsBusyEnd(...here())));
  const dialog = asking && (
    <BusyDialog busy={busy} saving={saving} onSet={set} onClose={() => setAsking(false)} />
  );
  return { busy, may, saving, ask: () => setAsking(true), end, dialog };
}
