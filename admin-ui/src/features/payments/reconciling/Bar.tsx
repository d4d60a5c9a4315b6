import { DownloadOutlined, SyncOutlined } from '@ant-design/icons';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../../lib/clock';
import { save } from '../../../lib/download';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { useWork } from '../../../lib/ui/work';
import { Day } from '../../previous-orders/DateInputs';
import { businessDay } from '../../previous-orders/days';
import { useClock } from '../../previous-orders/useClock';
import { readWorkbook, useComparing } from './api';
import { dayBefore, monthOf } from './days';

/** Compares a business day, and makes workbooks of it and of its month. */
export function Bar() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const id = useId();
  const notify = useNotify();
  const { compare } = useComparing();
  const { doing, work } = useWork<'compare' | 'day' | 'month'>();
  const today = businessDay(new Date(serverNow()), useClock());
  const [day, setDay] = useState(() => dayBefore(today));
  const begin = () =>
    work(async () => {
      await compare(day);
      notify.success(t('payments.compare_begun'), t('payments.compare_begun_text'));
    }, 'compare');
  const workbook = (which: 'day' | 'month') =>
    work(async () => {
      const { from, till } = which === 'day' ? { from: day, till: day } : monthOf(day, today);
      const name = [t('payments.workbook_file'), from, ...(from === till ? [] : [till])].join('-');
      save(`${name}.xlsx`, await readWorkbook(from, till, language));
    }, which);
  return (
    <div className="list-tools payments-tools">
      <span className="payments-day">
        <label htmlFor={id}>{t('payments.business_day')}</label>
        <Day id={id} value={day} most={today} allowClear={false} onChange={(next) => next && setDay(next)} />
      </span>
      <Button
        type="primary"
        icon={<SyncOutlined />}
        loading={doing === 'compare'}
        onClick={() => void begin()}
      >
        {t('payments.compare')}
      </Button>
      {(['day', 'month'] as const).map((which) => (
        <Button
          key={which}
          icon={<DownloadOutlined />}
          loading={doing === which}
          onClick={() => void workbook(which)}
        >
          {t(`payments.workbook_${which}`)}
        </Button>
      ))}
    </div>
  );
}
