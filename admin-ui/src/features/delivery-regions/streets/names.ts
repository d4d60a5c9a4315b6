/**
 * The towns of a text table by row, to be named beside its faults: the service names row and column alone. Workbooks
 * are not read here.
 */

/** What the column may be called, as the service knows it. */
const HEADINGS = new Set(['city', 'varos', 'telepules', 'town', 'helyseg']);
const SEPARATORS = [';', ',', '\t'] as const;
const TEXTS = /\.(csv|tsv|txt)$/i;
/** What is larger is no list of towns. */
const MOST_BYTES = 2_000_000;

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim();

/** UTF-8 where it is valid, else what Excel saves in Hungary. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1250').decode(bytes);
  }
}

/** Rows of cells; in a quoted one separators and line ends are letters, and two quotes are one. */
function records(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (quoted && letter === '"' && text[at + 1] === '"') {
      cell += letter;
      at += 1;
    } else if (letter === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (quoted || (letter !== separator && letter !== '\n' && letter !== '\r')) cell += letter;
    else {
      rows.at(-1)!.push(cell);
      cell = '';
      if (letter === '\r' && text[at + 1] === '\n') at += 1;
      if (letter !== separator) rows.push([]);
    }
  }
  rows.at(-1)!.push(cell);
  return rows;
}

/** By the number of the row, from 1. */
export type Names = ReadonlyMap<number, string>;

export function townsOf(text: string): Names {
  for (const separator of SEPARATORS) {
    const rows = records(text, separator);
    const head = rows.find((cells) => cells.some((cell) => cell.trim()));
    const column = head?.findIndex((title) => HEADINGS.has(fold(title))) ?? -1;
    if (column < 0) continue;
    return new Map(
      rows.flatMap((cells, at): [number, string][] => {
        const name = cells[column]?.trim();
        return name ? [[at + 1, name]] : [];
      }),
    );
  }
  return new Map();
}

/** None of a file that is no text. */
export async function townsIn(file: File): Promise<Names> {
  if (!TEXTS.test(file.name) || file.size > MOST_BYTES) return new Map();
  return townsOf(decode(await file.arrayBuffer()));
}
