import { Button } from '../ui/Button';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { samePage } from '../features';
import { Dialog } from '../ui/Dialog';

interface Guard {
  dirty: boolean;
  /** Saves; false when it did not work and the user must stay. */
  save?: (() => Promise<boolean>) | undefined;
}

interface Registry {
  set: (id: string, guard: Guard | undefined) => void;
  /**
   * Asks when something is unsaved; true when the caller may go on (saved or discarded). For closing a
   * drawer, switching a tab. Forms that lie below what is closed stay, and are not asked about.
   */
  ask: (below: readonly string[]) => Promise<boolean>;
  /** Whether anything is unsaved. */
  any: () => boolean;
}

const Context = createContext<Registry | undefined>(undefined);

/**
 * Forms of a page that stay as they are while something over them is opened and closed: a drawer over a map that
 * is edited. By their guard.
 */
export const FormsBelow = createContext<readonly string[]>([]);
const NONE_BELOW: readonly string[] = [];

/** Leaving the application itself on purpose (sign-out) must not ask. */
let suspended = false;
export const suspendGuards = (): void => {
  suspended = true;
};

/**
 * One guard for the whole application: the router knows only one blocker. Forms register with `useUnsaved`.
 * Leaving by the menu, back, another restaurant: save, discard or stay. Closing the tab: the browser's own
 * question. Switching the language is the same page and asks nothing.
 */
export function UnsavedProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const guards = useRef(new Map<string, Guard>());
  const asked = (below: readonly string[]) =>
    [...guards.current].filter(([id]) => !below.includes(id)).map(([, guard]) => guard);
  const isDirty = (below = NONE_BELOW) => !suspended && asked(below).some((g) => g.dirty);
  const [saving, setSaving] = useState(false);
  const [pending, setPending] = useState<
    { decide: (go: boolean) => void; below: readonly string[] } | undefined
  >();
  const below = pending?.below ?? NONE_BELOW;

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty() && !samePage(currentLocation.pathname, nextLocation.pathname),
  );

  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, []);

  const registry = useMemo<Registry>(
    () => ({
      set: (id, guard) => void (guard ? guards.current.set(id, guard) : guards.current.delete(id)),
      ask: (under) =>
        isDirty(under)
          ? new Promise((decide) => setPending({ decide, below: under }))
          : Promise.resolve(true),
      any: () => isDirty(),
    }),
    [],
  );

  const open = blocker.state === 'blocked' || pending !== undefined;
  const answer = (go: boolean) => {
    if (go) for (const id of guards.current.keys()) if (!below.includes(id)) guards.current.delete(id);
    pending?.decide(go);
    setPending(undefined);
    if (blocker.state === 'blocked') (go ? blocker.proceed : blocker.reset)();
  };
  const save = async () => {
    setSaving(true);
    try {
      for (const guard of asked(below)) if (guard.dirty && !(await guard.save?.())) return answer(false);
      answer(true);
    } finally {
      setSaving(false);
    }
  };
  const canSave = asked(below).every((g) => !g.dirty || g.save);

  return (
    <Context.Provider value={registry}>
      {children}
      {open && (
        <Dialog
          title={t('unsaved.title')}
          onCancel={() => answer(false)}
          zIndex={1200}
          footer={[
            <Button key="discard" danger disabled={saving} onClick={() => answer(true)}>
              {t('unsaved.discard')}
            </Button>,
            <Button key="stay" autoFocus disabled={saving} onClick={() => answer(false)}>
              {t('unsaved.stay')}
            </Button>,
            canSave && (
              <Button key="save" type="primary" loading={saving} onClick={() => void save()}>
                {t('unsaved.save')}
              </Button>
            ),
          ]}
        >
          <p>{t('unsaved.text')}</p>
        </Dialog>
      )}
    </Context.Provider>
  );
}

/**
 * Registers a form. `ask()`: true when it may be closed. `clean()`: forget this form's changes at once, to be
 * called after saving and before navigating away (state alone would arrive one render too late).
 */
export function useUnsaved(guard: Guard): {
  ask: () => Promise<boolean>;
  clean: () => void;
  /** Names this form for `FormsBelow`. */
  id: string;
} {
  const registry = useContext(Context);
  const below = useContext(FormsBelow);
  const id = useId();
  useEffect(() => {
    registry?.set(id, guard);
  });
  useEffect(() => () => registry?.set(id, undefined), [registry, id]);
  return useMemo(
    () => ({
      ask: () => registry?.ask(below) ?? Promise.resolve(true),
      clean: () => registry?.set(id, undefined),
      id,
    }),
    [registry, below, id],
  );
}

/** Asks whether anything on the page is unsaved just now. */
export function useAnyUnsaved(): () => boolean {
  const registry = useContext(Context);
  return () => registry?.any() ?? false;
}
