import { expect, it, vi } from 'vitest';

const targets = [
  { partner_id: 'a', partner_name: 'A' },
  { partner_id: 'b', partner_name: 'B' },
];
const shut = (code: string, status = 403) =>
  new Response(JSON.stringify({ code, status, title: code }), {
    status,
    headers: { 'Content-Type': 'application/json' },
  });
const rows = (...names: string[]) =>
  new Response(JSON.stringify(names.map((name) => ({ id: name, name }))), {
    headers: { 'Content-Type': 'application/json', 'X-Total-Count': '1' },
  });

/** The names one may choose from when the two companies' lists answer so. */
async function chosen(a: Response, b: Response): Promise<string[]> {
  // The lists are read once per page load.
  vi.resetModules();
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) => (url.includes('/partners/a/') ? a : b)),
  );
  const { session } = await import('./session');
  vi.spyOn(session, 'get').mockReturnValue({ super_admin: false, targets } as never);
  return (await (await import('./restaurants')).loadRestaurants()).map((r) => r.name);
}

it('a company that is shut does not lock anybody out of the others', async () => {
  expect(await chosen(rows('Anna'), rows('Béla'))).toEqual(['Anna', 'Béla']);
  expect(await chosen(shut('PARTNER_SUSPENDED'), rows('Béla'))).toEqual(['Béla']);
  expect(await chosen(rows('Anna'), shut('PARTNER_IN_MAINTENANCE', 503))).toEqual(['Anna']);
});

it('shows a message when all are closed or something else fails', async () => {
  await expect(chosen(shut('PARTNER_SUSPENDED'), shut('PARTNER_SUSPENDED'))).rejects.toThrow(
    'PARTNER_SUSPENDED',
  );
  await expect(chosen(rows('Anna'), shut('UNKNOWN_ERROR', 500))).rejects.toThrow('UNKNOWN_ERROR');
});
