/** Flat keys: `couriers.first_name`. */
export type Texts = Record<string, string>;

/** A file of texts of a screen. */
export interface TextsFile {
  default: Texts;
}
