import { test } from './new-restaurant.ts';
import { plainResource } from './plain-resource.ts';

// With an active reason, the dialogs of other tests would not offer the standard ones.
plainResource('storno_reasons', {}, test);
