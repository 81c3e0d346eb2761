import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes PEM certificates: an authority, a server (127.0.0.1) and a client with certificates of that authority, and a stranger
 * with one of another authority.
 */
export async function makeCertificates(directory: string) {
  const run = (args: string) => execFileSync('openssl', args.split(' '), { cwd: directory, stdio: 'pipe' });
  const pair = async (name: string) => ({
    cert: await readFile(join(directory, `${name}.crt`), 'utf8'),
    key: await readFile(join(directory, `${name}.key`), 'utf8'),
  });
  const curve = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  await writeFile(join(directory, 'server.ext'), 'subjectAltName=IP:127.0.0.1');
  for (const authority of ['ca', 'other']) {
    run(`req -x509 ${curve} -keyout ${authority}.key -out ${authority}.crt -days 2 -subj /CN=${authority}`);
  }
  for (const [name, authority, extra] of [
    ['server', 'ca', ' -extfile server.ext'],
    ['client', 'ca', ''],
    ['stranger', 'other', ''],
  ] as const) {
    run(`req ${curve} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    run(
      `x509 -req -in ${name}.csr -CA ${authority}.crt -CAkey ${authority}.key -CAcreateserial -days 2 -out ${name}.crt${extra}`,
    );
  }
  return {
    ca: await pair('ca'),
    server: await pair('server'),
    client: await pair('client'),
    stranger: await pair('stranger'),
  };
}
