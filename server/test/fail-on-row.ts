import pg from 'pg';
import type { TestGateway } from './gateway.ts';

/**
 * Lets the database fail whatever writes certain rows of a table, as a defect of ours would. Returns a function that ends
 * it. `rows`: an SQL condition on `new`.
 */
export async function failOnRow(
  { database }: Pick<TestGateway, 'database'>,
  table: string,
  rows: string,
): Promise<() => Promise<void>> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`create function fail_on_row() returns trigger language plpgsql as
    $$ begin raise exception 'a failure of this row'; end $$`);
  await owner.query(`create trigger fails before insert or update on ${table} for each row when (${rows})
    execute function fail_on_row()`);
  return async () => {
    await owner.query('drop function fail_on_row() cascade');
    await owner.end();
  };
}
