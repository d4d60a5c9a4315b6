import { readFileSync } from 'node:fs';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { resources } from '../src/generated/resources.gen.ts';
import type { FieldInfo, Fields } from '../src/lib/fields/kinds.ts';
import type { ResourceInfo } from '../src/lib/resourceInfo.ts';
import { expect, expectAccessible, type Place, settled, test as inDemo } from './fixtures.ts';
import { slugFor } from './screens.ts';

type Row = Record<string, unknown> & { id: string };
/**
 * Enters something with the keyboard into a field that has the focus; what the service must answer for it.
 */
type Enter = (page: Page, field: Locator) => Promise<unknown>;

const unique = () => `Próba${Math.random().toString(36).slice(2, 8)}`;

/**
 * Labels that all resources share. Read as text: the file imports antd's own texts, as only a bundler can.
 */
const COMMON = Object.fromEntries(
  [
    ...readFileSync(new URL('../src/lib/texts/hu.ts', import.meta.url), 'utf8').matchAll(
      /'(field\.[\w.]+)': '(.*)',/g,
    ),
  ].map(([, key, text]) => [key, text]),
);

/** The files of a screen. */
const folderOf = (key: string) => new URL(`../src/features/${key.replaceAll('_', '-')}/`, import.meta.url);
const sourceOf = (key: string) => readFileSync(new URL('index.tsx', folderOf(key)), 'utf8');
const resourceOf = (key: string) => /resource="(\w+)"/.exec(sourceOf(key))?.[1] ?? key;
const infoOf = (resource: string) => (resources as Record<string, ResourceInfo>)[resource]!;

/** A screen as its own files and the generated ones describe it. */
async function screenOf(key: string) {
  const [source, resource] = [sourceOf(key), resourceOf(key)];
  const { fields } = (await import(`../src/generated/fields/${resource}.gen.ts`)) as { fields: Fields };
  const texts: Record<string, string> = {
    ...COMMON,
    ...(await import(new URL('hu.ts', folderOf(key)).href)).default,
  };
  const named = (property: string) =>
    [...(new RegExp(`${property}=\\{(\\[[^}]*\\])\\}`).exec(source)?.[1] ?? '').matchAll(/'(\w+)'/g)]
      .map(([, name]) => name!)
      .filter((name) => name in fields);
  const form = named('form');
  return {
    resource,
    fields,
    columns: named('columns'),
    form: (form.length > 0 ? form : Object.keys(fields).filter((name) => !fields[name]!.readonly)).map(
      (name) => [name, fields[name]!] as const,
    ),
    text: (name: string) => texts[`${resource}.${name}`] ?? texts[`field.${name}`] ?? name,
  };
}

/** The calls of a resource of the restaurant. */
class Rows {
  readonly info: ResourceInfo;
  readonly #service: APIRequestContext;
  readonly #path: string;

  constructor(resource: string, service: APIRequestContext, place: Place) {
    this.info = infoOf(resource);
    this.#service = service;
    this.#path = this.info.path
      .replace('{partner_id}', place.partner)
      .replace('{restaurant_id}', place.restaurant);
  }

  async all(): Promise<Row[]> {
    return (await this.#service.get(this.#path)).json();
  }

  async one(id: string): Promise<Row | undefined> {
    return (await this.all()).find((row) => row.id === id);
  }

  /** A row with its required fields. */
  async make(fields: Fields, name: string): Promise<Row> {
    const data: Record<string, unknown> = {};
    for (const [field, info] of Object.entries(fields))
      if (info.required && !info.readonly) data[field] = plainValue(info, name);
    const answer = await this.#service.post(this.#path, { data });
    expect(answer.status(), await answer.text()).toBe(201);
    return answer.json();
  }

  async remove(id: string): Promise<void> {
    await this.#service.delete(`${this.#path}/${id}`);
  }
}

const within = (info: FieldInfo, wanted: number) =>
  Math.min(Math.max(wanted, info.min ?? wanted), info.max ?? wanted);
const textFor = (info: FieldInfo, name: string) =>
  info.format === 'email' ? `${name.replace('ó', 'o')}@pult.example` : name.slice(0, info.max);

function plainValue(info: FieldInfo, name: string): unknown {
  if (info.kind === 'decimal' || info.kind === 'integer') return within(info, 12);
  if (info.kind === 'switch') return true;
  if (info.kind === 'select') return info.options![0];
  if (info.kind === 'multiselect') return info.options!.slice(0, 1);
  return textFor(info, name);
}

const type = async (page: Page, text: string) => {
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
};

/** How a field of each kind is filled in by keyboard. None: it is left as it is. */
function enter(info: FieldInfo, name: string, target: Row | undefined): Enter | undefined {
  const number = within(info, info.kind === 'decimal' ? 12.5 : 12);
  switch (info.kind) {
    case 'text':
    case 'pair':
    case 'secret':
      if (info.pattern) return undefined;
      return async (page) => (
        await type(page, textFor(info, name)),
        info.kind === 'secret' ? undefined : textFor(info, name)
      );
    case 'decimal':
    case 'integer':
      return async (page) => (await type(page, String(number).replace('.', ',')), number);
    case 'switch':
      return async (page, field) => {
        const before = await field.getAttribute('aria-checked');
        await page.keyboard.press('Space');
        return before !== 'true';
      };
    case 'tri':
      return async (page) => (await page.keyboard.press('ArrowRight'), true);
    case 'select':
      return async (page, field) => {
        await page.keyboard.press('Enter');
        await expect(field).toHaveAttribute('aria-expanded', 'true');
        if (info.options!.length > 1) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        return info.options![Math.min(1, info.options!.length - 1)];
      };
    case 'multiselect':
      return info.options!.length > 8
        ? undefined
        : async (page) => (await page.keyboard.press('Space'), info.options!.slice(0, 1));
    case 'ref':
    case 'refs':
      if (!target) return undefined;
      return async (page) => {
        await page.keyboard.type(String(target.name));
        await expect(page.getByTitle(String(target.name), { exact: true }).first()).toBeVisible();
        await page.keyboard.press('Enter');
        return info.kind === 'refs' ? [target.id] : target.id;
      };
    default:
      return undefined;
  }
}

/** Tab until the field has the focus. */
async function reach(page: Page, field: Locator): Promise<void> {
  const there = () =>
    field.evaluate((el) => el === document.activeElement || el.contains(document.activeElement));
  for (let tabs = 0; tabs < 20 && !(await there()); tabs++) await page.keyboard.press('Tab');
  expect(await there(), `the focus reaches ${String(field)}`).toBe(true);
}

/**
 * Tests of a plain resource's screen, learned from its files: its list, and each field of its form, by
 * keyboard. `fill` enters fields that have a pattern, or a kind of their own (dates, rows, colours); others
 * of these are left empty. `test` is another one where rows would be in the way of others in the demo's restaurant.
 */
export function plainResource(key: string, fill: Record<string, Enter> = {}, test = inDemo): void {
  test.describe(`${key}, a plain resource`, () => {
    // They share the list and its order.
    test.describe.configure({ mode: 'default' });
    const made: string[] = [];

    test.afterEach(async ({ service, place }) => {
      for (const id of made.splice(0)) await new Rows(resourceOf(key), service, place).remove(id);
    });

    test('created with the keyboard alone, found, edited, switched off, archived', async ({
      page,
      visit,
      service,
      place,
    }) => {
      const { resource, fields, form, columns, text } = await screenOf(key);
      const rows = new Rows(resource, service, place);
      const drawer = page.getByRole('dialog').first();
      const name = unique();

      // The referred row: an existing one, else a new one. It is not removed, because other tests may be
      // ordering that list.
      const targets: Record<string, Row> = {};
      for (const [, info] of form) {
        if ((info.kind !== 'ref' && info.kind !== 'refs') || targets[info.resource!]) continue;
        const others = new Rows(info.resource!, service, place);
        const target =
          (await others.all())[0] ??
          (await others.make(
            ((await import(`../src/generated/fields/${info.resource}.gen.ts`)) as { fields: Fields }).fields,
            'Minta',
          ));
        targets[info.resource!] = target;
      }

      await visit(key);
      await page
        .getByRole('button', { name: text('new') })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/uj$/);
      await settled(page);
      await expectAccessible(page);
      const required = form.filter(
        ([, info]) => info.required && info.kind !== 'switch' && info.default === undefined,
      );
      await page.keyboard.press('Control+s');
      await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(required.length);
      if (required.length > 0) await expect(drawer.locator(`#${required[0]![0]}`)).toBeFocused();

      // Each field, in the order of the form.
      const entered: Record<string, unknown> = {};
      await drawer.locator(`#${form[0]![0]}`).focus();
      for (const [field, info] of form) {
        if (field === 'active') continue;
        const input = drawer.locator(`#${field}`);
        const how = fill[field] ?? enter(info, name, targets[info.resource ?? '']);
        if (!how) {
          expect(info.required ?? false, `${field} must be filled in: say how in plainResource`).toBe(false);
          continue;
        }
        await reach(page, input);
        if (['text', 'pair', 'decimal', 'integer', 'select', 'ref', 'switch'].includes(info.kind))
          await expect(input).toHaveAccessibleName(text(field));
        entered[field] = await how(page, input);
        const second = drawer.locator(`#${field}_sec_lang`);
        if (info.kind === 'pair' && (await second.count()) > 0) {
          await page.keyboard.press('Tab');
          await expect(second).toBeFocused();
          await page.keyboard.type(`${name} two`);
          entered[`${field}_sec_lang`] = `${name} two`;
        }
      }
      const answer = page.waitForResponse((one) => one.request().method() === 'POST');
      await page.keyboard.press('Control+s');
      const { id } = (await (await answer).json()) as Row;
      made.push(id);
      await expect(page).toHaveURL(new RegExp(`${slugFor(key)}$`));
      const row = (await rows.one(id))!;
      expect(row).toMatchObject(
        Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== undefined)),
      );

      const search = page.getByRole('textbox', { name: 'Keresés névre' });
      const searchable = (await search.count()) > 0;
      if (searchable) {
        await search.fill(name.toLowerCase());
        await expect(page).toHaveURL((url) => url.searchParams.get('q') === name.toLowerCase());
        await expect(page.getByRole('row')).toHaveCount(2);
        // Where it is the only row this was so before, and its link knew nothing of the search.
        await expect(page.locator(`.row-link[href*="${id}"][href*="q="]`)).toHaveCount(1);
      }
      const link = page.locator(`.row-link[href*="${id}"]`);
      const line = page.getByRole('row').filter({ has: link });
      for (const column of columns) {
        const info = fields[column]!;
        const value = row[column];
        if (info.kind === 'text' || info.kind === 'pair')
          await expect(line).toContainText(String(value ?? ''));
        if (info.kind === 'select' && value)
          await expect(line).toContainText(text(`${column}.${String(value)}`));
        if (info.kind === 'decimal') await expect(line).toContainText(String(value).replace('.', ','));
        if (info.kind === 'ref' && value)
          await expect(line).toContainText(String(targets[info.resource!]!.name));
      }

      const [first] = form.find(([, info]) => ['text', 'pair'].includes(info.kind) && !info.pattern) ?? [];
      await link.focus();
      await page.keyboard.press('Enter');
      if (first) {
        await expect(drawer.locator(`#${first}`)).toHaveValue(String(row[first]));
        await drawer.locator(`#${first}`).focus();
        await type(page, `${name}2`);
        await page.keyboard.press('Control+s');
        await expect(drawer).toHaveCount(0);
        expect(await rows.one(id)).toMatchObject({ ...entered, [first]: `${name}2` });
        await expect(line).toContainText(`${name}2`);
      } else {
        await page.keyboard.press('Escape');
      }

      if (columns.includes('active')) {
        await line.getByRole('switch').focus();
        await page.keyboard.press('Space');
        await expect.poll(async () => (await rows.one(id))?.active).toBe(false);
        await expect(line.getByRole('switch')).not.toBeChecked();
      }

      await link.click();
      await drawer.getByRole('button', { name: 'További műveletek' }).click();
      await page.getByRole('menuitem', { name: 'Törlés' }).click();
      const sure = page.getByRole('dialog', { name: /^Törlöd ezt/ });
      await expect(sure.getByRole('button', { name: 'Mégsem' })).toBeFocused();
      await sure.getByRole('button', { name: 'Törlés' }).click();
      await expect(link).toHaveCount(0);
      if (searchable) await expect(page.getByText('Nincs találat')).toBeVisible();
      expect(await rows.one(id)).toBeUndefined();
    });

    if (infoOf(resourceOf(key)).rankPath === undefined) return; // has no order of its own
    test(
      'sorted by keyboard, in one call, and taken back',
      { tag: '@nightly' },
      async ({ page, visit, service, place }) => {
        const { resource, fields } = await screenOf(key);
        const rows = new Rows(resource, service, place);
        const [a, b] = [await rows.make(fields, unique()), await rows.make(fields, unique())];
        made.push(a.id, b.id);
        const order = async () =>
          (await rows.all()).map((row) => row.id).filter((id) => id === a.id || id === b.id);
        const before = await order();
        const last = before[1] === a.id ? a : b;
        const calls: string[] = [];
        page.on('request', (request) => {
          if (request.method() === 'PUT' && request.url().includes('ranking')) calls.push(request.url());
        });

        await visit(key);
        await page.getByRole('button', { name: 'Sorrend' }).click();
        await page.getByRole('button', { name: `Áthelyezés húzással: ${String(last.name)}` }).focus();
        await page.keyboard.press('Alt+ArrowUp');
        await expect(page.getByText(new RegExp(`^${String(last.name)}: \\d+\\. hely`))).toBeAttached();
        await settled(page);
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Sorrend mentése' }).click();
        await expect(page.getByText('A sorrend elmentve')).toBeVisible();
        expect(await order()).toEqual([...before].reverse());
        expect(calls).toHaveLength(1);
        await page.getByRole('button', { name: 'Visszavonás' }).click();
        await expect(page.getByText('Visszavonva')).toBeVisible();
        expect(await order()).toEqual(before);
      },
    );
  });
}
