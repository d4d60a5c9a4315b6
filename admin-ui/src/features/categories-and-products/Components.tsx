import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../lib/fields/labels';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { CompositionDialog, MOST_PIECES } from './CompositionDialog';
import type { SubproductDraft } from './product';
import { FoldedGroup } from './shared/Group';
import { SIZE } from './shared/groups';
import { sizeLabel, useSizes } from './shared/sizes';

interface Props {
  row: SubproductDraft;
  prefix: string;
  onChange: (change: Partial<SubproductDraft>) => void;
}

/** Bottles with a deposit, and what a menu consists of. */
export function Components({ row, prefix, onChange }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  return (
    <FoldedGroup
      inner
      title={t('subproducts.parts')}
      said={[
        ...(row.components.length > 0 ? [t('editor.parts', { count: row.components.length })] : []),
        ...(row.deposit_pieces !== 0 ? [t('editor.deposit', { count: row.deposit_pieces })] : []),
      ]}
      fields={SIZE.parts}
      prefix={prefix}
    >
      <FieldRow
        path={`${prefix}deposit_pieces`}
        label={labelOf('subproducts', 'deposit_pieces')}
        help={t('subproducts.deposit_pieces_help')}
      >
        {(control) => (
          <NumberInput<number>
            {...control}
            min={0}
            max={MOST_PIECES}
            precision={0}
            disabled={locked}
            value={row.deposit_pieces}
            onChange={(pieces) => onChange({ deposit_pieces: pieces ?? 0 })}
            suffix={t('subproducts.pieces')}
          />
        )}
      </FieldRow>
      <FieldRow
        path={`${prefix}components`}
        label={labelOf('subproducts', 'components')}
        group
        help={t('subproducts.components_help')}
      >
        {({ id }) => (
          <div className="groups" id={id} tabIndex={-1}>
            <Parts row={row} onChange={onChange} />
          </div>
        )}
      </FieldRow>
    </FoldedGroup>
  );
}

/** The components in short, and the dialog in which they are put together. */
function Parts({ row, onChange }: Pick<Props, 'row' | 'onChange'>) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const locked = useLocked();
  const sizes = useSizes();
  const [composing, setComposing] = useState(false);
  const name = (id: string | null) => {
    const size = sizes?.find((one) => one.id === id);
    // A part that is on no menu any more has to be taken out.
    return size ? sizeLabel(size) : sizes ? t('composition.gone') : '…';
  };
  return (
    <>
      {row.components.length > 0 && (
        <ul className="parts">
          {row.components.map(({ key, subproduct_id, pieces }) => (
            <li key={key}>
              {number(pieces)} × {name(subproduct_id)}
            </li>
          ))}
        </ul>
      )}
      {!locked && (
        <Button className="component-add" aria-haspopup="dialog" onClick={() => setComposing(true)}>
          {row.components.length ? t('composition.change') : t('composition.begin')}
        </Button>
      )}
      {composing && (
        <CompositionDialog
          row={row}
          onClose={() => setComposing(false)}
          onTake={(composed) => {
            onChange(composed);
            setComposing(false);
          }}
        />
      )}
    </>
  );
}
