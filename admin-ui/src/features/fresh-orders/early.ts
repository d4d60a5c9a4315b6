import type { OrderEvent } from '../../generated/model';

/** Events of orders that came while the page was loading: who announces them was not there yet. */
export class EarlyOrders {
  #events: OrderEvent[] | undefined = [];

  note(event: OrderEvent): void {
    this.#events?.push(event);
  }

  each(hear: (event: OrderEvent) => void): void {
    this.#events?.forEach(hear);
  }

  /** They are announced, and so is what comes from now on. */
  end(): void {
    this.#events = undefined;
  }
}
