import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { defaultContentSecurityPolicy } from './secure-headers.ts';

/**
 * Reads the content security policy that the dashboard's build wrote, because the build knows the addresses that the
 * dashboard calls.
 */
export function readContentSecurityPolicy(folder: string): string {
  try {
    const written: unknown = JSON.parse(readFileSync(join(folder, 'csp.json'), 'utf8'));
    return z.object({ policy: z.string() }).parse(written).policy;
  } catch {
    return defaultContentSecurityPolicy;
  }
}

/**
 * Reads which scripts each screen needs beyond those that index.html names, as the dashboard's build wrote them: the value
 * of a Link header by the screen's path.
 */
function readAnnouncedScripts(folder: string): ReadonlyMap<string, string> {
  const file = join(folder, 'screens.json');
  if (!existsSync(file)) return new Map();
  const screens = z.record(z.string(), z.array(z.string())).parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(
    Object.entries(screens).map(([path, scripts]) => [
      path,
      scripts.map((script) => `<${script}>; rel=modulepreload; fetchpriority=low`).join(', '),
    ]),
  );
}

/** The pages that the build rendered, by their paths. */
const prerenderedPages = new Map([
  ['/login', 'login.html'],
  ['/register', 'register.html'],
]);

/**
 * Serves the built dashboard: files by name (cached for good if hashed), the prerendered forms at their addresses, and
 * index.html at any other address, because the dashboard does its own routing.
 */
export async function serveDashboard(server: FastifyInstance, folder: string): Promise<void> {
  const announcedScripts = readAnnouncedScripts(folder);
  await server.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    index: false,
    wildcard: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  for (const [url, file] of prerenderedPages) server.get(url, (_request, reply) => sendPage(reply, file));
  server.get('/*', (request, reply) => {
    const [path = '', query] = request.url.split('?', 2);
    // Nothing matched so far, so a path of the API, of an asset or with a file extension is unknown, and not a page.
    const isPage = !/^\/(api|psp|assets)(\/|$)/.test(path) && !/\.\w+$/.test(basename(path));
    // Redirects to the path without its trailing slash. Only plain names are redirected, because a browser could take
    // a path like //elsewhere/ for another host.
    if (isPage && /^(\/[\w.~-]+)+\/$/.test(path))
      return reply.redirect(path.slice(0, -1) + (query === undefined ? '' : `?${query}`), 308);
    if (!isPage) return reply.callNotFound();
    const announced = announcedScripts.get(path);
    if (announced) reply.header('link', announced);
    return sendPage(reply, 'index.html');
  });
}

function sendPage(reply: FastifyReply, file: string): FastifyReply {
  return reply.header('cross-origin-resource-policy', 'same-origin').sendFile(file);
}

/** Vite appends the content hash to the file name: seven characters for most scripts, eight for other files. */
function isHashed(path: string): boolean {
  return /\/assets\/[^/]+-[\w-]{7,8}\.\w+(\.br|\.gz)?$/.test(path);
}
