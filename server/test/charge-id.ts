/**
 * SQL of the id of a charge that is created at `createdAt`, for rows that a single statement makes: like `newTimeId`, it
 * begins with the milliseconds, and the rest is that of another UUID. Both arguments are SQL.
 */
export function chargeIdAt(createdAt: string, random = 'gen_random_uuid()'): string {
  const time = `lpad(to_hex((extract(epoch from ${createdAt}) * 1000)::bigint), 12, '0')`;
  const digits = `replace((${random})::text, '-', '')`;
  return `(${time} || '7' || substr(${digits}, 14, 3) || '8' || substr(${digits}, 18))::uuid`;
}
