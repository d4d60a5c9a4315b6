import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import {
  mergeProduct,
  newProduct,
  productBody,
  type ProductDraft,
  productDraft,
  productFaults,
  productPath,
} from './product';
import { keys, productCalls, useRefreshCatalogue } from './shared/api';
import type { Product } from './shared/types';

export const PRODUCTS = 'products';
export type ProductForm = DraftForm<Product, ProductDraft>;

/** A product as a draft: saved in one call, and moved in another when its category changed. */
export function useProductForm({
  category,
  row,
  onFaults,
}: {
  category: string;
  row: Product | null;
  onFaults: (paths: string[]) => void;
}): ProductForm {
  const refresh = useRefreshCatalogue();
  return useDraftForm<Product, ProductDraft>({
    row,
    fresh: useCallback(() => newProduct(category), [category]),
    draftOf: productDraft,
    bodyOf: productBody,
    merge: mergeProduct,
    validate: productFaults,
    place: productPath,
    onFaults,
    send: async ({ id, body: { product_category_id: to, ...body }, key, take }) => {
      let known: Product | undefined;
      try {
        if (id === undefined) return (known = await productCalls.create(String(to), body, key));
        // A changed category is a call of its own, after the rest is saved.
        const own = Object.keys(body).some((field) => field !== 'version');
        known = own ? await productCalls.update(category, id, body) : row!;
        if (to === undefined) return known;
        if (own) take(known);
        return (known = await productCalls.move(category, id, String(to)));
      } finally {
        if (known) void refresh({ own: keys.product(known.id), row: known });
      }
    },
  });
}

export interface OpenSize {
  opened: string | undefined;
  open: (key: string | undefined) => void;
  /** Opens the size that a field belongs to. */
  openPath: (path: string | undefined) => void;
  /** A size that was new has its id now. */
  afterSave: (draft: ProductDraft, saved: Product) => void;
}

/** Which size is open stands in the address; a new one has no id yet and is only remembered here. */
export function useOpenSize(): OpenSize {
  const [query, setQuery] = useSearchParams();
  const [opened, setOpened] = useState<string | undefined>(() => query.get('subproduct') ?? undefined);
  const open = (key: string | undefined) => {
    setOpened(key ?? '');
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (key && !key.startsWith('new-')) next.set('subproduct', key);
        else next.delete('subproduct');
        return next;
      },
      { replace: true },
    );
  };
  return {
    opened,
    open,
    openPath: (path) => {
      const size = path?.startsWith('subproducts.') ? path.split('.')[1] : undefined;
      if (size) open(size);
    },
    afterSave: (draft, saved) => {
      if (opened?.startsWith('new-'))
        open(saved.subproducts[draft.subproducts.findIndex((size) => size.key === opened)]?.id);
    },
  };
}
