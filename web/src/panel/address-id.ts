const ID_MAX_LENGTH = 64;

/** A user's id in an address: a number is bare, and a text that looks like a number is quoted. */
export type AddressId = string | number;

/** Reads an id from an address, or encodes one for it; undefined when there is none. */
export function addressId(value: unknown): AddressId | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const text = String(value).slice(0, ID_MAX_LENGTH);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text;
}
