import { CommandFailure } from './failure.ts';
import { keepProfile, readProfile } from './profile.ts';

/** The secret that signs forwarded events: the given one, or the profile’s own, which stays the same between runs. */
export function listenSecret(profile: string, given: string | undefined): string {
  if (given !== undefined) {
    if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given))
      throw new CommandFailure('--secret: informe o segredo inteiro, como whsec_….', 2);
    return given;
  }
  const kept = readProfile(profile);
  if (kept?.listen_secret !== undefined) return kept.listen_secret;
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`;
  keepProfile(profile, { ...kept, listen_secret: secret });
  return secret;
}
