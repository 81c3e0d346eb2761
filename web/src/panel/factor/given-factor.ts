import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';

// What the forms for a second factor share: passkeys, and the codes of an authenticator app (TOTP).

/** WebAuthn requests and responses as JSON. The contract leaves their content to the browser and the gateway. */
type WebAuthnJson = Record<string, unknown>;

/** True when this browser can use passkeys at this address. Passkeys need https or localhost. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Creates a passkey with the gateway's options, and returns its public part for the gateway. */
export async function createPasskey(options: WebAuthnJson): Promise<WebAuthnJson> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return { ...(await startRegistration({ optionsJSON: browserOptions(options) })) };
}

/** Signs the challenge in the gateway's options with a passkey, and returns the signature. */
export async function signWithPasskey(options: WebAuthnJson): Promise<WebAuthnJson> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return { ...(await startAuthentication({ optionsJSON: browserOptions(options) })) };
}

/**
 * Casts the gateway's options to the browser's type. Only the challenge is checked here, because the browser validates
 * the rest.
 */
function browserOptions<Options>(options: WebAuthnJson): WebAuthnJson & Options {
  if (!hasChallenge<Options>(options)) throw new TypeError('The WebAuthn options contain no challenge.');
  return options;
}

function hasChallenge<Options>(options: WebAuthnJson): options is WebAuthnJson & Options {
  return typeof options['challenge'] === 'string';
}

/**
 * The message for a failed passkey. Browsers deliberately give few details, so nearly all failures have the same text.
 */
export function passkeyProblem(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return errorText(error, fallback);
  if (codeOf(error) === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'Este aparelho já tem uma chave de acesso desta conta.';
  return fallback;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Strips the spaces from an authenticator code, which apps show in two groups. */
export function stripTotpSpaces(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** The message for an invalid authenticator code; undefined when the code can be sent. */
export function totpProblem(typed: string): string | undefined {
  const code = stripTotpSpaces(typed);
  if (code === '') return 'Informe o código.';
  return /^\d{6}$/.test(code) ? undefined : 'O código tem 6 dígitos.';
}
