import { plainResource } from './plain-resource.ts';

plainResource('{{many}}');
