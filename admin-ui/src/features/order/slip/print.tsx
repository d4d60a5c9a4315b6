import type { Language } from '../../../lib/format';
import { loadFeatureTexts } from '../../../lib/i18n';
import { printSlip as print } from '../../../lib/ui/print';
import type { Order } from '../model';
import { GuestSlip, KitchenSlip, type SlipKind, type SlipRestaurant } from './Slip';

/** The kitchen reads the interface's language, the guest the one the order came in. */
export const slipLanguage = (kind: SlipKind, order: Pick<Order, 'locale'>, language: Language): Language =>
  kind === 'guest' && (order.locale === 'hu' || order.locale === 'en') ? order.locale : language;

/** Prints a slip of an order, once its words and fonts are there. */
export async function printSlip(
  kind: SlipKind,
  order: Order,
  restaurant: SlipRestaurant,
  language: Language,
): Promise<void> {
  const written = slipLanguage(kind, order, language);
  await Promise.all([loadFeatureTexts('order', written), document.fonts?.ready]);
  const Slip = kind === 'kitchen' ? KitchenSlip : GuestSlip;
  print(kind, <Slip order={order} restaurant={restaurant} language={written} now={new Date()} />);
}
