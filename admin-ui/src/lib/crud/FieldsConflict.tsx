import { type Fields, namesOf, sameValue, writable } from '../fields/kinds';
import { labelOf } from '../fields/labels';
import { ConflictDialog } from '../form/ConflictDialog';
import type { Choice, Conflict } from '../form/useRow';
import { Value } from './Value';

interface Props {
  conflict: Conflict<object> | undefined;
  fields: Fields;
  /** Prefix of the label keys. */
  resource: string;
  resolve: (choice: Choice) => void;
}

/** The comparison of two versions of a row: the fields that one changed and that differ. */
export function FieldsConflict({ conflict, fields, resource, resolve }: Props) {
  const valueOf = (values: object | undefined, name: string) => (values as Record<string, unknown>)[name];
  const names = writable(fields).flatMap(([name, info]) =>
    namesOf(name, info).map((n) => ({
      name: n,
      info: info.kind === 'pair' ? { ...info, kind: 'text' as const } : info,
    })),
  );
  const rows = conflict
    ? names.filter(({ name, info }) => {
        const [was, mine] = [valueOf(conflict.base, name), valueOf(conflict.mine, name)];
        return !sameValue(info, mine, was) && !sameValue(info, mine, valueOf(conflict.theirs, name));
      })
    : [];
  return (
    <ConflictDialog
      open={conflict !== undefined}
      saved={conflict?.saved}
      rows={rows.map(({ name, info }) => ({
        key: name,
        label: labelOf(resource, name),
        theirs: <Value resource={resource} name={name} info={info} value={valueOf(conflict?.theirs, name)} />,
        mine: <Value resource={resource} name={name} info={info} value={valueOf(conflict?.mine, name)} />,
      }))}
      resolve={resolve}
    />
  );
}
