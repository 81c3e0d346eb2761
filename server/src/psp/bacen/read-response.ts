import type * as z from 'zod/mini';
import { isWithinJsonBounds } from '../../json-bounds.ts';
import { PspUnknown } from '../psp.ts';
import { refusal } from './payloads.ts';

/** A bank's response, whose text has no control characters. */
export type HttpResponse = { readonly status: number; readonly text: string };

/** Some banks report "not found" as a 400 with their own error name (Efí: `pix_nao_encontrado`). */
export function isNotFound({ status, text }: HttpResponse): boolean {
  return status === 404 || (status === 400 && /nao_encontrad/i.test(text));
}

type RefusalReason = {
  readonly code: string | undefined;
  readonly reason: string | undefined;
  /** The fields that the bank rejected. */
  readonly violatedFields: readonly string[];
};

/** BACEN's problem types. Other types, such as `about:blank`, come from a proxy in front of the bank. */
const bankProblemType = /\/error\/(\w+)$/;

/** Reads the reason in BACEN's format (RFC 7807) or in Efí's (a name and a message). Other formats yield no code. */
export function readRefusalReason(text: string): RefusalReason {
  const body = refusal.safeParse(parseJsonOrUndefined(text)).data;
  if (body === undefined) return { code: undefined, reason: undefined, violatedFields: [] };
  if ('nome' in body) return { code: body.nome, reason: body.mensagem, violatedFields: [] };
  const violations = body.violacoes ?? [];
  return {
    code: bankProblemType.exec(body.type)?.[1],
    reason: violations[0]?.razao ?? body.detail ?? body.title,
    violatedFields: violations.flatMap(({ propriedade }) => propriedade ?? []),
  };
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Parses a response. If it cannot be parsed, the outcome of the call is unknown: PspUnknown is thrown. */
export function parseResponse<S extends z.ZodMiniType>(response: HttpResponse, schema: S): z.output<S> {
  try {
    return schema.parse(response.text === '' ? {} : readJson(response.text));
  } catch (error) {
    throw new PspUnknown(`the bank's answer (${response.status}) could not be read`, { cause: error });
  }
}

/** Limits for the JSON of one response; no page of a bank's list comes near them. */
const jsonBounds = { depth: 64, values: 1_000_000 };

/** JSON escapes that PostgreSQL stores neither as text nor as JSON: NUL and lone surrogates. */
const unstorableEscape = /\\u(?:0000|d[89a-f][\da-f]{2})/i;

/**
 * Parses a bank's JSON and replaces characters that PostgreSQL cannot store with U+FFFD: one odd character must not
 * keep money from being booked. Throws a SyntaxError if the JSON is invalid or exceeds `jsonBounds`.
 */
function readJson(text: string): unknown {
  if (!isWithinJsonBounds(text, jsonBounds))
    throw new SyntaxError('more, or deeper, than any answer of a bank');
  return unstorableEscape.test(text) ? JSON.parse(text, replaceUnstorable) : JSON.parse(text);
}

function replaceUnstorable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}
