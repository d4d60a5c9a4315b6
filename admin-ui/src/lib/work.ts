import type { TFunction } from 'i18next';
import type { Me, Restaurant } from '../generated/model';
import type { Permission } from './access';
import type { useFormat } from './format';
import type { RequestOptions } from './http';
import type { usePageUrl } from './navigation';
import type { Call } from './query';

/** A work that the service does by itself and that takes longer than one waits: an export, an import. */
export interface Work {
  id: string;
  /** What it is: “Export of orders”. */
  title: string;
  /** Of what: a range, the name of a file. */
  about?: string | undefined;
  startedAt: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** Percent, where the service says how far it is. */
  progress?: number | undefined;
  result?:
    | { text?: string | undefined; download?: string | undefined; to?: WorkLink | undefined }
    | undefined;
  /** Why it failed, in words. */
  error?: string | undefined;
  /** How it is done again: at once, or on the screen where it is begun. */
  retry?: WorkAgain | WorkLink | undefined;
}

/** A screen: where it goes on, or where it is begun. */
export interface WorkLink {
  url: string;
  text: string;
}

export interface WorkAgain {
  /** Begins it anew with the same data. */
  again: (pin?: string) => Promise<unknown>;
  /** The own PIN is asked first; this says what will be done. Super admins have none. */
  pin?: string;
}

/** What a row is put into words with. */
export interface WorkWords {
  t: TFunction;
  format: ReturnType<typeof useFormat>;
  url: ReturnType<typeof usePageUrl>;
}

/** Works of one kind in the restaurant of the page: `work.ts` of a screen's folder, see the README. */
export interface WorkSource<Row> {
  /** Any of them lets one read the rows. */
  permission: readonly Permission[];
  /** What else it takes, where keys do not say it. */
  may?(me: Me, restaurant: Restaurant): boolean;
  /** Name of the call that `read` makes. The screen keeps its rows under the same name, and so is up to date. */
  call: Call;
  read(options: RequestOptions): Promise<Row[]>;
  /** Whether the signed-in person began it. */
  own(row: Row, me: Me): boolean;
  toWork(row: Row, words: WorkWords): Work;
}

/** Identity; gives `work.ts` its types. */
export const defineWork = <Row>(source: WorkSource<Row>): WorkSource<Row> => source;

export const isUnderWay = ({ state }: Pick<Work, 'state'>): boolean =>
  state === 'waiting' || state === 'running';
