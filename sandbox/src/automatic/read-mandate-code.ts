import { decodeBrCode, PixRefusal } from '@jangada/pix';
import type { Accounts } from '../accounts.ts';
import { type Bank, publicHost } from '../bank.ts';
import { type Payable, readCode } from '../read-code.ts';
import { SandboxRefusal } from '../refusal.ts';
import type { SandboxRec } from './automatic-records.ts';

/** What a code with a mandate asks of the payer. */
export interface MandateCode {
  readonly bank: Bank;
  readonly rec: SandboxRec;
  /** Journey 2 asks for approval alone, 3 for a payment that approves, and 4 for a payment, and offers approval. */
  readonly journey: 'JORNADA_2' | 'JORNADA_3' | 'JORNADA_4';
  /** What is to be paid, except in journey 2. */
  readonly payable?: Payable;
}

/** Reads the mandate of a code; undefined if the code has none. Throws `SandboxRefusal`. */
export function readMandateCode(accounts: Accounts, text: string): MandateCode | undefined {
  const url = recurrenceUrlOf(text);
  if (url === undefined) return undefined;
  const { bank, rec } = findRecByUrl(accounts, url);
  const code = decodeBrCode(text);
  if (code.kind === 'recurrence') return { bank, rec, journey: 'JORNADA_2' };
  const payable = readCode(accounts, text);
  // By BACEN's rule a static code, too, only offers the mandate.
  const pays = payable.kind === 'charge' && payable.charge.txid === rec.journeyTxid;
  return { bank, rec, payable, journey: pays ? 'JORNADA_3' : 'JORNADA_4' };
}

function recurrenceUrlOf(text: string): string | undefined {
  try {
    return decodeBrCode(text).recurrenceUrl;
  } catch (error) {
    // Whoever reads the code for its payment says what is wrong with it.
    if (error instanceof PixRefusal) return undefined;
    throw error;
  }
}

function findRecByUrl(accounts: Accounts, url: string): { bank: Bank; rec: SandboxRec } {
  const [host, ...path] = url.replace(/^https?:\/\//i, '').split('/');
  const [, token = ''] = /^qr\/v2\/rec\/([^/]+)$/.exec(path.join('/')) ?? [];
  const found = recAtLocation(accounts, token);
  if (found !== undefined) return found;
  if (host === publicHost(accounts.first.site))
    throw new SandboxRefusal('NOT_FOUND', 'Não há autorização para este código.');
  throw new SandboxRefusal(
    'FOREIGN_CODE',
    'Este código é de outra instituição. O Banco Sandbox só lê os seus próprios códigos.',
  );
}

/** Returns the mandate that an account shows at the location with this token. */
export function recAtLocation(
  accounts: Accounts,
  token: string,
): { bank: Bank; rec: SandboxRec } | undefined {
  const bank = accounts.all.find(({ books }) => books.automatic.locationIdByToken.has(token));
  if (bank === undefined) return undefined;
  const { locations, locationIdByToken, recs } = bank.books.automatic;
  const location = locations.get(locationIdByToken.get(token) ?? -1);
  const rec = recs.get(location?.idRec ?? '');
  return rec && { bank, rec };
}
