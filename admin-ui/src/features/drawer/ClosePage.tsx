import { Alert, Form, Input } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawer, DrawerClose, DrawerLine } from '../../generated/model';
import { InputForm } from '../../lib/form/InputForm';
import { requiredMark } from '../../lib/form/requiredMark';
import { useUnsaved } from '../../lib/form/unsaved';
import { type InputForm as FormState, useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useHotkey } from '../../lib/hooks';
import { ApiError } from '../../lib/http';
import { IdempotencyKeys } from '../../lib/idempotency';
import { usePage } from '../../lib/navigation';
import { useForget } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { closeDrawer, readDrawer, useCouriers, useDrawer, usePutDrawer } from './api';
import { CountedLine } from './CountedLine';
import {
  atFields,
  closeBody,
  type CloseValues,
  countedName,
  HUF_PIECES,
  isCash,
  type Line,
  linesOf,
  piecesName,
  refusedWith,
  renewed,
  sameFigures,
  sumOfPieces,
} from './model';
import { useQuestion } from './Question';

const MAX_NOTE = 500;

/** Closing a drawer: counting what is in it. */
export function ClosePage({ courier }: { courier: string | undefined }) {
  const { t } = useTranslation();
  const { query } = useDrawer(courier);
  const home = useDrawer(undefined);
  const couriers = useCouriers(home.query.data);
  const whose = courier
    ? (couriers.find(({ id }) => id === courier)?.name ?? t('drawer.of_courier'))
    : t('drawer.of_restaurant');
  return (
    <div className="drawer">
      <PageHeader title={t('drawer.close_title')} lead={t('drawer.close_lead', { whose })} />
      {query.data ? (
        <CloseForm drawer={query.data} />
      ) : (
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      )}
    </div>
  );
}

/** What is shown, and what the drawer said then: it may say something else since. */
interface Seen {
  lines: Line[];
  drawer: Drawer;
}

/** The figures that the form shows. They only change when somebody asks for it or the service refuses them. */
function useSeen(now: Drawer) {
  const [seen, setSeen] = useState<Seen>(() => ({ lines: linesOf(now), drawer: now }));
  const put = usePutDrawer();
  return {
    ...seen,
    /** Something has happened since. */
    old: !sameFigures(linesOf(seen.drawer), linesOf(now)),
    renew: () => setSeen((before) => ({ lines: renewed(before.lines, linesOf(now)), drawer: now })),
    /** The service's figures, and the orders of now. */
    refuse: async (current: readonly DrawerLine[]) => {
      const drawer = await readDrawer(now.courier_id ?? undefined).catch(() => now);
      put(drawer);
      setSeen((before) => ({ lines: renewed(before.lines, refusedWith(current, drawer)), drawer }));
    },
  };
}

function useClosing(now: Drawer) {
  const seen = useSeen(now);
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const { open } = usePage();
  // By what is sent: after a conflict the same input is another body.
  const keys = useRef(new IdempotencyKeys());
  const state = useInputForm<CloseValues, DrawerClose>({
    initial: {},
    // The guard below offers no saving: closing asks first.
    guard: false,
    send: async (values) => {
      const body = closeBody(seen.lines, values, now.courier_id ?? undefined);
      try {
        return await closeDrawer(body, keys.current.keyFor(body));
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        const current = failure.problem.current as unknown;
        if (failure.code === 'CONFLICT' && Array.isArray(current)) await seen.refuse(current as DrawerLine[]);
        throw new ApiError(atFields(failure.problem, seen.lines, values), failure.retryAfter);
      }
    },
    onDone: (closed) => {
      guard.clean();
      notify.success(t('drawer.closed'));
      void forget(['drawer', 'payments']);
      void open(closed.id, { replace: true, dropQuery: true });
    },
  });
  const guard = useUnsaved({ dirty: state.dirty });
  return { seen, state };
}

/** Pieces make the sum; a sum that is typed makes them meaningless. */
function usePieces(state: FormState<CloseValues>, cash: Line) {
  return (changed: object) => {
    const names = Object.keys(changed);
    if (names.some((name) => name.startsWith('pieces_'))) {
      const values = state.form.getFieldsValue(true) as CloseValues;
      state.form.setFields([{ name: countedName(cash), value: sumOfPieces(values) ?? '', errors: [] }]);
    } else if (names.includes(countedName(cash)))
      state.form.setFieldsValue(Object.fromEntries(HUF_PIECES.map((piece) => [piecesName(piece), ''])));
    state.changed(changed);
  };
}

/** Asks, after everything is filled in. */
function useSubmit(state: FormState<CloseValues>, question: (values: CloseValues) => Promise<boolean>) {
  const asking = useRef(false);
  return async (): Promise<boolean> => {
    if (asking.current || state.saving) return false;
    asking.current = true;
    try {
      const valid = await state.form.validateFields().then(
        () => true,
        () => false,
      );
      // What is not filled in, is shown and takes the focus.
      if (valid && !(await question(state.form.getFieldsValue(true) as CloseValues))) return false;
      return await state.submit();
    } finally {
      asking.current = false;
    }
  };
}

function CloseForm({ drawer }: { drawer: Drawer }) {
  const { t } = useTranslation();
  const { max } = useTextRules();
  const { open } = usePage();
  const { seen, state } = useClosing(drawer);
  const cash = seen.lines[0]!;
  const changed = usePieces(state, cash);
  const submit = useSubmit(state, useQuestion(seen.lines, seen.drawer));
  useHotkey('ctrl+s', () => void submit());
  const values = Form.useWatch<CloseValues | undefined>([], state.form) ?? {};
  const conflict = state.error instanceof ApiError && state.error.code === 'CONFLICT';
  return (
    <InputForm
      state={{ ...state, changed, submit, ...(conflict ? { error: undefined } : {}) }}
      name="close"
      requiredMark={requiredMark}
      focusFirst={!matchMedia('(pointer: coarse)').matches}
    >
      {conflict && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          role="alert"
          title={t('drawer.conflict')}
          description={t('drawer.conflict_text')}
        />
      )}
      {seen.old && !state.unknown && !state.saving && (
        <Alert
          className="page-alert"
          type="info"
          showIcon
          role="status"
          title={t('drawer.old')}
          action={<Button onClick={seen.renew}>{t('drawer.renew')}</Button>}
        />
      )}
      <div className="drawer-cards">
        {seen.lines.map((line) => (
          <CountedLine
            key={line.id}
            line={line}
            values={values}
            pieces={line.id === cash.id && line.currency === 'huf' && isCash(line)}
          />
        ))}
        <Card className="drawer-wide">
          <Form.Item name="note" label={t('drawer.note')} rules={[max(MAX_NOTE)]}>
            <Input.TextArea maxLength={MAX_NOTE} autoSize={{ minRows: 2, maxRows: 6 }} />
          </Form.Item>
          {/* No button that Enter presses: it goes from one amount to the next by hand. */}
          <div className="form-buttons">
            <span className="form-buttons-gap" />
            <Button disabled={state.saving} onClick={() => void open()}>
              {t('action.cancel')}
            </Button>
            <Button
              type="primary"
              size="large"
              loading={state.saving}
              disabled={state.saving}
              onClick={() => void submit()}
            >
              {t('drawer.close')}
            </Button>
          </div>
        </Card>
      </div>
    </InputForm>
  );
}
