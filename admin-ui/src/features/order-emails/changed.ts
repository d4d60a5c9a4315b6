import type { OrderEmail } from '../../generated/model';

const TEXTS = ['subject', 'body', 'subject_sec_lang', 'body_sec_lang'] as const;

/**
 * The texts that differ from the row's, also in the language that is not on the screen: only one of them is.
 */
export const changedTexts = (
  row: OrderEmail,
  values: Record<string, unknown>,
): Record<string, string | null> =>
  Object.fromEntries(
    TEXTS.filter((name) => name in values).flatMap((name) => {
      const text = (values[name] as string | null | undefined) || null;
      return text === (row[name] ?? null) ? [] : [[name, text]];
    }),
  );
