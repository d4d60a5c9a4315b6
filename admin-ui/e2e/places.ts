import { type APIRequestContext, expect } from '@playwright/test';

export interface Place {
  partner: string;
  restaurant: string;
  /** Path of the restaurant's calls. */
  api: string;
}

export const placeIn = (partner: string, restaurant: string): Place => ({
  partner,
  restaurant,
  api: `/api/v3/admin/partners/${partner}/restaurants/${restaurant}`,
});

/** The partner of the demo: a super admin, and who was invited elsewhere, may be in other partners' data too. */
export async function demoPartner(service: APIRequestContext): Promise<string> {
  const { targets } = (await (await service.get('/api/v3/admin/me')).json()) as {
    targets: { partner_id: string; partner_mode: string }[];
  };
  return (targets.find((target) => target.partner_mode === 'demo') ?? targets[0]!).partner_id;
}

export async function makeRestaurant(
  service: APIRequestContext,
  partner: string,
  name: string,
): Promise<string> {
  const answer = await service.post(`/api/v3/admin/partners/${partner}/restaurants`, { data: { name } });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}
