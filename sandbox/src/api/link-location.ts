import { randomBytes } from 'node:crypto';
import type { Bank } from '../bank.ts';
import type { BookRecord, Location } from '../records.ts';
import { invalidOperation } from './charge-operation.ts';

/** A charge, as far as a location is concerned. */
interface Shown {
  readonly txid: string;
  readonly createdAt: number;
  locationId?: number | undefined;
}

/** Returns the records that link a charge to its own location or, with a `locationId`, to that existing one. */
export function linkLocation(
  bank: Bank,
  kind: Location['kind'],
  charge: Shown,
  locationId: number | undefined,
): BookRecord[] {
  return locationId === undefined
    ? createOwnLocation(bank, kind, charge)
    : linkExistingLocation(bank, kind, charge, locationId);
}

/** Creates the location of a new charge. Returns no records for a charge that has its location already, or has none. */
function createOwnLocation(
  bank: Bank,
  kind: Location['kind'],
  { locationId, createdAt, txid }: Shown,
): BookRecord[] {
  if (locationId === undefined || bank.books.locations.has(locationId)) return [];
  const location: Location = {
    id: locationId,
    token: randomBytes(16).toString('hex'),
    createdAt,
    kind,
    txid,
  };
  return [{ t: 'location', location }];
}

/** Links a charge to an existing location, and frees its previous one. Also writes the location's id into `charge`. */
function linkExistingLocation(
  bank: Bank,
  kind: Location['kind'],
  charge: Shown,
  locationId: number,
): BookRecord[] {
  const location = bank.books.locations.get(locationId);
  const problem = locationProblem(location, kind, charge);
  if (location === undefined || problem !== undefined) {
    throw invalidOperation(kind, [
      { razao: problem ?? '', propriedade: `${kind}.loc.id`, valor: String(locationId) },
    ]);
  }
  const previous =
    charge.locationId === locationId ? undefined : bank.books.locations.get(charge.locationId ?? -1);
  charge.locationId = locationId;
  return [
    { t: 'location', location: { ...location, txid: charge.txid } },
    ...(previous === undefined ? [] : [{ t: 'location' as const, location: withoutTxid(previous) }]),
  ];
}

/** Returns why a charge cannot use a location, as the text of the response; undefined if the charge can use it. */
function locationProblem(
  location: Location | undefined,
  kind: Location['kind'],
  charge: Shown,
): string | undefined {
  if (location === undefined) return `O location referenciado por ${kind}.loc.id inexiste.`;
  if (location.kind !== kind)
    return `O location referenciado por ${kind}.loc.id apresenta tipo "${location.kind}" (deveria ser "${kind}").`;
  if (location.txid !== undefined && location.txid !== charge.txid)
    return `O location referenciado por ${kind}.loc.id já está sendo utilizado por outra cobrança.`;
  return undefined;
}

/** Returns a location unlinked from its charge. */
export function withoutTxid({ txid: _, ...location }: Location): Location {
  return location;
}
