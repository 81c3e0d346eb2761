import { type RawBuilder, sql } from 'kysely';

/*
 * Literals by which one parameter passes many values. The driver can pass arrays too, but at a higher cost: it checks
 * every element, even a number, for characters to escape.
 */

/** An array literal of integers, for a parameter cast to `bigint[]` or `integer[]`. */
export function numberArray(values: readonly number[]): string {
  return `{${values.join()}}`;
}

const needsEscaping = /["\\]/;

/** An array literal of arbitrary strings, for a parameter cast to `text[]` or `uuid[]`. */
export function textArray(values: readonly (string | null)[]): string {
  let literal = '{';
  for (const value of values) {
    if (literal.length > 1) literal += ',';
    if (value === null) literal += 'NULL';
    else if (needsEscaping.test(value)) literal += `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
    else literal += `"${value}"`;
  }
  return `${literal}}`;
}

/** JSON values, one per line, for a parameter that `string_to_table` splits at `E'\n'`: JSON has no raw newlines. */
export function jsonLines(values: readonly object[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n');
}

/**
 * The rows of one merchant with these ids, each looked up by itself, as a table `found`. `lookUp` selects the row with the
 * id `wanted.id`. `merchant_id = $1 and id = any($2)` would do the same, but PostgreSQL before 17 may then read all rows
 * of the merchant, and compare each with the list. `offset 0` keeps it from doing so here.
 */
export function rowsById(
  ids: readonly string[],
  type: 'uuid' | 'text',
  lookUp: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const list = sql`unnest(${textArray([...new Set(ids)])}::${sql.raw(type)}[])`;
  return sql`${list} wanted (id) cross join lateral (${lookUp} offset 0) found`;
}
