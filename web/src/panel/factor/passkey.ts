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
  return { ...(await startRegistration({ optionsJSON: askedBy(options) })) };
}

/** Lets the browser sign with a passkey for these options of the gateway. */
export async function signWithPasskey(options: WebAuthnJson): Promise<WebAuthnJson> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return { ...(await startAuthentication({ optionsJSON: askedBy(options) })) };
}

/** What the gateway asks, as the browser takes it: without a challenge it is no question; the rest the browser checks itself. */
function askedBy<Options>(options: WebAuthnJson): WebAuthnJson & Options {
  if (!isQuestion<Options>(options)) throw new TypeError('a question without a challenge');
  return options;
}

function isQuestion<Options>(options: WebAuthnJson): options is WebAuthnJson & Options {
  return typeof options['challenge'] === 'string';
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
