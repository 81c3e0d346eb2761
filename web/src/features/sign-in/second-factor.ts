import { passkeyLogin, passkeyLoginOptions, secondFactorLogin, type UserModel } from '@jangada/contract';
import * as z from 'zod/mini';
import type { ApiError } from '../../api/api-error.ts';
import { call, send } from '../../api/client.ts';
import type { FactorInput } from '../../panel/factor/factor-form.tsx';
import { signWithPasskey } from '../../panel/factor/given-factor.ts';
import { signInWith } from '../../session/sign-in.ts';

const challenge = z.object({
  challenge: z.string(),
  methods: z._default(z.array(z.enum(['totp', 'passkey', 'recovery-code'])), ['totp', 'recovery-code']),
  passkey: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
});
/** The gateway's demand after the correct password of an account with a second factor. */
export type SignInChallenge = z.output<typeof challenge>;

/** The factor request that a refused sign-in carries. */
export function challengeIn({ details }: ApiError): SignInChallenge {
  return challenge.parse(details);
}

/** Completes a sign-in with the second factor, and loads the profile. */
export async function enterWithFactor(asked: SignInChallenge, factor: FactorInput): Promise<UserModel> {
  return await signInWith(() => send(secondFactorLogin, { body: { challenge: asked.challenge, ...factor } }));
}

/** Signs in with a passkey alone, and loads the profile. */
export async function enterWithPasskey(): Promise<UserModel> {
  const { challenge: asked, options } = await call(passkeyLoginOptions, {});
  const credential = await signWithPasskey(options);
  return await signInWith(() => send(passkeyLogin, { body: { challenge: asked, credential } }));
}
