import type { Plugin } from 'vite';

/**
 * Writes csp.json beside the pages: `{policy, connectSrc}`. The server sends `policy` with every page; it allows only
 * the addresses that this build calls.
 */
export function cspPlugin(addresses: readonly (string | undefined)[]): Plugin {
  return {
    name: 'jangada-csp',
    apply: 'build',
    generateBundle() {
      const source = `${JSON.stringify(contentSecurityPolicy(addresses), null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'csp.json', source });
    },
  };
}

/** The policy for a build that calls these addresses, given as paths or absolute URLs. */
export function contentSecurityPolicy(addresses: readonly (string | undefined)[]) {
  const connectSrc = ["'self'", ...new Set(addresses.flatMap(foreignOrigin))];
  const policy = [
    "default-src 'self'",
    "style-src 'self'",
    // Account pictures are served by the provider.
    `img-src ${["'self' data: blob:", ...new Set(addresses.slice(0, 1).flatMap(foreignOrigin))].join(' ')}`,
    `connect-src ${connectSrc.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
  return { policy, connectSrc };
}

/** The origin of an absolute URL; nothing for a path, which `'self'` covers. */
function foreignOrigin(address: string | undefined): string[] {
  if (address === undefined || address.startsWith('/')) return [];
  return [new URL(address).origin];
}
