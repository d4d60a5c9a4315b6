import { printSlip } from '../../lib/ui/print';
import { CloseSlip, type CloseSlipProps } from './CloseSlip';

/** Prints a close as a slip. */
export async function printClose(props: CloseSlipProps): Promise<void> {
  await document.fonts?.ready;
  printSlip('drawer', <CloseSlip {...props} />);
}
