import { live } from './fresh-orders/live.ts';
import { look } from './fresh-orders/look.ts';
import { orders } from './fresh-orders/orders.ts';
import { rush } from './fresh-orders/rush.ts';
import { test } from './fresh-orders/shop.ts';

// The tests share one board, so they are one file to Playwright, whose files run side by side: one after the
// other.
test.describe.configure({ mode: 'default' });

test.describe('orders', orders);
test.describe('live', live);
test.describe('look', look);
test.describe('rush', rush);
