import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Endpoint, endpoints } from '@jangada/contract';
import { describe, expect, test } from 'vitest';

const read = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../ops/${file}`, import.meta.url)), 'utf8');

/** The pattern of paths in a proxy's configuration. */
function repeatablePaths(configuration: string): RegExp {
  const [, paths = ''] = /\^(?:POST )?(\/api\/\(pix\/new[^)]*\))/.exec(configuration) ?? [];
  return new RegExp(`^${paths}$`);
}

const posts = (endpoints as readonly Endpoint[]).filter(({ method }) => method === 'POST');

describe.each(['nginx.conf', 'Caddyfile'])('%s', (file) => {
  test('repeats exactly the calls that are done once for each Idempotency-Key', () => {
    const paths = repeatablePaths(read(file));
    const repeated = posts.filter(({ path }) => paths.test(`/api${path.replaceAll(/\{\w+\}/g, '17')}`));
    expect(repeated.length).toBeGreaterThan(5);
    expect(repeated).toEqual(posts.filter(({ idempotent }) => idempotent === true));
  });
});
