import { Checkbox, Radio, Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import DateTimeInput from '../../lib/fields/DateTimeInput';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { type Asked, CHANNELS, waysOf } from './asked';

interface Props {
  asked: Asked;
  /** The moment that is shown. */
  at: string | undefined;
  onChange: (values: Record<string, string | undefined>) => void;
}

/** Channel, moment, here or taken away, language. */
export function Tools({ asked, at, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { primary_language: first, secondary_language: other } = useRestaurant();
  const ways = waysOf(asked.channel);
  return (
    <div className="preview-tools" role="search">
      <div>
        <label htmlFor={`${id}-channel`}>{t('menu_preview.channel')}</label>
        <Select
          id={`${id}-channel`}
          value={asked.channel}
          onChange={(channel) => onChange({ channel, pickup: undefined })}
          options={CHANNELS.map((channel) => ({
            value: channel,
            label: t(`menu_preview.channel.${channel}`),
          }))}
        />
      </div>
      {ways && (
        <div>
          <span id={`${id}-way`}>{t('menu_preview.way')}</span>
          <Radio.Group
            aria-labelledby={`${id}-way`}
            optionType="button"
            value={asked.pickup}
            onChange={(event) => onChange({ pickup: event.target.value ? '1' : undefined })}
            options={ways.map((way, index) => ({ value: index === 1, label: t(`menu_preview.way.${way}`) }))}
          />
        </div>
      )}
      <div>
        <label htmlFor={`${id}-at`}>{t('menu_preview.at')}</label>
        <div className="preview-at">
          <DateTimeInput
            id={`${id}-at`}
            allowClear={false}
            value={asked.at ?? at ?? null}
            onChange={(moment) => onChange({ at: moment ?? undefined })}
          />
          <Button aria-pressed={!asked.at} onClick={() => onChange({ at: undefined })}>
            {t('menu_preview.now')}
          </Button>
        </div>
      </div>
      {other && (
        <div>
          <span id={`${id}-language`}>{t('menu_preview.language')}</span>
          <Radio.Group
            aria-labelledby={`${id}-language`}
            optionType="button"
            value={asked.second}
            onChange={(event) => onChange({ language: event.target.value ? '2' : undefined })}
            options={[
              { value: false, label: t(`language.${first}`) },
              { value: true, label: t(`language.${other}`) },
            ]}
          />
        </div>
      )}
      <Checkbox
        className="preview-only"
        checked={asked.hidden}
        onChange={(event) => onChange({ only: event.target.checked ? 'hidden' : undefined })}
      >
        {t('menu_preview.only_hidden')}
      </Checkbox>
    </div>
  );
}
