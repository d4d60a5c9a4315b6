import { askedPermissions } from '../../generated/no-effect.gen';
import type { Language } from '../../lib/format';
import type { Permission } from './types';
import { plain } from '../../lib/plain';

/** A key of the tree with what stands below it. */
export interface Node {
  key: string;
  id: string;
  parent: string | undefined;
  children: Node[];
  permission: Permission;
}

export interface Tree {
  roots: Node[];
  byKey: ReadonlyMap<string, Node>;
  byId: ReadonlyMap<string, Node>;
}

/** The permission list as a tree, in the service's order. */
export function treeOf(permissions: readonly Permission[]): Tree {
  const byId = new Map<string, Node>(
    permissions.map((p) => [p.id, { key: p.key, id: p.id, parent: undefined, children: [], permission: p }]),
  );
  const roots: Node[] = [];
  for (const p of permissions) {
    const node = byId.get(p.id)!;
    const parent = p.parent_id ? byId.get(p.parent_id) : undefined;
    node.parent = parent?.key;
    (parent?.children ?? roots).push(node);
  }
  return { roots, byId, byKey: new Map([...byId.values()].map((node) => [node.key, node])) };
}

/** All keys below one. */
export const below = (node: Node): Node[] => node.children.flatMap((child) => [child, ...below(child)]);

/** What calls look for by themselves: it decides what is allowed there, or somebody allows it by a PIN. */
const LOOKED_FOR = new Set([
  'admin_login',
  'order_storno',
  'pos_storno',
  'pos_partial_storno',
  'pos_modify_order',
  'pos_cart_discount',
]);

/** Whether an operation requires the key or one below it, or looks for it. */
export const hasEffect = (node: Node): boolean =>
  [node, ...below(node)].some(({ key }) => LOOKED_FOR.has(key) || askedPermissions.has(key));

/** The keys above one, nearest first. */
export function above(tree: Tree, key: string): string[] {
  const parent = tree.byKey.get(key)?.parent;
  return parent === undefined ? [] : [parent, ...above(tree, parent)];
}

/** Switching a key on brings its parents, switching it off takes its children. */
export function toggle(tree: Tree, granted: ReadonlySet<string>, key: string, on: boolean): Set<string> {
  const next = new Set(granted);
  if (on) for (const other of [key, ...above(tree, key)]) next.add(other);
  else for (const other of [key, ...below(tree.byKey.get(key)!).map((n) => n.key)]) next.delete(other);
  return next;
}

/** A box is full when all below it is granted too, mixed when only some of it is. */
export function stateOf(node: Node, granted: ReadonlySet<string>): 'on' | 'mixed' | 'off' {
  if (!granted.has(node.key)) return 'off';
  return below(node).every((child) => granted.has(child.key)) ? 'on' : 'mixed';
}

/**
 * Another set of rights at once (a template, another person's): rights that the editor may not change stay.
 * `left` are the wanted keys that could not be given.
 */
export function replace(
  tree: Tree,
  granted: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  free: (key: string) => boolean,
): { keys: Set<string>; left: string[] } {
  let keys = new Set([...granted].filter((key) => !free(key)));
  for (const key of wanted) if (free(key)) keys = toggle(tree, keys, key, true);
  // A parent that the editor must leave alone stays with what is below it; nothing stands without its
  // parents.
  for (const key of [...keys]) for (const parent of above(tree, key)) keys.add(parent);
  return { keys, left: [...wanted].filter((key) => !keys.has(key)) };
}

/**
 * The nodes to show for a search: those that fit, with what is above and, of a group that fits itself, all
 * below.
 */
export function matching(tree: Tree, text: string, language: Language): ReadonlySet<string> | undefined {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const fits = ({ permission: p }: Node) => {
    const searchText = plain(`${p[`name_${language}`]} ${p[`description_${language}`]} ${p.key}`);
    return words.every((word) => searchText.includes(word));
  };
  const shown = new Set<string>();
  for (const node of tree.byKey.values()) {
    if (!fits(node)) continue;
    for (const key of [node.key, ...above(tree, node.key), ...below(node).map((n) => n.key)]) shown.add(key);
  }
  return shown;
}
