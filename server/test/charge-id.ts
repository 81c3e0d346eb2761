/**
 * Returns SQL for the id of a charge created at `createdAt`, for statements that make many rows. Like an id of
 * `newTimeId`, it begins with the milliseconds; the other digits come from the UUID `random`. Both arguments are SQL.
 */
export function chargeIdSql(createdAt: string, random = 'gen_random_uuid()'): string {
  const time = `lpad(to_hex((extract(epoch from ${createdAt}) * 1000)::bigint), 12, '0')`;
  const digits = `replace((${random})::text, '-', '')`;
  return `(${time} || '7' || substr(${digits}, 14, 3) || '8' || substr(${digits}, 18))::uuid`;
}
