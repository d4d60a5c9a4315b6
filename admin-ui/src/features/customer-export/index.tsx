import { ExportPage } from '../order-export/ExportPage';

/** Guests as their orders know them, as a spreadsheet by mail. */
export default function CustomerExport() {
  return <ExportPage kinds={['shadow_customer_export']} />;
}
