import { expect, expectAccessible, settled } from './fixtures.ts';
import { test } from './new-restaurant.ts';

// One after the other: they share a restaurant.
test.describe.configure({ mode: 'default' });

const SAVED = 'Sikeres mentés';

test('general: groups, what is required, the whole page shows it, the history knows', async ({
  page,
  visit,
  service,
  place,
}) => {
  await visit('restaurant_general');
  const save = page.getByRole('button', { name: 'Mentés', exact: true });
  await expect(page.getByLabel('Az étterem neve')).toBeVisible();
  await expect(save).toHaveCount(0);
  for (const group of ['Név', 'Elérhetőség', 'Cím', 'Idő, pénznem, nyelv'])
    await expect(page.getByRole('group', { name: group })).toBeVisible();

  const name = `Új kifőzde ${Date.now() % 100_000}`;
  await page.getByLabel('Az étterem neve').fill('');
  await expect(page.getByRole('status').getByText('Nem mentett változások')).toBeVisible();
  await page.getByLabel('E-mail-cím').fill('nem-cim');
  await page.keyboard.press('Control+s');
  await expect(page.getByLabel('Az étterem neve')).toBeFocused();
  await expect(
    page.getByRole('group', { name: 'Név' }).getByText('Ezt a mezőt ki kell tölteni!').first(),
  ).toBeVisible();
  await expect(
    page.getByText('Hibás e-mail-cím.').or(page.getByText('Hibás formátum.')).first(),
  ).toBeVisible();
  await settled(page);
  await expectAccessible(page);

  await page.getByLabel('Az étterem neve').fill(name);
  await page.getByLabel('Saját oldal címe').fill('rendeles.pult.example');
  await page.getByLabel('E-mail-cím').fill('konyha@pult.example');
  await page.getByLabel('Telefonszám').fill('+36 1 234 5678');
  await page.getByLabel('Irányítószám').fill('1052');
  await page.getByLabel('Város').fill('Budapest');
  await page.getByLabel('Utca').fill('Váci utca');
  await page.getByLabel('Házszám').fill('12');
  await page.getByLabel('Időzóna').click();
  await page.getByLabel('Időzóna').fill('Bukarest');
  await page.getByLabel('Időzóna').fill('Bucharest');
  await page.keyboard.press('Enter');
  await save.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect(save).toHaveCount(0);
  await expect(page.getByLabel('Időzóna')).toBeFocused();
  await expect(page.getByRole('banner').getByText(name)).toBeVisible();

  const row = await (await service.get(place.api)).json();
  expect(row).toMatchObject({
    name,
    domain: 'rendeles.pult.example',
    contact_email: 'konyha@pult.example',
    postcode: '1052',
    street: 'Váci utca',
    premise_number: '12',
    timezone: 'Europe/Bucharest',
  });
  await page.reload();
  await expect(page.getByLabel('Utca')).toHaveValue('Váci utca');
});

test('delivery: normal ways take effect at once and can be taken back, preorders are saved together', async ({
  page,
  visit,
  service,
  place,
}) => {
  const now = async () => (await service.get(place.api)).json();
  await service.put(`${place.api}/delivery`, {
    data: {
      normal_delivery: false,
      normal_pickup: false,
      preorder_delivery: false,
      preorder_pickup: false,
      min_order_price: null,
    },
  });
  await visit('delivery_and_take_away');
  await expect(
    page.getByText('amíg egy sem volt, bármilyen cím megadható, szállítási díj nélkül').first(),
  ).toBeVisible();
  await page.getByRole('switch', { name: 'Kiszállítás', exact: true }).click();
  await expect(page.getByText('Bekapcsolva: Kiszállítás')).toBeVisible();
  expect(await now()).toMatchObject({ normal_delivery: true, normal_pickup: false });
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await expect.poll(async () => (await now()).normal_delivery).toBe(false);

  // A folded section keeps its values.
  await expect(page.getByLabel('Leghamarabb ennyi nap múlvára')).toBeHidden();
  await page.getByText('Előrendelés', { exact: true }).click();
  await page.getByRole('switch', { name: 'Elvitel a kért időpontban' }).click();
  expect((await now()).preorder_pickup).toBe(false);
  await page.getByLabel('Leghamarabb ennyi nap múlvára').fill('3');
  await page.getByLabel('Legkésőbb ennyi nap múlvára').fill('2');
  await page.getByLabel('Elvitel előtt legalább').fill('0');
  // A refused field in a folded group opens it.
  await page.getByText('Előrendelés', { exact: true }).click();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Ne legyen kevesebb, mint a leghamarabbi nap.')).toBeVisible();
  await page.getByLabel('Legkésőbb ennyi nap múlvára').fill('5');
  await page.getByLabel('Elvitel előtt legalább').fill('45');
  await page.getByLabel('Legkisebb érték kiszállításnál').fill('3 500 Ft');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(SAVED)).toBeVisible();
  expect(await now()).toMatchObject({
    preorder_pickup: true,
    min_days_to_preorder: 3,
    days_to_preorder: 5,
    min_preorder_pickup_diff: 45,
    min_order_price: 3500,
    normal_delivery: false,
  });

  await page.getByLabel('Legkisebb érték kiszállításnál').fill('');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await now()).min_order_price).toBe(0);
});

test('system: numbers are saved together, the delivery time by itself, SOS close at once', async ({
  page,
  visit,
  service,
  place,
}) => {
  const now = async () => (await service.get(place.api)).json();
  await visit('system_settings');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postData() ?? ''));
  const minutes = page.getByLabel('Szokásos szállítási idő');
  await minutes.fill('');
  await minutes.pressSequentially('55', { delay: 300 });
  await expect(page.getByRole('status').filter({ hasText: SAVED })).toBeVisible();
  expect((await now()).estimated_delivery_time).toBe(55);
  expect(
    sent.filter((body) => body.includes('estimated_delivery_time')),
    'one call for all digits',
  ).toHaveLength(1);
  await minutes.fill('900');
  await expect(page.getByText('0 és 600 közötti szám legyen.')).toBeVisible();
  await minutes.fill('50');
  await minutes.press('Tab');
  await expect.poll(async () => (await now()).estimated_delivery_time).toBe(50);

  const day = page.getByLabel('Az üzleti nap kezdete');
  await day.fill('04:30');
  await day.press('Enter');
  await expect(day).toHaveValue('04:30');
  await page.getByLabel('Előtag a rendelésszám előtt').fill('k');
  // How many orders of a guest may wait: at least one.
  await expect(page.getByLabel('Egy telefonszámról')).toHaveValue('5');
  await page.getByLabel('Egy telefonszámról').fill('0');
  await page.keyboard.press('Control+s');
  await expect(page.getByLabel('Egy telefonszámról')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Egy telefonszámról').fill('3');
  await page.getByLabel('A webshop egy vendégétől').fill('12');
  await page.keyboard.press('Control+s');
  await expect(page.locator('.ant-notification').getByText(SAVED)).toBeVisible();
  await expect.poll(now).toMatchObject({
    order_reset_time: '04:30',
    counter_prefix: 'K',
    max_waiting_per_phone: 3,
    max_waiting_per_guest: 12,
  });
  await expect(page.getByLabel('Előtag a rendelésszám előtt')).toHaveValue('K');
  await page.getByLabel('Előtag a rendelésszám előtt').fill('');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await now()).counter_prefix).toBeNull();

  await page.getByRole('button', { name: 'Zárás most' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Zárás most' }).click();
  await expect.poll(async () => (await now()).temp_no_orders).toBe(true);
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Visszanyitás' }).click();
  await expect.poll(async () => (await now()).temp_no_orders).toBe(false);

  // With an end: said in the question, kept, and gone with the closing.
  await page.getByRole('button', { name: 'Zárás most' }).click();
  await page.getByRole('dialog').getByText('30 percre').click();
  await expect(page.getByRole('dialog')).toContainText('Magától visszanyit');
  await page.getByRole('dialog').getByRole('button', { name: 'Zárás most' }).click();
  await expect
    .poll(async () => new Date((await now()).temp_no_orders_until).getTime() - Date.now())
    .toBeGreaterThan(28 * 60_000);
  await expect(page.getByText('Magától visszanyit')).toBeVisible();
  // The end comes by itself, and the open window learns of it.
  await service.put(`${place.api}/close`, {
    data: { temp_no_orders: true, temp_no_orders_until: new Date(Date.now() + 4_000).toISOString() },
  });
  await expect(page.getByRole('button', { name: 'Zárás most' })).toBeVisible({ timeout: 20_000 });
  expect(await now()).toMatchObject({ temp_no_orders: false, temp_no_orders_until: null });
});

test('opening hours: a week of spans, copied, checked while typed', async ({
  page,
  visit,
  service,
  place,
  expectConsole,
}) => {
  const saved = async () =>
    (
      (await (await service.get(`${place.api}/opening-hours`)).json()) as {
        opening_hours: { day: string; open_at: string; close_at: string }[];
      }
    ).opening_hours;
  await service.put(`${place.api}/opening-hours`, { data: { opening_hours: [] } });
  await visit('opening_hours');
  await expect(page.getByText('Most zárva').first()).toBeVisible();
  const save = page.getByRole('button', { name: 'Mentés', exact: true });
  await expect(save).toBeDisabled();
  await page.getByRole('switch', { name: 'Hétfő' }).click();
  await expect(page.getByLabel('Hétfő: nyitás')).toHaveValue('11:00');
  await expect(page.getByLabel('Hétfő: zárás')).toHaveValue('20:00');
  await page.getByLabel('Hétfő: nyitás').fill('1x');
  await expect(save).toBeDisabled();
  await expect(page.getByText('Óra és perc kell, például 09:30.')).toBeVisible();
  await page.getByLabel('Hétfő: nyitás').fill('930');
  await page.getByLabel('Hétfő: zárás').click();
  await expect(page.getByLabel('Hétfő: nyitás')).toHaveValue('09:30');
  await page.getByLabel('Hétfő: zárás').fill('14:00');
  await page.getByRole('button', { name: 'Hétfő: még egy időszak' }).click();
  await expect(page.getByLabel('Hétfő: nyitás').nth(1)).toBeFocused();
  await page.getByLabel('Hétfő: nyitás').nth(1).fill('13:00');
  await page.getByLabel('Hétfő: zárás').nth(1).fill('02:00');
  await expect(page.getByText('Átfed egy másik időszakkal.')).toBeVisible();
  await expect(save).toBeDisabled();
  await page.getByLabel('Hétfő: nyitás').nth(1).fill('18:00');
  await expect(page.getByText('Másnapra nyúlik át.')).toBeVisible();
  await page.getByRole('button', { name: 'Hétfő: másolás más napra' }).click();
  await page.getByRole('menuitem', { name: 'Minden napra' }).click();
  await page.getByRole('switch', { name: 'Vasárnap' }).click();
  await settled(page);
  await expectAccessible(page);
  await save.click();
  await expect(page.getByText(SAVED)).toBeVisible();
  const week = await saved();
  expect(week).toHaveLength(12);
  expect(week.filter((span) => span.day === 'sat')).toEqual([
    { day: 'sat', open_at: '09:30', close_at: '14:00' },
    { day: 'sat', open_at: '18:00', close_at: '02:00' },
  ]);
  expect(week.some((span) => span.day === 'sun')).toBe(false);
  await expect(page.getByText(/^Most (nyitva|zárva), (zárás|nyitás): /)).toBeVisible();

  expectConsole(/409/);
  // Somebody else was faster: what differs is shown, and one decides. What is changed here stays.
  await page.getByRole('switch', { name: 'Kedd' }).click();
  await service.put(`${place.api}/opening-hours`, {
    data: { opening_hours: week.filter((span) => span.day === 'mon') },
  });
  await page.getByRole('button', { name: 'Mentés', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Közben más is módosította' });
  await expect(dialog.getByRole('row', { name: /^Szerda/ })).toContainText('09:30–14:00');
  await expect(dialog.getByRole('row', { name: /^(Hétfő|Kedd)/ })).toHaveCount(0);
  await settled(page);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Az én változatom' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await saved()).length).toBe(10);
});

test(
  'holidays: rows are created, changed and removed by one button; new rows are dropped locally',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const saved = async () =>
      (await service.get(`${place.api}/restaurant-holidays`)).json() as Promise<
        { valid_from: string; valid_till: string; holiday_type: string; open_at: string | null; id: string }[]
      >;
    // Another test of this worker may have left one in its restaurant.
    for (const { id } of await saved()) await service.delete(`${place.api}/restaurant-holidays/${id}`);
    await visit('opening_hours');
    await page.getByRole('tab', { name: 'Ünnepnapok' }).click();
    await expect(page).toHaveURL(/tab=holiday/);
    await page.getByRole('button', { name: 'Új ünnepnap' }).click();
    const save = page
      .getByRole('tabpanel', { name: 'Ünnepnapok' })
      .getByRole('button', { name: 'Mentés', exact: true });
    const row = (number: number) => page.getByRole('group', { name: `${number}. sor` });
    await expect(save).toBeDisabled();
    await expect(row(1).getByLabel('Első nap')).toBeFocused();
    const day = async (at: number, label: string, text: string) => {
      await row(at).getByLabel(label).fill(text);
      await page.keyboard.press('Enter');
    };
    await day(1, 'Első nap', '2027/12/24');
    await expect(row(1).getByLabel('Utolsó nap')).toHaveValue('2027/12/24');
    await day(1, 'Utolsó nap', '2027/12/26');
    await page.getByRole('button', { name: 'Új ünnepnap' }).click();
    await row(2).getByRole('button', { name: '2. sor törlése' }).click();
    await expect(row(2)).toHaveCount(0);
    await expect(row(1).getByText('Új', { exact: true })).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await save.click();
    await expect(page.getByText(SAVED)).toBeVisible();
    expect(await saved()).toMatchObject([
      { valid_from: '2027-12-24', valid_till: '2027-12-26', holiday_type: 'holiday_close', open_at: null },
    ]);
    await expect(save).toBeDisabled();

    await row(1).getByLabel('Mi történik').click();
    await page.locator('.ant-select-item-option', { hasText: 'Nyitva' }).click();
    await row(1).getByLabel('Nyitás').fill('10:00');
    await expect(save).toBeDisabled();
    await row(1).getByLabel('Zárás').fill('15:00');
    await expect(row(1).getByText('Módosítva')).toBeVisible();
    await save.click();
    await expect.poll(saved).toMatchObject([{ holiday_type: 'holiday_open', open_at: '10:00' }]);

    await row(1).getByRole('button', { name: '1. sor törlése' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Törlés' }).click();
    await expect.poll(saved).toEqual([]);
    await expect(page.getByText('Nincs kivételes nap')).toBeVisible();
  },
);

test(
  'legal data, socials and points: accepted and refused values',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    await visit('legal_data');
    await page.getByLabel('Cégnév').fill('Kő');
    await page.getByLabel('Adószám').fill('12345678-x');
    await page.getByLabel('Székhely').fill('Budapest');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Legalább 3 karakter legyen.')).toBeVisible();
    await expect(page.getByText('Legalább 10 karakter legyen.')).toBeVisible();
    await expect(page.getByText('Hibás formátum.')).toBeVisible();
    await page.getByLabel('Cégnév').fill('Kékfrankos Kft.');
    await page.getByLabel('Adószám').fill('12345678-2-41');
    await page.getByLabel('Székhely').fill('1052 Budapest, Váci utca 12.');
    await page.keyboard.press('Control+s');
    await expect(page.getByText(SAVED)).toBeVisible();
    expect(await (await service.get(`${place.api}/legal-file`)).json()).toMatchObject({
      company_name: 'Kékfrankos Kft.',
      tax_num: '12345678-2-41',
      contact_email: null,
      phone_1: null,
    });

    await visit('socials');
    const facebook = page.getByLabel('Facebook-oldal');
    await facebook.fill('http://facebook.com/kekfrankos');
    await page.getByLabel('Blog vagy más honlap').fill('https://kekfrankos.example');
    await expect(page.getByText(/^Érvénytelen webcím/)).toBeVisible();
    await page.getByRole('button', { name: 'Visszaállítás' }).click();
    await expect(facebook).toHaveValue('');
    await facebook.fill('https://www.facebook.com/kekfrankos');
    await page.keyboard.press('Control+s');
    await expect(page.getByText(SAVED)).toBeVisible();
    await page.reload();
    await expect(facebook).toHaveValue('https://www.facebook.com/kekfrankos');

    await visit('point_collection');
    await page.getByLabel('Visszajáró rész').fill('101');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Legfeljebb 100 lehet.')).toBeVisible();
    await page.getByLabel('Visszajáró rész').fill('5,5');
    await page.keyboard.press('Control+s');
    await expect(page.getByText(SAVED)).toBeVisible();
    expect(Number((await (await service.get(place.api)).json()).point_cash_ratio)).toBe(5.5);
  },
);

test(
  'POS settings: the fee, tips and deposits, refused values, back to before',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const now = async () => (await service.get(`${place.api}/pos/configs`)).json();
    await visit('pos_settings');
    await page.getByLabel('Mértéke').fill('101');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Legfeljebb 100 lehet.')).toBeVisible();
    await page.getByLabel('Mértéke').fill('12,5');
    await page.getByLabel('Mire számítjuk fel').click();
    await page.getByTitle('Csak arra, amelynél be van kapcsolva').click();
    await page.getByRole('switch', { name: 'Elvitelre is' }).click();
    await page.getByLabel('Alapértelmezett borravaló').fill('10');
    await page.getByRole('switch', { name: 'A borravaló a pincéré' }).click();
    await page.getByRole('switch', { name: 'Helyben fogyasztásnál is' }).click();
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await expect(page.getByText(SAVED)).toBeVisible();
    expect(await now()).toMatchObject({
      service_fee: 12.5,
      service_fee_mode: 'flagged_items',
      take_away_service_fee: false,
      default_tip: 10,
      employee_tip: true,
      deposit_here: false,
    });
    await page.getByLabel('Alapértelmezett borravaló').fill('');
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await now()).default_tip).toBeNull();
  },
);

test('history: who changed what, back to before it, undone; what another window changes is seen', async ({
  page,
  visit,
  service,
  place,
}) => {
  const put = (blog: string) => service.put(`${place.api}/socials`, { data: { blog } });
  const blog = async () =>
    (await (await service.get(`${place.api.replace('/admin/', '/')}/socials`)).json()).blog;
  await put('https://egy.example');
  await put('https://ketto.example');
  await visit('socials');
  const field = page.getByLabel('Blog vagy más honlap');
  await expect(field).toHaveValue('https://ketto.example');
  await put('https://harom.example');
  await expect(field).toHaveValue('https://harom.example');
  // What is being typed stays.
  await field.fill('https://sajat.example');
  const told = page.waitForResponse((answer) => answer.url().endsWith('/socials'));
  await put('https://negy.example');
  await told;
  await expect(field).toHaveValue('https://sajat.example');
  await page.getByRole('button', { name: 'Visszaállítás' }).click();
  await expect(field).toHaveValue('https://negy.example');

  await page.getByRole('button', { name: 'Előzmények' }).click();
  const drawer = page.getByRole('dialog', { name: 'Előzmények: Közösségi oldalak' });
  await expect(drawer.getByText('https://negy.example').first()).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await drawer
    .getByRole('button', { name: /^Az ez előtti állapot visszaállítása: / })
    .first()
    .click();
  await page.getByRole('button', { name: 'Az ez előtti állapot visszaállítása', exact: true }).click();
  await expect(page.getByText('A korábbi állapot visszaállt')).toBeVisible();
  await expect(field).toHaveValue('https://harom.example');
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await expect.poll(blog).toBe('https://negy.example');
});

test('features: what each does, on or off, whom to ask', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit('features');
  await expect(page.getByText('A vendég az étteremben, kioszkon rendel.')).toBeVisible();
  await expect(page.getByText('Bekapcsolva').first()).toBeVisible();
  await expect(page.getByText(/szolgáltatás üzemeltetője/)).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
});

test(
  'the place on the map: found by the address, moved by hand and by numbers, saved even when nobody searches',
  { tag: '@nightly' },
  async ({ page, visit, service, place, expectConsole }) => {
    expectConsole(/503/);
    const now = async () => (await service.get(place.api)).json();
    const general = {
      name: 'Új étterem térképpel',
      contact_email: 'terkep@pult.example',
      phone_1: '+3612345678',
      domain: 'terkep.pult.example',
      postcode: '6720',
      city: 'Szeged',
      street: 'Kárász utca',
      premise_number: '9',
    };
    await service.put(`${place.api}/general`, { data: { ...general, coord_lat: null, coord_lng: null } });
    await visit('restaurant_general');
    await page.getByRole('button', { name: 'Keresés a cím alapján' }).click();
    await expect(page.getByText(/^Megtalálva: .*Kárász utca/)).toBeVisible();
    await expect(page.getByLabel('Szélesség (észak)')).toHaveValue('46,252163');
    const pin = page.getByRole('img', { name: 'Az étterem helye' }).or(page.locator('.place-pin'));
    await expect(pin.first()).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(page.getByText(SAVED)).toBeVisible();
    expect(await now()).toMatchObject({ coord_lat: 46.252163, coord_lng: 20.148476 });

    // Dragged: the numbers follow.
    const from = (await pin.first().boundingBox())!;
    await page.mouse.move(from.x + 16, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 76, from.y + 50, { steps: 8 });
    await page.mouse.up();
    await expect(page.getByLabel('Hosszúság (kelet)')).not.toHaveValue('20,148476');
    // Typed: the pin follows.
    await page.getByLabel('Szélesség (észak)').fill('46,25');
    await page.getByLabel('Hosszúság (kelet)').fill('20,15');
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await expect.poll(now).toMatchObject({ coord_lat: 46.25, coord_lng: 20.15 });

    // Half a place is none.
    await settled(page);
    await page.getByLabel('Szélesség (észak)').fill('');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
    await page.getByRole('button', { name: 'Elvetés' }).click();

    // The search is not available: the page says so, and everything else is saved.
    await page.route('**/geocode?**', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 503, code: 'GEOCODER_UNAVAILABLE', title: 'x' }),
      }),
    );
    await page.getByRole('button', { name: 'Keresés a cím alapján' }).click();
    await expect(page.getByText(/A címkereső most nem válaszol/)).toBeVisible();
    await page.getByLabel('Házszám').fill('10');
    await page.getByRole('button', { name: 'Tű levétele' }).click();
    await page.keyboard.press('Control+s');
    await expect.poll(now).toMatchObject({ premise_number: '10', coord_lat: null, coord_lng: null });
  },
);
