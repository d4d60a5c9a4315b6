import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../lib/fields/labels';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { type ComponentDraft, newComponent, type SubproductDraft } from './product';
import { SizeSelect } from './shared/sizes';

/** The most pieces of one part, and the most parts, that the service takes. */
const MOST_PIECES = 999;
const MOST = 50;

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
    <details className="size-more" open={row.components.length > 0 || row.deposit_pieces !== 0}>
      <summary>{t('subproducts.parts')}</summary>
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
            {row.components.map((component, at) => (
              <ComponentRow
                key={component.key}
                component={component}
                at={at}
                size={row.id}
                onChange={(change) =>
                  onChange({
                    components: row.components.map((other) =>
                      other.key === component.key ? { ...other, ...change } : other,
                    ),
                  })
                }
                onRemove={() =>
                  onChange({ components: row.components.filter(({ key }) => key !== component.key) })
                }
              />
            ))}
            {!locked && row.components.length < MOST && (
              <Button
                className="component-add"
                icon={<PlusOutlined />}
                onClick={() => onChange({ components: [...row.components, newComponent()] })}
              >
                {t('subproducts.add_component')}
              </Button>
            )}
          </div>
        )}
      </FieldRow>
    </details>
  );
}

function ComponentRow({
  component,
  at,
  size,
  onChange,
  onRemove,
}: {
  component: ComponentDraft;
  at: number;
  /** The size that it is a part of. */
  size: string | undefined;
  onChange: (change: Partial<ComponentDraft>) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const locked = useLocked();
  const name = t('subproducts.component_nth', { number: at + 1 });
  return (
    <div className="component" role="group" aria-label={name}>
      <SizeSelect
        label={t('subproducts.component_size', { number: at + 1 })}
        without={size}
        value={component.subproduct_id}
        onChange={(subproduct_id) => onChange({ subproduct_id })}
      />
      <NumberInput<number>
        aria-label={t('subproducts.component_pieces', { number: at + 1 })}
        min={1}
        max={MOST_PIECES}
        precision={0}
        disabled={locked}
        value={component.pieces}
        onChange={(pieces) => onChange({ pieces })}
        suffix={t('subproducts.pieces')}
      />
      {!locked && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('subproducts.remove_component', { number: at + 1 })}
          onClick={onRemove}
        />
      )}
    </div>
  );
}
