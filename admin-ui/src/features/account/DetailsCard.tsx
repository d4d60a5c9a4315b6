import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { changes, same } from '../../lib/form/body';
import { FieldStateContext } from '../../lib/form/fieldState';
import { FormAlert } from '../../lib/form/FormAlert';
import { useDraft } from '../../lib/form/useDraft';
import { useSave } from '../../lib/form/useSave';
import { useMe } from '../../lib/me';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { account } from './api';
import { type Details, detailsBody, detailsFaults, detailsOf } from './details';
import { DetailsFields } from './DetailsFields';
import '../../lib/form/draft.css';

/** The own time zone, billing details and addresses. */
export function DetailsCard() {
  const { t } = useTranslation();
  const notify = useNotify();
  const me = useMe();
  const draft = useDraft({
    start: () => detailsOf(me),
    differ: (now, base) => !same(now, base),
    validate: detailsFaults,
  });
  const save = useSave({
    values: draft,
    // What a company wrote over the account's is shown too; sent with a change of another field, it would become
    // the account's own, which other companies see.
    bodyOf: (details: Details) => changes(detailsBody(draft.base()), detailsBody(details)),
    send: account.update,
    onSaved: (saved) => {
      draft.begin(detailsOf(saved));
      notify.saved();
    },
    repeatable: true,
  });
  const { faults, dirty } = draft;
  const busy = save.saving || save.unknown;
  const state = useMemo(() => ({ faults, busy, locked: busy }), [faults, busy]);
  return (
    <Card title={t('details.title')}>
      <FieldStateContext.Provider value={state}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save.run();
          }}
        >
          <FormAlert state={save} />
          <DetailsFields value={draft.draft} set={draft.set} />
          <div className="form-buttons">
            <span className="form-buttons-gap" />
            <Button type="primary" htmlType="submit" loading={save.saving} disabled={!dirty}>
              {t('action.save')}
            </Button>
          </div>
        </form>
      </FieldStateContext.Provider>
    </Card>
  );
}
