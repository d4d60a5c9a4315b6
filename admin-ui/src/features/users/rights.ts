import { above, below, type Tree } from './tree';
import type { Admin } from './types';

/** The editor and their rights here. */
export interface Editor {
  /** The own row at this partner. */
  admin: string | undefined;
  superAdmin: boolean;
  /** Acts for the whole partner. */
  whole: boolean;
  /** Holds everything of the target. */
  full: boolean;
  keys: ReadonlySet<string>;
  /** Of a restaurant's admin. */
  restaurants: readonly string[];
}

/** Why something cannot be changed: a key of a text. */
export type Lock =
  | 'users.lock_own'
  | 'users.lock_super'
  | 'users.lock_full'
  | 'users.lock_reach'
  | 'users.lock_archived'
  | 'users.lock_missing'
  | 'users.lock_child';

/** Partner admins and super admins may grant keys that they lack. */
const unbound = (editor: Editor): boolean => editor.superAdmin || editor.whole;
const holds = (editor: Editor, key: string): boolean =>
  unbound(editor) || editor.full || editor.keys.has(key);

/**
 * Why nothing of this person's rights can be changed; the name, phone and language of one's own row still
 * can.
 */
export function rowLock(editor: Editor, row: Admin | null): Lock | undefined {
  if (!row) return undefined;
  if (row.status === 'archived') return 'users.lock_archived';
  if (row.id === editor.admin) return 'users.lock_own';
  if (row.super_admin) return 'users.lock_super';
  const reach =
    unbound(editor) ||
    (row.target_type === 'Restaurant' &&
      (row.restaurant_ids ?? []).every((id) => editor.restaurants.includes(id)));
  return reach ? undefined : 'users.lock_reach';
}

/** Whether the editor may give or take everything at once. */
export const mayGrantAll = (editor: Editor): boolean => editor.superAdmin || editor.full;

/** Why a key's box is locked. */
export function keyLock(
  editor: Editor,
  tree: Tree,
  granted: ReadonlySet<string>,
  full: boolean,
  key: string,
): Lock | undefined {
  if (full) return 'users.lock_full';
  if (
    !holds(editor, key) ||
    above(tree, key).some((parent) => !granted.has(parent) && !holds(editor, parent))
  )
    return 'users.lock_missing';
  const node = tree.byKey.get(key);
  // Taking it would take what stands below it, too.
  return node &&
    granted.has(key) &&
    below(node).some((child) => granted.has(child.key) && !holds(editor, child.key))
    ? 'users.lock_child'
    : undefined;
}

/** Whether a key may be given to, or taken from, somebody at all. */
export const isFree = (editor: Editor, key: string): boolean => holds(editor, key);

export const mayChooseTarget = (editor: Editor): boolean => unbound(editor);

/** The rights that the person will have, for the preview. */
export const effective = (tree: Tree, keys: Iterable<string>, full: boolean): string[] =>
  full ? [...tree.byKey.keys()] : [...keys];
