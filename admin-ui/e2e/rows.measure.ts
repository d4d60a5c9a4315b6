import type { APIRequestContext } from '@playwright/test';
import { Menu, type Row } from './catalogue-menu.ts';
import { test as orders } from './fresh-orders/shop.ts';
import { expect, type Place } from './fixtures.ts';
import { HEAD, measure, ROWS, sql } from './measuring.ts';
import { slugFor } from './screens.ts';

/** The menu's lists answer at most 2,000 rows. */
const MENU_ROWS = 2_000;
const NAME = 'Mérés';

const test = orders;
test.use({ viewport: { width: 1440, height: 900 } });

const schema = () =>
  sql("select table_schema from information_schema.tables where table_name = 'courier' limit 1");
const total = async (service: APIRequestContext, path: string) =>
  Number(
    (await service.get(`${path}${path.includes('?') ? '&' : '?'}limit=1&count=true`)).headers()[
      'x-total-count'
    ],
  );

/** Couriers, in one statement. */
async function fillCouriers(service: APIRequestContext, { api, restaurant }: Place) {
  const missing = ROWS - (await total(service, `${api}/couriers`));
  if (missing > 0) {
    sql(`insert into ${schema()}.courier (id, restaurant_id, first_name, last_name, phone_1, vehicle, ranking)
         select gen_random_uuid(), '${restaurant}', 'Ödön', 'Futár ' || lpad(n::text, 5, '0'), '+3630' || (1000000 + n), (array['foot', 'bicycle', 'moped', 'car'])[1 + n % 4], n
         from generate_series(1, ${missing}) n`);
  }
}

/** Copies of one order with its items, each a second older than the one before. */
async function fillOrders(service: APIRequestContext, { api }: Place, id: string) {
  const missing = ROWS - (await total(service, `${api}/orders/fresh`));
  if (missing <= 0) return;
  const s = schema();
  const copy = (table: string, where: string, changed: Record<string, string>) => {
    const columns = sql(
      `select string_agg(quote_ident(column_name), ',' order by ordinal_position) from information_schema.columns where table_schema = '${s}' and table_name = '${table}' and is_identity = 'NO' and is_generated = 'NEVER'`,
    );
    const values = columns.split(',').map((column) => changed[column] ?? `o.${column}`);
    return `insert into ${s}.${table} (${columns}) select ${values.join(',')} from ${s}.${table} o, generate_series(1, ${missing}) n where ${where};`;
  };
  const own = (column: string) => `md5(o.${column}::text || n)::uuid`;
  sql(`begin; set local session_replication_role = replica;
    ${copy('orders', `o.id = '${id}'`, { id: own('id'), counter: "o.counter || '-' || n", external_id: 'null', show_at: "o.show_at - n * interval '1 second'", created_at: "o.created_at - n * interval '1 second'", status: "case when n % 3 = 0 then 'succeeded' else 'processed' end" })}
    ${copy('order_item_option', `o.order_item_id in (select i.id from ${s}.order_item i where i.order_id = '${id}')`, { id: own('id'), order_item_id: own('order_item_id') })}
    ${copy('order_item', `o.order_id = '${id}'`, { id: own('id'), order_id: own('order_id') })}
    ${copy('order_history', `o.order_id = '${id}'`, { order_id: own('order_id') })}
    ${copy('payable_transaction', `o.order_id = '${id}'`, { id: own('id'), order_id: own('order_id') })} commit;`);
}

/** Rows of the menu, over the service, up to as many as one answer holds. */
async function fillMenu(menu: Menu, path: string, body: (n: number) => object): Promise<void> {
  const there = await total(menu.service, `${menu.place.api}/${path}`);
  const numbers = Array.from({ length: Math.max(0, MENU_ROWS - there) }, (_, n) => n + there);
  const work = async () => {
    for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) await menu.post(path, body(n));
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** The row of this name, made where there is none. */
async function named(menu: Menu, path: string, body: object = {}): Promise<string> {
  const rows = await menu.get<Row[]>(`${path}?name=${NAME}`);
  return (rows.find((row) => row.name === NAME) ?? (await menu.post<Row>(path, { name: NAME, ...body }))).id;
}

const number = (n: number) => String(n).padStart(4, '0');
const product = (n: number) => ({
  name: `Termék ${number(n)}`,
  description: 'Házi tejföllel, friss zöldségekkel',
  ...(n % 4 === 0
    ? {
        subproducts: [
          { name: 'Kicsi', price: 900 + n },
          { name: 'Nagy', price: 1400 + n },
        ],
      }
    : { base_price: 1000 }),
});

const screen = (place: Place, key: string, what: string, rows: number, sub?: string) => {
  const address = `/r/${place.restaurant}/${slugFor(key)}${sub ? `/${sub}` : ''}`;
  return {
    what,
    rows,
    address,
    row: key === 'fresh_orders' ? '[data-order]' : `.row-link[href*="${address}/"]`,
    from: `/r/${place.restaurant}/${slugFor(sub ? key : 'api_keys')}${sub ? `?q=${NAME}` : ''}`,
  };
};

test('first rows', async ({ page, place, service, shop }) => {
  const { id } = await shop.send();
  const menu = new Menu(service, place);
  await fillCouriers(service, place);
  await fillOrders(service, place, id);
  const category = await named(menu, 'product-categories');
  await fillMenu(menu, `product-categories/${category}/products`, product);
  await fillMenu(menu, 'product-categories', (n) => ({ name: `Kategória ${number(n)}` }));
  const group = await named(menu, 'option-groups', { type: 'min_max', min_no_options: 0, max_no_options: 3 });
  await fillMenu(menu, `option-groups/${group}/options`, (n) => ({ name: `Opció ${number(n)}`, price: n }));
  await fillMenu(menu, 'option-groups', (n) => ({ name: `Csoport ${number(n)}`, type: 'exclusive' }));
  expect(await total(service, `${place.api}/couriers`)).toBeGreaterThanOrEqual(ROWS);
  expect(await total(service, `${place.api}/orders/fresh`)).toBeGreaterThanOrEqual(ROWS);

  process.stdout.write(HEAD);
  await measure(page, screen(place, 'couriers', 'Couriers', ROWS));
  await measure(page, screen(place, 'fresh_orders', 'Fresh orders', ROWS));
  await measure(page, screen(place, 'categories_and_products', 'Categories', MENU_ROWS));
  await measure(
    page,
    screen(place, 'categories_and_products', 'Products of a category', MENU_ROWS, category),
  );
  await measure(page, screen(place, 'options', 'Option groups', MENU_ROWS));
  await measure(page, screen(place, 'options', 'Options of a group', MENU_ROWS, group));
});
