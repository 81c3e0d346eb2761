import { mkdirSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { machineClock } from '../../../server/src/clock.ts';
import { readConfig } from '../../../server/src/config.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { openDatabase } from '../../../server/src/db/open-database.ts';
import { createDb, createPool, type Db } from '../../../server/src/db/pool.ts';
import { inTransaction } from '../../../server/src/db/transaction.ts';
import { createAccount, hashPassword, normalizeForSearch } from '../../../server/src/identity/index.ts';
import { builtMarkerFile } from '../built-database.ts';

/** The accounts that search: an administrator, and a support user, who sees no documents. */
export const staff = {
  admin: 'busca-admin',
  support: 'busca-suporte',
  password: 'procura-se-alguem',
} as const;
export const defaultUsers = 1_000_000;

const rowsPerPart = 100_000;

// Brazilian names, from the most common to the rarest.
export const firstNames =
  'Maria José Ana João Antônio Francisca Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Márcia Adriana Juliana Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Conceição Simone Célia Iracema Jandira Quitéria Ubirajara Zuleide'.split(
    ' ',
  );
export const lastNames =
  'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Santana Teixeira Araújo Cavalcanti Albuquerque Guimarães Bittencourt Magalhães Assunção Figueirôa Xavier Queirós Brandão Sampaio Tavares Uchôa Zanella'.split(
    ' ',
  );

/** Creates a database of the product with this many accounts, and the staff. */
export async function makeUsers(folder: string, users: number): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = await openDatabase(readConfig({ DATA_DIR: folder }));
  const { ownerUrl, appRole } = database;
  await migrate(appRole === undefined ? { ownerUrl } : { ownerUrl, appRole });
  const db = createDb(createPool({ url: ownerUrl, max: 1, statementTimeoutMs: 0 }));
  try {
    await makeStaff(db);
    await sql`drop index if exists users_search`.execute(db);
    for (let from = 1; from <= users; from += rowsPerPart)
      await insertPart(db, { from, to: Math.min(users, from + rowsPerPart - 1), total: users });
    await sql`create index users_search on users using gin (search_text gin_trgm_ops)`.execute(db);
    await sql`vacuum (analyze) users`.execute(db);
    await sql`vacuum (analyze) ledger_balances`.execute(db);
    writeFileSync(builtMarkerFile(folder), JSON.stringify({ users, builtAt: new Date() }));
  } finally {
    await db.destroy();
    await database.close();
  }
}

async function makeStaff(db: Db): Promise<void> {
  const passwordHash = await hashPassword(staff.password);
  const roles = { ADMIN: staff.admin, SUPPORT: staff.support } as const;
  for (const [index, role] of (['ADMIN', 'SUPPORT'] as const).entries()) {
    const username = roles[role];
    const profile = {
      username,
      name: 'Equipe da Busca',
      email: `${username}@example.com`,
      docType: 'CPF' as const,
    };
    const account = { ...profile, document: `9999999999${index}`, passwordHash, role, approved: true };
    await inTransaction({ db, clock: machineClock }, (tx) => createAccount(tx, account));
  }
}

/**
 * Inserts the accounts with the numbers `from` to `to`. Names follow a power law, as in reality. Accounts with
 * successive numbers do not have similar documents (`documentOf` in bench-user-search.ts computes the same documents).
 */
async function insertPart(
  db: Db,
  { from, to, total }: { readonly from: number; readonly to: number; readonly total: number },
): Promise<void> {
  const foldAll = (names: readonly string[]) => names.map(normalizeForSearch);
  await sql`
    insert into users (username, name, email, document, doc_type, role, approved, api_active, in_rate, fix_out_cents,
                       password_hash, search_text, created_at, updated_at)
    select username, name, email, document, 'CPF', 'USER', true, true, 99, 150, '',
           concat_ws(' ', folded, username, email, document, overlay(overlay(overlay(document placing '-' from 10 for 0)
             placing '.' from 7 for 0) placing '.' from 4 for 0)),
           at, at
    from (
      select n, 'loja' || n as username,
             first[a] || ' ' || last[b] || ' ' || last[c] as name,
             folded_first[a] || ' ' || folded_last[b] || ' ' || folded_last[c] as folded,
             folded_first[a] || '.' || folded_last[c] || n || '@example.com' as email,
             lpad((n * 12345678917 % 100000000000)::text, 11, '0') as document,
             timestamptz '2026-11-22' - (${total} - n) * interval '1 minute' as at
      from (
        select n::bigint, 1 + floor(50 * power(random(), 3))::int as a, 1 + floor(50 * power(random(), 3))::int as b,
               1 + floor(50 * power(random(), 3))::int as c
        from generate_series(${from}::int, ${to}::int) n
      ) drawn,
      (select ${[...firstNames]}::text[] as first, ${foldAll(firstNames)}::text[] as folded_first,
              ${[...lastNames]}::text[] as last, ${foldAll(lastNames)}::text[] as folded_last) names
    ) made
  `.execute(db);
  console.log(`${to} accounts`);
}
