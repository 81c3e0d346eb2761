import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';

/** What WebAuthn takes and answers, as JSON. The contract leaves its parts to the browser and the gateway. */
type WebAuthnJson = Record<string, unknown>;

/** Whether this browser has passkeys at this address: they need https, or this machine itself. */
export function passkeysWork(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Lets the browser make a passkey for these options of the gateway. */
export async function createPasskey(options: WebAuthnJson): Promise<WebAuthnJson> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  // The browser itself checks them, field by field.
  return { ...(await startRegistration({ optionsJSON: options as unknown as Options })) };
}

/** Lets the browser sign with a passkey for these options of the gateway. */
export async function givePasskey(options: WebAuthnJson): Promise<WebAuthnJson> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  // As above.
  return { ...(await startAuthentication({ optionsJSON: options as unknown as Options })) };
}

/** What to show when a passkey did not come to be: the browser says little on purpose. */
export function passkeyProblem(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return errorText(error, fallback);
  if (codeOf(error) === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'Este aparelho já tem uma chave de acesso desta conta.';
  return fallback;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
