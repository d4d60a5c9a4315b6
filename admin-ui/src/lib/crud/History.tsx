import { HistoryOutlined } from '@ant-design/icons';
import { type ComponentType, createContext, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useCanDo } from '../access';
import { useRestaurantIfAny } from '../target';
import { Button } from '../ui/Button';

export interface RecordHistoryProps {
  recordId: string;
  /** How the record is called, for the title. */
  name: string;
  /** The record belongs to the whole company rather than to this restaurant. */
  company?: boolean;
  onClose: () => void;
}

/** The drawer with the audit lines of one record. The application provides it, because `lib` imports no screen. */
export const RecordHistoryContext = createContext<ComponentType<RecordHistoryProps> | undefined>(undefined);

/** Whether somebody may read the log that has the lines of a record. */
function useMayRead(company: boolean): boolean {
  const can = useCan();
  const canDo = useCanDo();
  const inside = useRestaurantIfAny() !== undefined;
  if (!inside) return canDo('platform_audit', 'list');
  return company ? can('system_general@partner') : canDo('audit', 'list');
}

/** Opens the history of a record; absent without the right to read the audit log. */
export function HistoryButton({ recordId, name, company = false }: Omit<RecordHistoryProps, 'onClose'>) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const may = useMayRead(company);
  const RecordHistory = useContext(RecordHistoryContext);
  if (!may || !RecordHistory) return null;
  return (
    <>
      <Button type="text" icon={<HistoryOutlined />} onClick={() => setOpen(true)}>
        {t('action.history')}
      </Button>
      {open && (
        <RecordHistory recordId={recordId} name={name} company={company} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
