import { type APIRequestContext, type APIResponse, request } from '@playwright/test';
import { expect, type Place } from './fixtures.ts';
import { plate } from './pixels.ts';
import { API_HEADERS, PASSWORD, SERVICE, stateFile } from './sign-in.ts';

const HOUR = 3_600_000;
const soon = (hours: number) => new Date(Math.ceil(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();

const KIOSKS = ['Bejárati kioszk', 'Terasz'];
const TVS = [
  { name: 'Pult feletti kijelző' },
  { name: 'Drive', background_color: '#10222b', sit_in_order: false },
];
const COURIERS = [
  ['Kovács', 'Gergő', '+36 30 555 0121', 'bicycle'],
  ['Szabó', 'Dóra', '+36 30 555 0122', 'car'],
  ['Tóth', 'Márk', '+36 30 555 0123', 'moped'],
];
const DISHES = [
  ['Gulyásleves', [96, 64, 44], [176, 60, 30], [226, 150, 60]],
  ['Margherita pizza', [70, 74, 78], [224, 164, 74], [196, 44, 36]],
  ['Cézár saláta', [200, 190, 172], [122, 170, 76], [240, 224, 170]],
  ['Túrógombóc', [150, 120, 92], [240, 232, 214], [204, 150, 84]],
  ['Rántott szelet', [62, 84, 92], [214, 152, 72], [232, 190, 110]],
  ['Halászlé', [110, 88, 66], [190, 44, 28], [120, 150, 60]],
  ['Palacsinta', [176, 148, 130], [238, 200, 130], [120, 60, 30]],
  ['Meggyleves', [216, 206, 196], [190, 60, 90], [110, 16, 40]],
] as const;
const PUSHES = [
  ['Hétvégi palacsinta', 'Szombaton és vasárnap minden palacsinta mellé limonádét adunk.', 26],
  ['Új ebédmenü', 'Hétfőtől tizenegytől háromig: leves és főétel 2 390 Ft-ért.', 74],
] as const;
const DOCUMENTS = [
  ['Kézikönyv a pulthoz', 'hu'],
  ['Nyomtató beállítása', 'hu'],
  ['Guide for third parties', 'en'],
  ['Guide for the till', 'en'],
] as const;
const NEWS = [
  [
    '4.12.0',
    'admin',
    'hu',
    'Étlap importálása',
    '<p>Táblázatból jön az étlap: először <strong>próba</strong>, és csak utána íródik be. A beírás visszavonható.</p>',
    'Vendég TV',
    '<p>A kész rendelések számai egy képernyőn:</p><ul><li>párosítás nyolc betűvel és számmal</li><li>saját háttérszín</li></ul>',
  ],
  ['4.11.2', 'pos', 'hu', 'Gyorsabb kassza', '<p>A rendelés felvétele kevesebb érintéssel megy.</p>'],
  [
    '4.12.0',
    'admin',
    'en',
    'Menu import',
    '<p>The menu comes from a table: first a <strong>rehearsal</strong>, and only then is it written. It can be undone.</p>',
    'Guest TV',
    '<p>Numbers of finished orders on one screen.</p>',
  ],
  ['4.13.0', 'admin', 'hu', 'Statisztikák', '<p>Készül.</p>'],
] as const;

const GUESTS = [
  { last_name: 'Varga', first_name: 'Réka', phone_1: '+36 30 555 0131', pickup: true },
  {
    last_name: 'Molnár',
    first_name: 'Ádám',
    phone_1: '+36 30 555 0132',
    delivery_data: {
      postcode: '8230',
      city: 'Balatonfüred',
      street: 'Kossuth Lajos utca',
      premise_number: '12',
      floor: '2',
      doorbell: '14',
    },
    message: 'A kapucsengő nem jó, kérem, hívjon.',
  },
  {
    last_name: 'Balogh',
    first_name: 'Eszter',
    phone_1: '+36 30 555 0133',
    delivery_data: { postcode: '8230', city: 'Balatonfüred', street: 'Jókai utca', premise_number: '5' },
  },
  { last_name: 'Farkas', first_name: 'Tamás', phone_1: '+36 30 555 0134', pickup: true },
];
const ANNOUNCED = [
  [
    'Vasárnap hajnalban 2 és 4 óra között karbantartás lesz. A rendelések felvétele közben is működik.',
    'hu',
    0,
  ],
  ['Boldog karácsonyt kívánunk!\nAz ügyfélszolgálat 24-én délig érhető el.', 'hu', 24 * 30],
  ['Maintenance on Sunday morning between two and four.', 'en', 0],
] as const;

const json = async <T>(answer: Promise<APIResponse>): Promise<T> => {
  const got = await answer;
  expect(got.ok(), `${got.url()} ${await got.text()}`).toBe(true);
  return (got.status() === 204 ? undefined : await got.json()) as T;
};
type Row = { id: string };
type Sub = { id: string; available: boolean; option_group_ids: string[]; price: number };
type Category = { children?: Category[]; products: { subproducts: Sub[] }[] };
type Body = Record<string, unknown>;

/** One row, known by a field of it: found, or made. */
async function row(
  service: APIRequestContext,
  path: string,
  by: string,
  fields: Body,
  send: (path: string) => Promise<APIResponse> = (to) => service.post(to, { data: fields }),
): Promise<Row> {
  const there = (await json<(Row & Body)[]>(service.get(path))).find((one) => one[by] === fields[by]);
  return there ?? json<Row>(send(path));
}

let done: Promise<void> | undefined;

/**
 * Puts into the demo restaurant what screens are pictured with, unless it is there already; nothing of it is
 * removed.
 */
export function createSampleData(place: Place): Promise<void> {
  return (done ??= putAll(place));
}

async function putAll(place: Place): Promise<void> {
  const as = (role: 'super' | 'partner') =>
    request.newContext({ baseURL: SERVICE, extraHTTPHeaders: API_HEADERS, storageState: stateFile(role) });
  const service = await as('partner');
  await putRestaurant(service, place);
  const platform = await as('super');
  await putPlatform(platform, service);
  await Promise.all([service.dispose(), platform.dispose()]);
}

async function putRestaurant(service: APIRequestContext, place: Place): Promise<void> {
  const make = (path: string, by: string, fields: Body) => row(service, `${place.api}/${path}`, by, fields);
  const kiosks = [];
  for (const name of KIOSKS) kiosks.push(await make('kiosks', 'name', { name }));
  const tvs = [];
  for (const tv of TVS) tvs.push(await make('restaurant-tvs', 'name', tv));
  for (const [last_name, first_name, phone_1, vehicle] of COURIERS)
    await make('couriers', 'last_name', { last_name, first_name, phone_1, vehicle });
  await make('devices', 'name', {
    name: 'Tévé a pult felett',
    kind: 'guest_tv',
    restaurant_tv_id: tvs[0]!.id,
  });
  await make('devices', 'name', {
    name: 'Kioszk a bejáratnál',
    kind: 'kiosk',
    restaurant_kiosk_id: kiosks[0]!.id,
  });
  await make('terminal-schemes', 'terminal_id', {
    restaurant_kiosk_id: kiosks[0]!.id,
    terminal_type: 'ospi',
    terminal_id: '70014402',
  });
  await make('terminal-schemes', 'terminal_id', {
    restaurant_kiosk_id: kiosks[1]!.id,
    terminal_type: 'ospi',
    terminal_id: '70014403',
  });
  for (const [name, table, food, strewn] of DISHES) {
    await row(service, `${place.api}/images`, 'name', { name }, (path) =>
      service.post(path, {
        multipart: {
          name,
          image: { name: `${name}.png`, mimeType: 'image/png', buffer: plate(table, food, strewn) },
        },
      }),
    );
  }
  for (const [notification_title, notification_body, hours] of PUSHES)
    await make('push-notifications', 'notification_title', {
      notification_title,
      notification_body,
      scheduled_at: soon(hours),
    });

  const methods = await json<{ id: string; payment_key: string; needs: string[] }[]>(
    service.get(`${place.api}/payment-methods`),
  );
  await json(
    service.put(`${place.api}/payment-methods`, {
      data: {
        payment_method_ids: methods
          .filter((one) => one.needs.length === 0)
          .slice(0, 4)
          .map((one) => one.id),
      },
    }),
  );

  await json(
    service.put(`${place.api}/payment-methods`, {
      data: { simplepay: { merchant_id: 'PUBLICTESTHUF', secret_key: 'minta' } },
    }),
  );
  await json(
    service.put(`${place.api}/general`, {
      data: { domain: 'borpatika.pult.example', coord_lat: 46.9569, coord_lng: 17.8897 },
    }),
  );
  await json(
    service.put(`${place.api}/legal-file`, {
      data: {
        company_name: 'Borpatika Kft.',
        tax_num: '12345678-2-19',
        address: '8230 Balatonfüred, Fő utca 1.',
      },
    }),
  );
  for (let number = 1; number <= 7; number += 1)
    await json(
      service.post(`${place.api.replace('/admin', '')}/push-devices`, {
        data: { token: `minta-${number}`, platform: number % 3 ? 'android' : 'ios' },
      }),
    );
  await putOrders(service, place);
  if ((await json<Row[]>(service.get(`${place.api}/export-requests`))).length > 0) return;
  const pin = `/api/v3/admin/partners/${place.partner}/pin`;
  await json(service.put(pin, { data: { pin: '20264711', password: PASSWORD } }));
  for (const [export_type, days] of [
    ['order_export', 30],
    ['shadow_customer_export', 90],
  ] as const) {
    await json(
      service.post(`${place.api}/export-requests`, {
        headers: { 'X-Pin': '20264711' },
        form: {
          export_type,
          export_email: 'konyveles@pult.example',
          filter_type: 'created_at',
          from: soon(-24 * days),
          till: soon(0),
        },
      }),
    );
  }
  await json(service.delete(pin));
}

/**
 * What guests have ordered in the web shop, the first accepted; the key that brought it has a use to show.
 */
async function putOrders(service: APIRequestContext, place: Place): Promise<void> {
  const there = await json<(Row & { name: string })[]>(service.get(`${place.api}/api-keys`));
  if (there.some((one) => one.name === 'Webshop')) return;
  const { api_key } = await json<{ api_key: string }>(
    service.post(`${place.api}/api-keys`, {
      data: { name: 'Webshop', scopes: ['menu:read', 'orders:write', 'orders:read'] },
    }),
  );
  const shop = await request.newContext({
    baseURL: SERVICE,
    extraHTTPHeaders: { Authorization: `Bearer ${api_key}` },
  });
  const root = place.api.replace('/admin', '');
  const menu = await json<{ categories: Category[] }>(shop.get(`${root}/menu?channel=online`));
  const all = (categories: Category[]): Sub[] =>
    categories.flatMap((c) => [...c.products.flatMap((p) => p.subproducts), ...all(c.children ?? [])]);
  const subs = all(menu.categories).filter(
    (one) => one.available && one.option_group_ids.length === 0 && one.price > 1500,
  );
  // Independent of the time of day: the restaurant's hours are restored afterwards.
  const hours = await json<Body>(service.get(`${place.api}/opening-hours`));
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const setHours = (data: Body) => json(service.put(`${place.api}/opening-hours`, { data }));
  await setHours({ opening_hours: days.map((day) => ({ day, open_at: '00:00', close_at: '00:00' })) });
  for (const [at, guest] of GUESTS.entries()) {
    const items = [
      { subproduct_id: subs[(at * 2) % subs.length]!.id, quantity: 2 },
      { subproduct_id: subs[(at * 2 + 1) % subs.length]!.id, quantity: 1 },
    ];
    const order = await json<Row>(
      shop.post(`${root}/orders`, {
        headers: { 'Idempotency-Key': crypto.randomUUID() },
        data: { platform: 'browser', payment_method: 'cash', email: 'vendeg@pult.example', items, ...guest },
      }),
    );
    if (at < 2)
      await json(
        service.put(`${place.api}/orders/${order.id}/accept`, { data: { delivery_time_minute: 45 } }),
      );
  }
  await setHours({ opening_hours: hours['opening_hours'] });
  await shop.dispose();
}

async function putPlatform(platform: APIRequestContext, service: APIRequestContext): Promise<void> {
  const root = '/api/v3/super-admin';
  for (const [title, lang] of DOCUMENTS) {
    const file = {
      name: `${title}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\ntrailer<<>>\n%%EOF\n'),
    };
    await row(platform, `${root}/documentations`, 'title', { title }, (path) =>
      platform.post(path, { multipart: { title, lang, file } }),
    );
  }
  for (const [message, lang, hours] of ANNOUNCED)
    await row(platform, `${root}/announcements`, 'message', {
      message,
      lang,
      show_at: hours ? soon(hours) : null,
    });
  for (const [version_code, release_type, lang, ...points] of NEWS) {
    const bullet_points = points.flatMap((title, at) =>
      at % 2 ? [] : [{ title, description: points[at + 1] }],
    );
    const is_draft = version_code === '4.13.0';
    await row(platform, `${root}/release-infos?lang=${lang}`, 'version_code', {
      version_code,
      release_type,
      lang,
      bullet_points,
      is_draft,
      release_at: is_draft ? null : soon(-24 * (version_code === '4.12.0' ? 2 : 9)),
    });
  }
  // Read by those who are pictured, so that nothing opens in front of other screens.
  for (const reader of [platform, service]) {
    for (const lang of ['hu', 'en']) {
      const headers = { 'Accept-Language': lang };
      for (let next; (next = (await json<Row[]>(reader.get(`/api/v3/admin/announcements`, { headers })))[0]);)
        await json(reader.post(`/api/v3/admin/announcements/${next.id}/confirm`));
      for (const news of await json<Row[]>(
        reader.get(`/api/v3/release-infos?show_only_news=true`, { headers }),
      ))
        await json(reader.post(`/api/v3/release-infos/${news.id}/confirm`));
    }
  }
}
