import {
  partnersClone,
  partnersCreate,
  partnersDelete,
  partnersGet,
  partnersMigrate,
  partnersReactivate,
  partnersRestore,
  partnersSuspend,
  partnersUndelete,
  partnersUpdate,
  platformExportsCreate,
  platformExportsList,
} from '../../generated/client/platform/platform';
import { ExportStatus, PartnerMode, PartnerStatus } from '../../generated/model';
import type { Tone } from '../../lib/ui/page';

export type { Export, NewPartner, Partner, PartnerRow } from '../../generated/model';
export type Mode = PartnerMode;
export type Status = PartnerStatus;
export const MODES = Object.values(PartnerMode);
export const STATUSES = Object.values(PartnerStatus);
/** Longest name the service takes. */
export const NAME_MAX = 200;

export const TONE: Record<Status, Tone> = {
  creating: 'info',
  active: 'success',
  suspended: 'warning',
  maintenance: 'info',
  deleting: 'error',
};
export const EXPORT_TONE: Record<ExportStatus, Tone> = {
  waiting: 'neutral',
  running: 'info',
  ready: 'success',
  failed: 'error',
};

/** An archive is sent in one piece and checked to its end before the answer. */
const RESTORE_MS = 15 * 60_000;

export const readPartner = (id: string, signal?: AbortSignal) => partnersGet(id, { signal: signal ?? null });
/** Waits a moment for the partner to be made; else the answer's status is `creating`. */
export const createPartner = (body: Parameters<typeof partnersCreate>[0], key: string) =>
  partnersCreate(body, { 'Idempotency-Key': key });
export const renamePartner = (id: string, name: string) => partnersUpdate(id, { name });
export const suspendPartner = (id: string, reason: string) => partnersSuspend(id, { reason });
export const reactivatePartner = (id: string) => partnersReactivate(id);
export const deletePartner = (id: string, confirm: string) => partnersDelete(id, { confirm });
export const undeletePartner = (id: string) => partnersUndelete(id);
export const clonePartner = (id: string, name: string) => partnersClone(id, { name });
export const migratePartner = (id: string) => partnersMigrate(id);
export const restorePartner = (body: Parameters<typeof partnersRestore>[0]) =>
  partnersRestore(body, { timeout: RESTORE_MS });
export const readExports = (id: string) => platformExportsList(id);
export const startExport = (id: string, reason: string) => platformExportsCreate(id, { reason });
