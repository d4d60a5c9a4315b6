import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentSettings } from '../../generated/model';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { SavingSwitch } from '../../lib/ui/SavingSwitch';
import { useWork } from '../../lib/ui/work';
import type { Method, Settings, View } from './api';
import { ServedBy } from './ServedBy';

interface Props {
  view: View;
  title: string;
  lead: string;
  data: PaymentSettings;
  save: Settings['save'];
  /** Which methods the card shows. */
  shown: (method: Method) => boolean;
  /** Which methods the whole screen changes. */
  ofView: (method: Method) => boolean;
}

/** Ways to pay with a switch each; every change takes effect at once and can be taken back. */
export function Methods({ view, title, lead, data, save, shown, ofView }: Props) {
  const { t, i18n } = useTranslation();
  const notify = useNotify();
  const id = useId();
  const { busy, work } = useWork();
  const nameOf = (method: Method) => (i18n.language === 'hu' ? method.name : method.name_en);
  const whyOf = (method: Method) =>
    [method.always_available && 'always', method.needs.length > 0 && 'needs']
      .filter(Boolean)
      .map((why) => `${id}${method.id}-${why}`)
      .join(' ') || undefined;
  const isOn = (method: Method) => (view === 'web' ? method.enabled_web : method.enabled_pos);
  const put = (methods: readonly Method[], changed: string, enabled: boolean) =>
    save({
      view,
      payment_method_ids: methods
        .filter((one) => ofView(one) && (one.id === changed ? enabled : isOn(one)))
        .map((one) => one.id),
    });
  const change = (method: Method, enabled: boolean) =>
    work(async () => {
      const after = await put(data.payment_methods, method.id, enabled);
      notify.undo(t(enabled ? 'setting.switched_on' : 'setting.switched_off', { name: nameOf(method) }), () =>
        put(after.payment_methods, method.id, !enabled),
      );
    });
  return (
    <Card title={title}>
      <p className="setting-lead">{lead}</p>
      {data.payment_methods.filter(shown).map((method) => (
        <div className="setting-line" key={method.id}>
          <div>
            <b id={`${id}${method.id}`}>{nameOf(method)}</b>
            {method.always_available && <p id={`${id}${method.id}-always`}>{t('payment_methods.always')}</p>}
            {method.needs.length > 0 && (
              <p id={`${id}${method.id}-needs`}>
                {t('payment_methods.not_available', {
                  needs: method.needs
                    .map((need) => t(`payment_methods.need.${need}`))
                    .join(t('payment_methods.or')),
                })}
              </p>
            )}
            {method.paid_online && <ServedBy method={method} data={data} save={save} name={nameOf(method)} />}
          </div>
          <label className="target">
            <SavingSwitch
              aria-labelledby={`${id}${method.id}`}
              aria-describedby={whyOf(method)}
              checked={isOn(method)}
              disabled={method.always_available || method.needs.length > 0}
              saving={busy}
              onChange={(next) => void change(method, next)}
            />
          </label>
        </div>
      ))}
    </Card>
  );
}
