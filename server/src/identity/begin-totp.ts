import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { qrPicture } from '../qr-picture.ts';
import { Refusal } from '../refusal.ts';
import { requirePasswordForFactor } from './confirm-password.ts';
import { lockFactors, putTotp } from './factor-store.ts';
import { requireFactor } from './require-factor.ts';
import { newTotpSecret, sealTotp, totpUri } from './totp.ts';

/**
 * Creates the secret of an authenticator app, inactive until its first code is given (`confirmTotp`). `image` is a PNG
 * in base64. Refused with FACTOR_EXISTS, or as `requirePasswordForFactor` and `requireFactor`.
 */
export async function beginTotp(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  password: string | undefined,
): Promise<{ secret: string; uri: string; image: string }> {
  await requirePasswordForFactor(deps, caller, password);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  const secret = newTotpSecret();
  const { username } = await inTransaction(deps, async (tx) => {
    const account = await lockFactors(tx, userId);
    if (!(await putTotp(tx, userId, sealTotp(tx.secrets, userId, secret))))
      throw new Refusal('FACTOR_EXISTS');
    return account;
  });
  const uri = totpUri(secret, username);
  const picture = await qrPicture(uri);
  return { secret, uri, image: picture.slice(picture.indexOf(',') + 1) };
}
