import { FileTextOutlined, ReadOutlined, ShopOutlined } from '@ant-design/icons';
import { type ComponentType, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { productsSearch } from '../generated/client/catalogue/catalogue';
import { ordersSearch } from '../generated/client/orders/orders';
import { platformRestaurantsSearch } from '../generated/client/restaurants/restaurants';
import type { OrderHit, ProductHit } from '../generated/model';
import { useCan } from '../lib/access';
import { type Language, useFormat } from '../lib/format';
import { useDebounced } from '../lib/hooks';
import { ApiError } from '../lib/http';
import { useMe } from '../lib/me';
import { useMenu } from '../lib/menu';
import { usePageUrl } from '../lib/navigation';
import { readKey, useRead } from '../lib/query';
import { type Choice, useRestaurants } from '../lib/restaurants';
import { orderName } from '../lib/orderName';
import { here, useRestaurantIfAny } from '../lib/target';
import { plain } from '../lib/plain';

/** Restaurants shown at most; more letters find the rest. */
const MAX_HITS = 8;
/** Milliseconds without a key before the service searches. */
const DEBOUNCE_MS = 250;

export interface Hit {
  key: string;
  title: string;
  hint: string;
  Icon: ComponentType<{ className?: string }>;
  to: string;
}
export interface Group {
  key: 'screens' | 'orders' | 'products' | 'restaurants';
  hits: Hit[];
}

const wordsOf = (text: string) => plain(text).split(/\s+/).filter(Boolean);

/** One digit is the number of an order; a single letter says nothing. */
const saysEnough = (words: string) => words.length > 1 || /\d/.test(words);

/**
 * What the service finds. The text travels in the body: it may be the name or the phone of a guest. Nothing
 * found stays in the cache for the same reason.
 */
function useFound<T>(
  call: Parameters<typeof readKey>[0],
  words: string,
  may: boolean,
  search: (text: string) => Promise<T[]>,
) {
  const still = useDebounced(words, DEBOUNCE_MS);
  const wanted = may && saysEnough(words);
  const { data, isFetching, error } = useRead(readKey(call, still), () => search(still), {
    enabled: wanted && still === words,
    gcTime: 0,
    retry: false,
  });
  const there = wanted && still === words;
  return {
    rows: there ? data : undefined,
    waiting: wanted && (!there || isFetching),
    // A support access for reading may not send: it finds nothing this way.
    failed: there && error !== null && !(error instanceof ApiError && error.status === 403),
  };
}

/** What leads to an order: its number, the guest, when it came. */
function useOrderHit(): (order: OrderHit) => Hit {
  const url = usePageUrl();
  const { t } = useTranslation();
  const { language, dateTime } = useFormat();
  return ({ id, counter, first_name, last_name, created_at }) => {
    const guest = (language === 'hu' ? [last_name, first_name] : [first_name, last_name]).filter(Boolean);
    return {
      key: id,
      title: [counter && orderName(t, counter), guest.join(' ')].filter(Boolean).join(' · '),
      hint: dateTime(created_at),
      Icon: FileTextOutlined,
      to: url('order_page', id),
    };
  };
}

function useProductHit(): (product: ProductHit) => Hit {
  const url = usePageUrl();
  return ({ id, name, product_category_id, category_name }) => ({
    key: id,
    title: name,
    hint: category_name,
    Icon: ReadOutlined,
    to: url('categories_and_products', `${product_category_id}/${id}`),
  });
}

const restaurantHit = ({ id, name, city, partner_name }: Choice): Hit => ({
  key: id,
  title: name,
  hint: [city, partner_name].filter(Boolean).join(', '),
  Icon: ShopOutlined,
  to: `/r/${id}`,
});

/** The screens that fit, by their names in both languages. */
function useScreens(words: readonly string[]): Hit[] {
  const { t, i18n } = useTranslation();
  const menu = useMenu();
  const url = usePageUrl();
  const language = i18n.language as Language;
  const fits = (haystack: string) => words.every((word) => plain(haystack).includes(word));
  return menu
    .filter((f) => fits(`${f.title.hu} ${f.title.en} ${t(`menu.${f.group}`)}`))
    .map((f) => ({
      key: f.key,
      title: f.title[language],
      hint: t(`menu.${f.group}`),
      Icon: f.icon,
      to: url(f.key),
    }));
}

/** The restaurants that fit, without the one that is open. Super admins' are searched by the service. */
function useRestaurantHits(words: string) {
  const { super_admin } = useMe();
  const open = useRestaurantIfAny();
  const { rows: own } = useRestaurants('', !super_admin);
  const found = useFound<Choice>('platformRestaurantsSearch', words, super_admin, (text) =>
    platformRestaurantsSearch({ text }),
  );
  const parts = wordsOf(words);
  const fits = ({ name, city }: Choice) =>
    parts.length > 0 && parts.every((part) => plain(`${name} ${city ?? ''}`).includes(part));
  const rows = super_admin ? (found.rows ?? []) : (own ?? []).filter(fits);
  const hits = rows
    .filter((row) => row.id !== open?.id)
    .slice(0, MAX_HITS)
    .map(restaurantHit);
  return { ...found, hits };
}

/** Screens, orders, products and restaurants that fit what was typed, as far as one may see them. */
export function useGoToHits(text: string): { groups: Group[]; waiting: boolean; failed: boolean } {
  const can = useCan();
  const inside = useRestaurantIfAny() !== undefined;
  const words = text.trim();
  const orderHit = useOrderHit();
  const productHit = useProductHit();
  const parts = useMemo(() => wordsOf(words), [words]);
  const screens = useScreens(parts);
  const mayReadOrders = inside && can('fresh_order', 'all_order');
  const orders = useFound('ordersSearch', words, mayReadOrders, (all) =>
    ordersSearch(...here(), { text: all }),
  );
  const mayReadProducts = inside && can('order');
  const products = useFound('productsSearch', words, mayReadProducts, (all) =>
    productsSearch(...here(), { text: all }),
  );
  const restaurants = useRestaurantHits(words);
  const groups: Group[] = [
    { key: 'screens', hits: screens },
    { key: 'orders', hits: (orders.rows ?? []).map(orderHit) },
    { key: 'products', hits: (products.rows ?? []).map(productHit) },
    { key: 'restaurants', hits: restaurants.hits },
  ];
  const found = [orders, products, restaurants];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    waiting: found.some(({ waiting }) => waiting),
    failed: found.some(({ failed }) => failed),
  };
}
