import { ThunderboltOutlined } from '@ant-design/icons';
import { Input, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { remoteIdsGenerate } from '../../../generated/client/catalogue/catalogue';
import { noEffectYet } from '../../../generated/no-effect.gen';
import { labelOf } from '../../../lib/fields/labels';
import { NoEffect } from '../../../lib/fields/NoEffect';
import { type Control, FieldRow } from '../../../lib/form/FieldRow';
import { useLocked } from '../../../lib/form/fieldState';
import { here } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { type IdField, type Ids, platformOf } from './externalIds';

/** The longest id that the service takes. */
const MAX = 100;

interface Props<F extends IdField> {
  resource: string;
  fields: readonly F[];
  /** Begins the paths of the fields: `subproducts.<key>.`. */
  prefix?: string;
  value: Ids<F>;
  onChange: (change: Partial<Ids<F>>) => void;
  /** Ids of the field that stand elsewhere in the draft and are not saved yet. */
  taken?: (field: F) => readonly string[];
}

/** What a row is called in other systems. */
export function ExternalIds<F extends IdField>({
  resource,
  fields,
  prefix = '',
  value,
  onChange,
  taken,
}: Props<F>) {
  const { t } = useTranslation();
  return (
    <>
      <div className="field-line">
        {fields.map((field) => (
          <FieldRow
            key={field}
            path={`${prefix}${field}`}
            label={labelOf(resource, field)}
            help={field === 'hiopos_product_id' ? t('catalogue.several_may_have_it') : undefined}
          >
            {(control) => (
              <IdInput
                control={control}
                field={field}
                name={labelOf(resource, field)}
                value={value[field]}
                taken={taken?.(field) ?? []}
                onChange={(id) => onChange({ [field]: id } as Partial<Ids<F>>)}
              />
            )}
          </FieldRow>
        ))}
      </div>
      <p className="edit-help">
        <NoEffect what={t('catalogue.external_ids')} of={noEffectYet['Subproduct.wolt_id']} />
      </p>
    </>
  );
}

interface InputProps {
  control: Control;
  field: IdField;
  name: string;
  value: string;
  taken: readonly string[];
  onChange: (id: string) => void;
}

/** An id, and while there is none a button that draws a free one. */
function IdInput({ control, field, name, value, taken, onChange }: InputProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const notify = useNotify();
  const [drawing, setDrawing] = useState(false);
  const draw = async () => {
    setDrawing(true);
    try {
      const { remote_id } = await remoteIdsGenerate(...here(), {
        platform_id: platformOf(field),
        'skip_ids[]': taken.filter(Boolean),
      });
      onChange(remote_id);
      document.getElementById(control.id)?.focus();
    } catch (error) {
      notify.problem(error);
    }
    setDrawing(false);
  };
  return (
    <div className="external-id">
      <Input
        {...control}
        disabled={locked}
        maxLength={MAX}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {!locked && value === '' && (
        <Tooltip title={t('catalogue.draw_id')}>
          <Button
            icon={<ThunderboltOutlined />}
            loading={drawing}
            aria-label={t('catalogue.draw_id_of', { name })}
            onClick={() => void draw()}
          />
        </Tooltip>
      )}
    </div>
  );
}
