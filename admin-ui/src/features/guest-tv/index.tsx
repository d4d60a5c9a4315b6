import { fields } from '../../generated/fields/restaurant_tvs.gen';
import type { RestaurantTv } from '../../generated/model';
import { ResourcePage } from '../../lib/crud';
import { TvAddress } from './TvAddress';

const CHANNELS = ['sit_in_order', 'take_away_order', 'online_order', 'phone_order'];
const initial = {
  background_color: '#10222b',
  enable_sound: true,
  ...Object.fromEntries(CHANNELS.map((name) => [name, true])),
};

/**
 * Displays that show guests the numbers of their orders. The address of one is there once it has been saved.
 */
export default function GuestTvs() {
  return (
    <ResourcePage<RestaurantTv>
      resource="restaurant_tvs"
      fields={fields}
      columns={['name', 'enable_sound', ...CHANNELS.map((key) => ({ key, wideOnly: true }))]}
      form={[
        'name',
        'background_color',
        'background_id',
        'enable_sound',
        { title: 'restaurant_tvs.channels', fields: [CHANNELS.slice(0, 2), CHANNELS.slice(2)] },
      ]}
      initial={initial}
      history
      formExtra={(row) => row && <TvAddress row={row} />}
    />
  );
}
