/**
 * Kinds of form fields that the generator knows. A screen that needs another adds it here, in the generator
 * and in Field.
 */
type Kind =
  | 'text'
  | 'pair'
  | 'decimal'
  | 'integer'
  | 'switch'
  | 'tri'
  | 'select'
  | 'multiselect'
  | 'ref'
  | 'refs'
  | 'ranges'
  | 'date'
  | 'datetime'
  | 'picture'
  | 'colour'
  | 'secret'
  | 'rows';

/** Why nothing acts on a setting yet; with `values`, on these values of it. */
export interface NoEffectYet {
  en: string;
  hu: string;
  values?: readonly string[];
}

/** The description of a field in the service's document. */
export interface FieldInfo {
  kind: Kind;
  required?: boolean;
  nullable?: boolean;
  /** Only in answers: shown in lists, absent from forms. */
  readonly?: boolean;
  options?: readonly string[];
  /** Of `ref` and `refs`: the resource the ids belong to. */
  resource?: string;
  /** Of `rows`: the fields of one row. */
  rows?: Fields;
  /** Longest text, or largest number. */
  max?: number;
  min?: number;
  pattern?: string;
  /** A text that may have line breaks. */
  multiline?: boolean;
  default?: unknown;
  format?: string;
  noEffect?: NoEffectYet;
}

export type Fields = Readonly<Record<string, FieldInfo>>;

/** Names a field has in a form: a pair is two. */
export const namesOf = (name: string, info: FieldInfo): string[] =>
  info.kind === 'pair' ? [name, `${name}_sec_lang`] : [name];

/** Fields a form can show. */
export const writable = (fields: Fields): [string, FieldInfo][] =>
  Object.entries(fields).filter(([, info]) => !info.readonly);

/** The default values of a new row. */
export const initialOf = (info: FieldInfo): unknown =>
  info.default ??
  (info.kind === 'switch'
    ? false
    : info.kind === 'tri'
      ? null
      : info.kind === 'multiselect' || info.kind === 'refs' || info.kind === 'rows'
        ? []
        : undefined);

/** Whether a field without this value counts as not filled in. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0);

/**
 * Brings a value to the one form in which it is compared and sent: an emptied text is null where null is
 * allowed.
 */
export function normal(info: FieldInfo, value: unknown): unknown {
  if (value === undefined || value === null || value === '')
    return info.kind === 'text' || info.kind === 'secret' ? (info.nullable ? null : '') : null;
  if (info.kind === 'decimal') return canonical(String(value));
  if (info.kind === 'text' && typeof value === 'string')
    return value.trim() === '' && info.nullable ? null : value.trim();
  return value;
}

/** Decimal without superfluous zeros, so that 12.50 and 12.5 are the same. */
const canonical = (text: string): string =>
  text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;

/** Whether two values of a field are the same after normalising. */
export const sameValue = (info: FieldInfo, a: unknown, b: unknown): boolean =>
  JSON.stringify(normal(info, a)) === JSON.stringify(normal(info, b));
