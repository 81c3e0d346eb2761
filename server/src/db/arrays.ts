/*
 * Many values as one parameter, written with less work than the driver's: it searches each element of an array for what
 * it must escape, numbers too.
 */

/** An array literal of integers, for a parameter that is cast to `bigint[]` or `integer[]`. */
export function numbers(values: readonly number[]): string {
  return `{${values.join()}}`;
}

const special = /["\\]/;

/** An array literal of any texts, for a parameter that is cast to `text[]`, or `uuid[]`. */
export function texts(values: readonly (string | null)[]): string {
  let literal = '{';
  for (const value of values) {
    if (literal.length > 1) literal += ',';
    if (value === null) literal += 'NULL';
    else if (special.test(value)) literal += `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
    else literal += `"${value}"`;
  }
  return `${literal}}`;
}

/** JSON values, a line for each, for a parameter that `string_to_table` parts at each `E'\n'`: nothing is escaped. */
export function jsonLines(values: readonly object[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n');
}
