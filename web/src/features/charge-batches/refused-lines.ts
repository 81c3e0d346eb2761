import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import { type CheckedRow, columnOfField } from './check-batch-rows.ts';

/** A line that the server refused: its place in what was sent, the field, and why. */
export type RefusedLine = { readonly place: number; readonly field: string; readonly message: string };

const refusedFieldsSchema = z.array(z.object({ field: z.string(), message: z.string() }));

/** The lines that a refusal of the whole batch names; empty if it is about something else. */
export function refusedLinesOf(error: unknown): readonly RefusedLine[] {
  if (!(error instanceof ApiError)) return [];
  const refused = refusedFieldsSchema.safeParse(error.details['fields']).data ?? [];
  return refused.flatMap(({ field, message }) => {
    const [, place, rest] = /^items\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
    return place === undefined ? [] : [{ place: Number(place), field: rest ?? '', message }];
  });
}

/** Marks the rows that the server refused, of those that were sent. They can then be left out like any other. */
export function withRefusedLines(
  rows: readonly CheckedRow[],
  refused: readonly RefusedLine[],
): readonly CheckedRow[] {
  const sent = rows.filter(({ request }) => request !== undefined);
  const faultsByRow = new Map(
    refused.map(({ place, field, message }) => {
      const row = sent[place];
      const column = columnOfField(field);
      // A line without a code of the merchant's own got one that they have never seen.
      const isOwn = column !== 'externalId' || Boolean(row?.cells.externalId);
      return [row?.row, { column: isOwn ? column : undefined, text: message }];
    }),
  );
  return rows.map((row) => {
    const fault = faultsByRow.get(row.row);
    return fault === undefined ? row : { ...row, request: undefined, faults: [...row.faults, fault] };
  });
}
