import { ExportPage } from './ExportPage';

/** Orders, or their items, as a spreadsheet by mail. */
export default function OrderExport() {
  return <ExportPage kinds={['order_export', 'order_item_export']} />;
}
