import { passkeyLogin, passkeyLoginOptions, secondFactorLogin, type UserModel } from '@jangada/contract';
import * as z from 'zod/mini';
import type { ApiError } from '../../api/api-error.ts';
import { call, callRaw } from '../../api/client.ts';
import type { FactorInput } from '../../panel/factor/factor-form.tsx';
import { signWithPasskey } from '../../panel/factor/given-factor.ts';
import { signInWith } from '../../session/sign-in.ts';

const challengeSchema = z.object({
  challenge: z.string(),
  methods: z._default(z.array(z.enum(['totp', 'passkey', 'recovery-code'])), ['totp', 'recovery-code']),
  passkey: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
});
/** The gateway's request for a second factor, after a correct password for an account that has one. */
export type SignInChallenge = z.output<typeof challengeSchema>;

/** Reads the challenge from the details of a refused sign-in. */
export function challengeIn({ details }: ApiError): SignInChallenge {
  return challengeSchema.parse(details);
}

/** Completes a sign-in with the second factor, and loads the profile. */
export async function signInWithFactor(
  { challenge }: SignInChallenge,
  factor: FactorInput,
): Promise<UserModel> {
  return await signInWith(() => callRaw(secondFactorLogin, { body: { challenge, ...factor } }));
}

/** Signs in with a passkey alone, and loads the profile. */
export async function signInByPasskey(): Promise<UserModel> {
  const { challenge, options } = await call(passkeyLoginOptions, {});
  const credential = await signWithPasskey(options);
  return await signInWith(() => callRaw(passkeyLogin, { body: { challenge, credential } }));
}
