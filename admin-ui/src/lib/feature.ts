import type { ComponentType } from 'react';
import type { Permission } from './access';
import type { Language } from './format';

// Apart from features.ts, which imports every feature file: they import this one.

/** Groups of the side menu, in their order. */
export const GROUPS = [
  'orders',
  'products',
  'ntak',
  'statistics',
  'customer',
  'depot',
  'restaurant_data',
  'pos',
  'courier',
  'system',
  'integrations',
  'tv',
  'discount',
  'user',
  'order_export',
  'editors',
  'kiosk',
  'other',
  'platform',
] as const;
export type Group = (typeof GROUPS)[number];

/** One screen: what menu, router, search and tests need to know before its code is loaded. */
export interface Feature {
  /** The stable name of the screen. Tests and pictures use it. */
  key: string;
  title: Record<Language, string>;
  /** Menu group; without one the screen is reached from `parent`. */
  group?: Group;
  parent?: string;
  /**
   * Where the screen stands. Left out: in a restaurant (`/r/{restaurant}/…`). `platform`: outside every
   * restaurant (`/platform/…`). `anywhere`: in either, at the address one comes from.
   */
  scope?: 'platform' | 'anywhere';
  icon: ComponentType<{ className?: string }>;
  /** Any of them opens the screen. Empty: everybody. */
  permission: readonly Permission[];
  /**
   * What super admins must have switched on for the restaurant; without it there is no such screen.
   */
  switch?: 'balance' | 'loyalty' | 'kiosk' | 'tv' | 'push';
  /**
   * Left out of menus, because nothing follows from it: `yet` as things are, else without what super admins
   * switch on. The page at its address says so.
   */
  noEffectWithout?: 'yet' | 'loyalty';
  /** Place within the group. */
  order: number;
  /** Resources whose labels the screen shows; the text test asks for all of them. */
  resources?: readonly string[];
  /**
   * Path behind the slug without which the screen cannot be opened (`order/{id}`): left out of the menu and
   * of the generated tests.
   */
  needsPath?: boolean;
  /** Folders of other screens whose texts this one shows too. */
  texts?: readonly string[];
  load: () => Promise<{ default: ComponentType }>;
}

/** Identity; gives a feature file its types. */
export const defineFeature = (feature: Feature): Feature => feature;
