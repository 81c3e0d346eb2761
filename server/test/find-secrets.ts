import { Client } from 'pg';

/** Something that might have a secret in it, and where it was found. */
export type Found = { readonly where: string; readonly bytes: Buffer };

/** Says which secrets are in which of these places, as they are or as hexadecimal, base64 or part of a URL. */
export function findSecrets(
  secrets: Readonly<Record<string, Buffer | string>>,
  places: readonly Found[],
): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const forms = formsOf(Buffer.from(secret));
    return places
      .filter(({ bytes }) => forms.some((form) => bytes.includes(form)))
      .map(({ where }) => `${name} in ${where}`);
  });
}

function formsOf(secret: Buffer): Buffer[] {
  const hex = secret.toString('hex');
  const base64 = [0, 1, 2].map((shift) => base64At(secret, shift));
  const texts = [hex, hex.toUpperCase(), ...base64, ...base64.map(toBase64Url)];
  const inUrl = encodeURIComponent(secret.toString('latin1'));
  return [secret, ...[...texts, inUrl].map((text) => Buffer.from(text))];
}

/** The characters that depend on the secret alone when `shift` bytes stand before it in what is encoded. */
function base64At(secret: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), secret])
    .toString('base64')
    .replaceAll('=', '');
  const isWhole = (secret.length + shift) % 3 === 0;
  return encoded.slice(Math.ceil((shift * 8) / 6), isWhole ? undefined : -1);
}

function toBase64Url(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

/** Every row of every table of the database. Bytes are there as they are. */
export async function dumpTables(ownerUrl: string): Promise<Found[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    `);
    const found: Found[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${name}`);
      for (const row of rows)
        for (const [column, value] of Object.entries(row))
          found.push({ where: `${name}.${column}`, bytes: bytesOf(value) });
    }
    return found;
  } finally {
    await client.end();
  }
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? '');
}
