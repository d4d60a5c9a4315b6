import { type Place, test } from './fixtures.ts';
import { HEAD, measure, ROWS, sql } from './measuring.ts';
import { pathOf } from './screens.ts';

// Lists that a restaurant has a few rows of, were they long.

test.use({ viewport: { width: 1440, height: 900 }, role: 'super' });

const ID = (what: string) => `md5('${what}' || n)::uuid`;
const FROM = `from generate_series(1, ${ROWS}) n on conflict do nothing`;

function fill({ partner, restaurant }: Place): void {
  const schema = sql(
    "select table_schema from information_schema.tables where table_name = 'courier' limit 1",
  );
  const here = `'${restaurant}'`;
  sql(`
    insert into ${schema}.kiosk (id, restaurant_id, name, pin) select ${ID('kiosk')}, ${here}, 'Mérő kioszk ' || n, (10000000 + n)::text ${FROM};
    insert into ${schema}.restaurant_tv (id, restaurant_id, name) select ${ID('tv')}, ${here}, 'Mérő TV ' || n ${FROM};
    insert into ${schema}.terminal_scheme (id, restaurant_id, terminal_id, restaurant_kiosk_id) select ${ID('scheme')}, ${here}, 'POS-' || n, ${ID('kiosk')} ${FROM};
    insert into control.device (id, partner_id, restaurant_id, kind, name, subject_id, paired_at, last_seen_at)
      select ${ID('device')}, '${partner}', ${here}, 'kiosk', 'Mérő eszköz ' || n, ${ID('kiosk')}, now(), now() - n * interval '1 minute' ${FROM};
    analyze`);
}

test('first rows of lists that are short', async ({ page, place }) => {
  fill(place);
  process.stdout.write(HEAD);
  const list = (key: string, what: string) =>
    measure(page, {
      what,
      rows: ROWS,
      address: pathOf(key, place.restaurant),
      row: '.row-link',
      from: pathOf('api_keys', place.restaurant),
    });
  await list('kiosk', 'Kiosks');
  await list('guest_tv', 'Guest TVs');
  await list('terminals', 'Terminal schemes');
  await list('devices', 'Devices');
});
