const ID_MAX_LENGTH = 64;

/** The id of somebody in an address, where a number stands bare and a text that looks like one in quotes. */
export type AddressId = string | number;

/** Reads an id from an address, or makes one for it; undefined where there is none. */
export function addressId(value: unknown): AddressId | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const text = String(value).slice(0, ID_MAX_LENGTH);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text;
}
