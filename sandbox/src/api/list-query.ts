import { formatMoment } from '../clock.ts';
import { Problem, type ProblemType, type Violation } from '../refusal.ts';

type Query = Readonly<Record<string, unknown>>;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * The time window and page that every list of the API Pix accepts. `from` and `to` are in milliseconds since 1970, and
 * the window includes both.
 */
export interface ListQuery {
  readonly from: number;
  readonly to: number;
  readonly page: number;
  readonly pageSize: number;
}

/** Reads `inicio`, `fim` and the page. Throws a problem of the given type that lists every violation. */
export function readListQuery(
  query: Query,
  type: ProblemType,
  defaults?: { from: number; to: number },
): ListQuery {
  const violations: Violation[] = [];
  const from = readMoment(query, 'inicio', violations, defaults?.from);
  const to = readMoment(query, 'fim', violations, defaults?.to);
  const page = readCount(query, 'paginacao.paginaAtual', 0, Number.MAX_SAFE_INTEGER, 0, violations);
  const pageSize = readCount(query, 'paginacao.itensPorPagina', 1, 1000, 100, violations);
  if (query['cpf'] !== undefined && query['cnpj'] !== undefined) {
    violations.push({ razao: 'Os parâmetros cpf e cnpj não podem ser usados juntos.', propriedade: 'cpf' });
  }
  if (to < from) {
    violations.push({ razao: 'O parâmetro fim é anterior ao parâmetro inicio.', propriedade: 'fim' });
  }
  if (violations.length > 0) throw invalidQuery(type, violations);
  return { from, to, page, pageSize };
}

/** Reads a boolean filter: absent, `true` or `false`. */
export function readFlag(query: Query, name: string, type: ProblemType): boolean | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidQuery(type, [{ razao: 'O parâmetro não respeita o schema.', propriedade: name }]);
}

/** Throws a problem of the given type if a filter is there, but not as one text of this form. */
export function requireMatch(query: Query, name: string, form: RegExp, type: ProblemType): void {
  const value = query[name];
  if (value === undefined || (typeof value === 'string' && form.test(value))) return;
  throw invalidQuery(type, [{ razao: 'O parâmetro não respeita o schema.', propriedade: name }]);
}

/** Gives a query a type. Fastify parses a query into strings, and into an array of strings if a name repeats. */
export function asQuery(query: unknown): Record<string, unknown> {
  return typeof query === 'object' && query !== null ? { ...query } : {};
}

/** Reads a text filter; undefined if the name is absent or repeats. */
export function readText(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the requested page of the items, with BACEN's `parametros`. */
export function paginate<T>(
  items: readonly T[],
  listQuery: ListQuery,
  filters: object,
): { parametros: object; page: T[] } {
  const start = listQuery.page * listQuery.pageSize;
  return {
    parametros: {
      inicio: formatMoment(listQuery.from),
      fim: formatMoment(listQuery.to),
      ...filters,
      paginacao: {
        paginaAtual: listQuery.page,
        itensPorPagina: listQuery.pageSize,
        quantidadeDePaginas: Math.max(1, Math.ceil(items.length / listQuery.pageSize)),
        quantidadeTotalDeItens: items.length,
      },
    },
    page: items.slice(start, start + listQuery.pageSize),
  };
}

/** Returns the items inside the window. The list must be in the order of time. */
export function sliceWindow<T>(
  items: readonly T[],
  momentOf: (item: T) => number,
  listQuery: ListQuery,
): readonly T[] {
  const start = firstIndex(items.length, (index) => momentAt(items, momentOf, index) >= listQuery.from);
  const end = firstIndex(items.length, (index) => momentAt(items, momentOf, index) > listQuery.to);
  return items.slice(start, end);
}

function momentAt<T>(items: readonly T[], momentOf: (item: T) => number, index: number): number {
  const item = items[index];
  return item === undefined ? Number.POSITIVE_INFINITY : momentOf(item);
}

/**
 * Returns the first index where a condition holds, by binary search: the condition must also hold at all later indexes.
 */
function firstIndex(length: number, holdsAt: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holdsAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function readMoment(query: Query, name: string, violations: Violation[], fallback?: number): number {
  const value = query[name];
  if (value === undefined && fallback !== undefined) return fallback;
  const moment = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) {
    violations.push({ razao: 'O parâmetro é obrigatório e segue a RFC 3339.', propriedade: name });
  }
  return moment;
}

function readCount(
  query: Query,
  name: string,
  minimum: number,
  maximum: number,
  fallback: number,
  violations: Violation[],
): number {
  const value = query[name];
  if (value === undefined) return fallback;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= minimum && count <= maximum) return count;
  violations.push({ razao: `O parâmetro vai de ${minimum} a ${maximum}.`, propriedade: name });
  return fallback;
}

function invalidQuery(type: ProblemType, violations: Violation[]): Problem {
  return new Problem(type, 'A consulta não respeita o schema ou não faz sentido.', { violations });
}
