import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { sellableQuantitiesList } from '../../../generated/client/catalogue/catalogue';
import type { SellableQuantity } from '../../../generated/model';
import { usePageUrl } from '../../../lib/navigation';
import { useScanner } from '../../../lib/scanner';
import { here } from '../../../lib/target';
import { useNotify } from '../../../lib/ui/notify';

/** The sizes that have this code, or whose product has it, in the order of the menu. */
export const findByEan = (code: string): Promise<SellableQuantity[]> =>
  sellableQuantitiesList(...here(), { ean_code: code });

/** A code that is scanned over a list of the menu opens the editor of its size. */
export function useScanToEditor(enabled: boolean): void {
  const { t } = useTranslation();
  const url = usePageUrl();
  const navigate = useNavigate();
  const notify = useNotify();
  useScanner((code) => {
    findByEan(code).then(([row]) => {
      if (!row) return notify.info(t('catalogue.article_not_found', { code }));
      const path = `${row.product_category_id}/${row.product_id}`;
      return void navigate(url('categories_and_products', path, { subproduct: row.id }));
    }, notify.problem);
  }, enabled);
}
