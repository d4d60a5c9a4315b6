import { dress, looks, nameOf, picture, wordsOf } from './looks.ts';
import { test } from './new-restaurant.ts';
import en from '../src/features/delivery-regions/en.ts';
import hu from '../src/features/delivery-regions/hu.ts';

const REGIONS = [
  { name: 'Budaörs', price: 790, min_order_price: 4000, threshold_price: 6000, price_under_threshold: 1190 },
  { name: 'Törökbálint', price: 990, min_order_price: 5000 },
  { name: 'Páty', price: 1490, min_order_price: 7000, active: false },
];
const STREETS = [
  { name: 'Fő utca', postcode: '2040', city: 'Budaörs', price: 590 },
  { name: '*', postcode: '2040', city: 'Budaörs' },
];
const SHAPES = [
  {
    polygon_type: 'polygon',
    polygon_data: {
      points: [
        { lat: 47.45, lng: 18.93 },
        { lat: 47.452, lng: 18.985 },
        { lat: 47.475, lng: 18.98 },
        { lat: 47.472, lng: 18.935 },
      ],
    },
  },
  { polygon_type: 'circle', polygon_data: { center_lat: 47.437, center_lng: 18.915, radius: 1800 } },
];

// In a restaurant of its own: where there are regions, orders to other places are refused.
for (const look of looks) {
  const name = nameOf(look);

  test(`pictures of regions ${name}`, async ({ page, visit, service, place }) => {
    test.setTimeout(120_000);
    const words = wordsOf(look, hu, en);
    const path = `${place.api}/delivery-regions`;
    let regions = (await (await service.get(path)).json()) as { id: string; name: string }[];
    if (regions.length === 0) {
      for (const region of REGIONS) await service.post(path, { data: region });
      regions = (await (await service.get(path)).json()) as typeof regions;
      const [first, second] = ['Budaörs', 'Törökbálint'].map(
        (wanted) => regions.find((region) => region.name === wanted)!.id,
      );
      for (const street of STREETS) await service.post(`${path}/${first}/streets`, { data: street });
      for (const [index, shape] of SHAPES.entries())
        await service.post(`${path}/polygons`, {
          data: { ...shape, delivery_region_id: index === 0 ? first : second },
        });
    }
    await dress(page, look);
    await visit('delivery_regions', 'lista');
    await picture(page, `regions_list-${name}`);
    await visit('delivery_regions', regions.find((region) => region.name === 'Budaörs')!.id);
    await picture(page, `regions_streets-${name}`);
    await visit('delivery_regions', 'terkep');
    await page.getByRole('button', { name: words('region_map.show_all') }).click();
    await picture(page, `regions_map-${name}`);
    await page.getByRole('button', { name: words('region_map.by_points') }).click();
    await picture(page, `regions_points-${name}`);
  });
}
