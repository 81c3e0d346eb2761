import type { FastifyRequest } from 'fastify';
import { SandboxRefusal } from './refusal.ts';
import type { Site } from './site.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests that a foreign web page could make a browser send: a Host that is not ours (DNS rebinding) or an
 * Origin that is not ours. The API accepts any Host: programs reach it under any name of the machine, and no page has
 * its credentials.
 */
export function guardBrowser(site: Site) {
  return async (request: FastifyRequest): Promise<void> => {
    const own = new URL(site.publicUrl);
    const host = request.headers.host ?? '';
    const isApi = /^\/(v2|v3|oauth)\//.test(request.url);
    if (!isApi && host !== own.host && !isLoopback(`http://${host}`)) throw foreign();
    const { origin } = request.headers;
    if (origin !== undefined && origin !== own.origin && origin !== `${own.protocol}//${host}`)
      throw foreign();
  };
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

function foreign(): SandboxRefusal {
  return new SandboxRefusal('FORBIDDEN_ORIGIN', 'Este endereço não é do Banco Sandbox.');
}
