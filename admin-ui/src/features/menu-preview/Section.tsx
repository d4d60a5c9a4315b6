import { useTranslation } from 'react-i18next';
import type { MenuPreview, MenuPreviewProduct, MenuPreviewSubproduct } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Card, Chip } from '../../lib/ui/page';
import { choice } from '../categories-and-products/shared/choice';
import { nameIn } from '../categories-and-products/shared/subject';
import type { Section as Part } from './menu';
import { Reasons } from './reasons';

interface Props {
  part: Part;
  preview: MenuPreview;
  second: boolean;
}

/** A category as guests see it, with what they do not see in grey. */
export function Section({ part: { category, above, products }, preview, second }: Props) {
  const { t } = useTranslation();
  const name = nameIn(category, second);
  return (
    <Card
      flush
      className="preview-section"
      title={above ? `${nameIn(above, second)} › ${name}` : name}
      extra={!category.shown && <Chip>{t('menu_preview.not_shown')}</Chip>}
    >
      <ul className="preview-products">
        {products.map((product) => (
          <Product key={product.id} product={product} preview={preview} second={second} />
        ))}
      </ul>
    </Card>
  );
}

function Product({
  product,
  preview,
  second,
}: {
  product: MenuPreviewProduct;
  preview: MenuPreview;
  second: boolean;
}) {
  const description = (second && product.description_sec_lang) || product.description;
  const alone = product.subproducts.length === 1;
  return (
    <li className="preview-product" data-off={!product.shown}>
      {product.image ? (
        <img src={product.image.small} alt="" loading="lazy" />
      ) : (
        <span className="preview-blank" aria-hidden />
      )}
      <div className="preview-body">
        <h3>{nameIn(product, second)}</h3>
        {description && <p className="preview-soft">{description}</p>}
        <ul className="preview-sizes">
          {product.subproducts.map((size) => (
            <Size
              key={size.id}
              size={size}
              // The only size of a product is not named.
              name={alone ? undefined : nameIn(size, second)}
              preview={preview}
              second={second}
            />
          ))}
        </ul>
      </div>
    </li>
  );
}

interface SizeProps {
  size: MenuPreviewSubproduct;
  name: string | undefined;
  preview: MenuPreview;
  second: boolean;
}

function Size({ size, name, preview, second }: SizeProps) {
  const { t } = useTranslation();
  const { money, percent } = useFormat();
  const facts = [
    size.vat_percent !== null && t('menu_preview.vat', { percent: percent(size.vat_percent) }),
    size.deposit_pieces > 0 && t('menu_preview.deposit', { count: size.deposit_pieces }),
    size.service_fee && t('menu_preview.service_fee'),
    typeof size.sellable_quantity === 'number' && t('menu_preview.left', { count: size.sellable_quantity }),
  ].filter(Boolean);
  const groups = preview.option_groups.filter((group) => size.option_group_ids.includes(group.id));
  return (
    <li className="preview-size" data-off={!size.on_sale || !size.shown}>
      <div className="preview-line">
        {name && <b>{name}</b>}
        <span className="num preview-price">{money(size.price)}</span>
        {!size.shown ? (
          <Chip>{t('menu_preview.not_shown')}</Chip>
        ) : (
          !size.on_sale && <Chip tone="warning">{t('menu_preview.not_on_sale')}</Chip>
        )}
        <span className="preview-soft">{facts.join(' · ')}</span>
      </div>
      {size.components.length > 0 && (
        <p className="preview-soft">
          {t('menu_preview.consists', {
            parts: size.components
              .map((part) => `${part.pieces > 1 ? `${part.pieces} × ` : ''}${nameIn(part, second)}`)
              .join(', '),
          })}
        </p>
      )}
      <Reasons reasons={size.reasons} second={second} />
      {groups.map((group) => (
        <Options key={group.id} group={group} second={second} />
      ))}
    </li>
  );
}

/** Options fold up: a menu may have hundreds. */
function Options({ group, second }: { group: MenuPreview['option_groups'][number]; second: boolean }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const { key, min, max } = choice(group);
  const off = group.options.filter((option) => !option.on_sale).length;
  return (
    <details className="preview-group">
      <summary>
        {nameIn(group, second)} <span className="preview-soft">{t(`menu_preview.${key}`, { min, max })}</span>
        {off > 0 && <Chip>{t('menu_preview.options_off', { count: off })}</Chip>}
      </summary>
      <ul>
        {group.options.map((option) => (
          <li key={option.id} data-off={!option.on_sale}>
            <span>{nameIn(option, second)}</span>{' '}
            <span className="num">{Number(option.price) > 0 && `+ ${money(option.price)}`}</span>
            <Reasons reasons={option.reasons} second={second} />
          </li>
        ))}
      </ul>
    </details>
  );
}
