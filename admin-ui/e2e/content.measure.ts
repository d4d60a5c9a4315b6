import type { APIRequestContext } from '@playwright/test';
import { expect, type Place, test } from './fixtures.ts';
import { HEAD, measure, ROWS, sql } from './measuring.ts';
import { png } from './pixels.ts';
import { pathOf } from './screens.ts';

// Pictures, notifications and an import: what grows by itself, or comes at once.

/** As many rows as one restaurant brings. */
const IMPORTED = 2_000;

test.use({ viewport: { width: 1440, height: 900 } });

const schema = () =>
  sql("select table_schema from information_schema.tables where table_name = 'courier' limit 1");

/** Copies of one picture, which is in the store once: each tile draws it. */
async function fillPictures(service: APIRequestContext, { api }: Place): Promise<void> {
  const made = await service.post(`${api}/images`, {
    multipart: {
      name: 'Mérés',
      image: { name: 'x.png', mimeType: 'image/png', buffer: png(640, 480, [200, 80, 30], [250, 220, 120]) },
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { id } = await made.json();
  const s = schema();
  const columns = sql(
    `select string_agg(quote_ident(column_name), ',' order by ordinal_position) from information_schema.columns where table_schema = '${s}' and table_name = 'media' and is_generated = 'NEVER'`,
  );
  const changed: Record<string, string> = {
    id: "md5('picture' || n)::uuid",
    name: "'Fotó ' || lpad(n::text, 5, '0')",
    created_at: "m.created_at - n * interval '1 minute'",
  };
  sql(
    `insert into ${s}.media (${columns}) select ${columns
      .split(',')
      .map((column) => changed[column] ?? `m.${column}`)
      .join(
        ',',
      )} from ${s}.media m, generate_series(1, ${ROWS}) n where m.id = '${id}' on conflict do nothing; analyze ${s}.media`,
  );
}

function fillNotifications({ restaurant }: Place): void {
  sql(`insert into ${schema()}.push_notification (id, restaurant_id, scheduled_at, notification_title, notification_body, notification_sent, status, run, recipients, accepted, sent_at)
       select md5('push' || n)::uuid, '${restaurant}', now() - n * interval '1 hour', 'Kettőt fizet ' || n, 'Hármat kap!', true, 'sent', md5('run' || n)::uuid, 1200, 1180, now() - n * interval '1 hour'
       from generate_series(1, ${ROWS}) n on conflict do nothing; analyze ${schema()}.push_notification`);
}

/** A table of which every fourth row is faulty. */
async function importMenu(service: APIRequestContext, { api }: Place): Promise<string> {
  const rows = Array.from(
    { length: IMPORTED },
    (_, n) => `Mérés ${n % 40};Étel ${n};${n % 4 === 0 ? 'sok' : 900 + n};27`,
  );
  const made = await service.post(`${api}/menu-imports`, {
    multipart: {
      file: {
        name: 'meres.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Kategória;Név;Ár;Áfa\n${rows.join('\n')}\n`),
      },
    },
  });
  expect(made.status(), await made.text()).toBeLessThan(300);
  const { id } = await made.json();
  await expect
    .poll(async () => (await (await service.get(`${api}/menu-imports/${id}`)).json()).status, {
      timeout: 60_000,
    })
    .toBe('ready');
  return id;
}

test('first rows', async ({ page, place, service }) => {
  await fillPictures(service, place);
  fillNotifications(place);
  const rehearsal = await importMenu(service, place);
  process.stdout.write(HEAD);
  const list = (key: string, what: string, rows: number, row: string, query = '') =>
    measure(page, {
      what,
      rows,
      address: `${pathOf(key, place.restaurant)}${query}`,
      row,
      from: pathOf('api_keys', place.restaurant),
    });
  await list('media_storage', 'Media storage', ROWS, '.media-tile');
  await list('push_notification', 'Push notifications', ROWS, '.row-link');
  const start = pathOf('menu_import', place.restaurant);
  await measure(page, {
    what: 'An import with faults',
    rows: IMPORTED,
    address: `${start}/${rehearsal}`,
    row: 'td',
    from: start,
  });
});
