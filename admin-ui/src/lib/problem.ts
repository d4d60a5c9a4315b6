import i18next from 'i18next';
import { ApiError } from './http';
import { t } from './i18n';
import { isUnloaded } from './reach';

/** The meaning of a failed call, in the user's language. */
interface Explained {
  text: string;
  /** To be quoted to support; shown when the text is only a general one, or the fault is the service's. */
  requestId?: string | undefined;
  /** Seconds until another attempt makes sense. */
  retryAfter?: number | undefined;
  /** There was no answer. */
  unanswered: boolean;
}

/** Text by `errors.<code>`, else what the service says, else a general sentence. */
export function explain(error: unknown): Explained {
  if (isUnloaded(error))
    return { text: `${t('state.unloaded')}. ${t('state.unloaded_text')}`, unanswered: true };
  if (!(error instanceof ApiError)) return { text: t('errors.UNKNOWN_ERROR'), unanswered: false };
  const { problem } = error;
  const known = i18next.exists(`errors.${problem.code}`);
  return {
    text: known ? t(`errors.${problem.code}`) : (problem.title ?? t('errors.UNKNOWN_ERROR')),
    requestId:
      !known || error.status >= 500 || problem.code === 'UNKNOWN_ERROR' ? problem.request_id : undefined,
    retryAfter: error.retryAfter,
    unanswered: error.unanswered,
  };
}

/**
 * The text that stands at a field the service refused: by its fault, else the code's own, else a general one.
 */
export function fieldText(error: ApiError, key?: string): string {
  const fault = error.problem.faults?.find((f) => f.key === key);
  const general =
    ['VALIDATION_FAILED', 'BAD_REQUEST'].includes(error.code) || error.code.endsWith('_MISSING_PARAM');
  // A specific code is more helpful than `invalid`.
  if (fault?.fault && (general || fault.fault !== 'invalid') && i18next.exists(`fault.${fault.fault}`))
    return t(`fault.${fault.fault}`, { limit: fault.limit ?? undefined });
  return general || !i18next.exists(`errors.${error.code}`) ? t('problem.field') : t(`errors.${error.code}`);
}

/** Dotted key to the name path of a form: `ranges.0.price_from` -> ['ranges', 0, 'price_from']. */
export const namePath = (key: string): NamePath =>
  key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

export type NamePath = (string | number)[];

/**
 * Finds the input that stands for each refused key: its own, or the nearest above it (one input edits all
 * time ranges). Keys without an input come back in `elsewhere`.
 */
export function placeKeys(
  error: ApiError,
  inputs: readonly NamePath[],
): { atInputs: { name: NamePath; key: string }[]; elsewhere: string[] } {
  const known = new Map(inputs.map((name) => [name.join('.'), name]));
  const atInputs: { name: NamePath; key: string }[] = [];
  const elsewhere: string[] = [];
  for (const key of error.keys) {
    let path = key;
    while (path && !known.has(path)) path = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
    const name = known.get(path);
    if (name) atInputs.push({ name, key });
    else elsewhere.push(key);
  }
  return { atInputs, elsewhere };
}
