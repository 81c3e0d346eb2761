import { addPasskey, beginPasskey, beginTotp, confirmTotp } from '@jangada/contract';
import { generateSync } from 'otplib';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import type { TestGateway } from './gateway.ts';
import { parseSuccess } from './given.ts';

type Session = { readonly token: string; readonly password: string };

/** An authenticator app's code, this many steps of 30 seconds from now. */
export function totpCodeOf(gateway: TestGateway, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(gateway.deps.clock.now().getTime() / 1000) + 30 * steps });
}

/** An authenticator app set up in this session. The setup uses up the current code, so a test needs the next one. */
export async function givenTotp(
  gateway: TestGateway,
  { token, password }: Session,
): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const begun = await gateway.api('POST', '/authed/security/totp', { password }, { token });
  const { secret } = parseSuccess(beginTotp.response, begun);
  const code = totpCodeOf(gateway, secret);
  const confirmed = await gateway.api('POST', '/authed/security/totp/confirm', { code }, { token });
  return { secret, recoveryCodes: parseSuccess(confirmTotp.response, confirmed).recovery_codes ?? [] };
}

/** A passkey registered in this session. */
export async function givenPasskey(
  gateway: TestGateway,
  { token, password }: Session,
  name = 'Chave de teste',
): Promise<Authenticator & { readonly passkeyId: string; readonly recoveryCodes: readonly string[] | null }> {
  const authenticator = createAuthenticator(gateway.deps.config.publicUrl);
  const begun = await gateway.api('POST', '/authed/security/passkeys/options', { password }, { token });
  const { challenge, options } = parseSuccess(beginPasskey.response, begun);
  const body = { challenge, credential: authenticator.create(options), name };
  const added = await gateway.api('POST', '/authed/security/passkeys', body, { token });
  const { passkey, recovery_codes } = parseSuccess(addPasskey.response, added);
  return { ...authenticator, passkeyId: passkey.id, recoveryCodes: recovery_codes };
}
