import {
  meChangePassword,
  meUpdate,
  mySessionsDelete,
  mySessionsEndOthers,
  mySessionsList,
  ownPinsDelete,
  ownPinsUpdate,
  secondFactorBegin,
  secondFactorConfirm,
  secondFactorDelete,
  ticketsCreate,
} from '../../generated/client/session/session';
import type { MeChange } from '../../generated/model';
import { useMe } from '../../lib/me';
import { readKey, useForget, useRead } from '../../lib/query';
import { session } from '../../lib/session';
import { target } from '../../lib/target';

/** The signed-in account is read again, so that the whole page shows a change of it. */
export const reloadMe = async (): Promise<void> => void (await session.load());

export const account = {
  update: async (body: MeChange) => {
    const me = await meUpdate(body);
    session.set(me);
    return me;
  },
  password: meChangePassword,
  /** The PIN is the person's at one partner. */
  setPin: (body: { pin: string; password: string }) => ownPinsUpdate(target().partner_id, body),
  removePin: () => ownPinsDelete(target().partner_id),
  /** An address that signs in at the till, once and for a minute. */
  tillTicket: (restaurant_id: string) => ticketsCreate({ purpose: 'pos', restaurant_id }),
  endSession: (id: string) => mySessionsDelete(id),
  endOthers: () => mySessionsEndOthers(),
};

export const secondFactor = {
  /** @param code needed when one is on already. */
  begin: (code?: string) => secondFactorBegin(code ? { code } : {}),
  confirm: async (code: string) => (await secondFactorConfirm({ code })).recovery_codes,
  remove: (code: string) => secondFactorDelete({ code }),
};

const SESSIONS = readKey('mySessionsList');
export const useSessions = () => useRead(SESSIONS, () => mySessionsList());
export function useReloadSessions(): () => Promise<void> {
  const forget = useForget();
  return () => forget([SESSIONS]);
}

/** What the person is at the partner of this page; none outside a restaurant and for a super admin. */
export function useOwnTarget(partner: string | undefined) {
  return useMe().targets.find((t) => t.partner_id === partner && t.admin_id);
}
