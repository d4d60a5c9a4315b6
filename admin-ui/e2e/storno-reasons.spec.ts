import { test } from './new-restaurant.ts';
import { plainResource } from './plain-resource.ts';

// With an active reason, the dialogs of other tests would not offer the standard ones.
test.describe('each night', { tag: '@nightly' }, () => plainResource('storno_reasons', {}, test));
