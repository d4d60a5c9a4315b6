import type { WorkSource } from '../../lib/work';

/** Every kind of work, from the `work.ts` of the screens' folders. */
export const sources: readonly WorkSource<unknown>[] = Object.values(
  import.meta.glob<WorkSource<unknown>>('../*/work.ts', { eager: true, import: 'default' }),
);
