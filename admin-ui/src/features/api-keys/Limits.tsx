import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKeyLimitsUpdate } from '../../generated/client/platform/platform';
import { fields } from '../../generated/fields/api_key_limits.gen';
import { useAtOnce } from '../../lib/crud/useAtOnce';
import { useForget } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import type { ApiKey, KeyResource } from './types';
import { NumberInput } from '../../lib/ui/NumberInput';

/**
 * How far a key may go: the platform's operator says it, and it takes effect by itself, apart from the form
 * above it.
 */
export function Limits({ resource, row }: { resource: KeyResource; row: ApiKey }) {
  const { t } = useTranslation();
  const forget = useForget();
  const [factor, setFactor] = useState<number | null>(row.limit_factor);
  const { saving, change } = useAtOnce(async (limit_factor: number) => {
    await apiKeyLimitsUpdate(row.id, { limit_factor });
    setFactor(limit_factor);
    await forget([resource]);
  });
  const save = () => {
    if (factor && factor !== row.limit_factor)
      void change(factor, row.limit_factor, t('api_keys.limit_saved'));
  };
  return (
    <fieldset className="field-group">
      <legend>{t('api_keys.limit_factor')}</legend>
      <p className="field-lead" id="limit-text">
        {t('api_keys.limit_text')}
      </p>
      <div className="key-limit">
        <NumberInput
          aria-label={t('api_keys.limit_factor')}
          aria-describedby="limit-text"
          min={fields.limit_factor.min}
          max={fields.limit_factor.max}
          precision={0}
          suffix="×"
          disabled={saving}
          value={factor}
          onChange={setFactor}
          onPressEnter={(event) => {
            event.preventDefault();
            save();
          }}
        />
        <Button loading={saving} disabled={!factor || factor === row.limit_factor} onClick={save}>
          {t('api_keys.limit_set')}
        </Button>
      </div>
    </fieldset>
  );
}
