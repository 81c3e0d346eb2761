import {
  brlFromCents,
  CHARGE_EXPIRY,
  centsFromBrl,
  centsFromText,
  DUE_MAX_DAYS_AHEAD,
  type NewBatchLine,
  newBatchLine,
} from '@jangada/contract';
import { isCnpj, isCpf, maskDocument, normalizeDocument } from '@jangada/pix';
import { shiftDay } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { type ChargeRules, chargeAmountProblem } from '../../panel/charge/amount-problem.ts';
import { type BatchColumn, batchColumnNames, batchColumns } from './batch-columns.ts';
import { FAULTS_HEAD, type FileRow } from './read-batch-file.ts';

/** A fault in a row, and its column; without one, it concerns the row as a whole. */
export type RowFault = { readonly column?: BatchColumn | undefined; readonly text: string };

/** A row of the file once it is checked: with a request for a charge if nothing is wrong. */
export type CheckedRow = FileRow & {
  readonly request: NewBatchLine | undefined;
  readonly faults: readonly RowFault[];
};

/** By what rows are judged besides the contract's schema. */
export type BatchRules = ChargeRules & { readonly today: string };

const ROWS_AT_ONCE = 250;

/** Checks rows, and lets the page draw and answer in between. `onProgress` gets how many are checked. */
export async function checkBatchRows(
  rows: readonly FileRow[],
  rules: BatchRules,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = [];
  const above: Above = { firstRows: new Map(), codes: new Set() };
  for (const [place, row] of rows.entries()) {
    if (place % ROWS_AT_ONCE === 0) {
      onProgress(place);
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    }
    checked.push(checkRow(row, rules, above));
  }
  return checked;
}

/** The first row of each charge among the rows above, and the codes that they take. */
type Above = { readonly firstRows: Map<string, number>; readonly codes: Set<string> };

function checkRow(row: FileRow, rules: BatchRules, { firstRows, codes }: Above): CheckedRow {
  const { cells } = row;
  const { request, faults } = requestOf(cells);
  const derivedKey = keyOf(cells, request['due_date']);
  const key = cells.externalId || derivedKey;
  const firstRow = firstRows.get(key);
  if (firstRow === undefined) firstRows.set(key, row.row);
  const derived = derivedKey === '' ? '' : codeFrom(cells, request['due_date']);
  const code = cells.externalId || (firstRow === undefined ? freeCode(derived, codes) : derived);
  codes.add(code);
  const parsed = newBatchLine.safeParse({ ...request, external_id: code });
  // Without a code, a payer or a due date that cannot be read has its own fault.
  const mayDoWithoutCode = Boolean(cells.document && cells.dueDate);
  for (const issue of parsed.error?.issues ?? []) {
    const fault = faultOf(issue, cells);
    if (fault.column !== 'externalId' || !mayDoWithoutCode) addFault(faults, fault);
  }
  for (const fault of faultsOfTerms(cells, request, rules)) addFault(faults, fault);
  if (firstRow !== undefined && key !== '') addFault(faults, repeatedFault(cells, firstRow));
  return { ...row, request: faults.length === 0 ? parsed.data : undefined, faults };
}

function repeatedFault({ externalId }: Cells, firstRow: number): RowFault {
  const text = `Já está na linha ${formatCount(firstRow)}`;
  return externalId
    ? { column: 'externalId', text: `${text}.` }
    : { text: `${text}: a mesma pessoa, o mesmo vencimento e a mesma descrição.` };
}

/** One fault a column is enough to mend it. */
function addFault(faults: RowFault[], fault: RowFault): void {
  if (!faults.some(({ column }) => column === fault.column)) faults.push(fault);
}

type Cells = FileRow['cells'];
type LineRequest = Record<string, unknown>;

/** Reads the cells of a row as people in Brazil write them. What cannot be read is a fault, and left out. */
function requestOf(cells: Cells): { request: LineRequest; faults: RowFault[] } {
  const faults: RowFault[] = [];
  const read = <Value>(column: BatchColumn, reader: (text: string) => Value | undefined, rule: string) => {
    const text = cells[column] ?? '';
    if (text === '') return undefined;
    const value = reader(text);
    if (value === undefined) faults.push({ column, text: rule });
    return value;
  };
  const cents = read('amount', centsFromText, 'Escreva o valor em reais, como 1.250,00.');
  const dueDate = read('dueDate', dayFrom, DAY_RULE);
  const days = read('validAfterDue', wholeFrom, 'Escreva um número de dias, de 0 a 365.');
  const minutes = read('lifetime', wholeFrom, LIFETIME_RULE);
  const fine = read('fine', valueFrom, 'Escreva 2% ou R$ 5,00.');
  const interest = read('interest', valueFrom, 'Escreva 1% (ao mês) ou R$ 0,50 (por dia).');
  const rebate = read('rebate', valueFrom, 'Escreva R$ 10,00 ou 5%.');
  const discount = read('discount', valueFrom, 'Escreva R$ 10,00 ou 5%.');
  const until = read('discountUntil', dayFrom, DAY_RULE);
  const { description, name, document } = cells;
  const request = {
    ...(cents !== undefined && { amount: brlFromCents(cents) }),
    ...(description && { description }),
    ...((name || document) && { payer: { name: name ?? '', document: document ?? '' } }),
    ...(dueDate !== undefined && { due_date: dueDate }),
    ...(days !== undefined && { valid_after_due: days }),
    ...(minutes !== undefined && { expires_in: minutes * 60 }),
    ...(fine && { fine }),
    ...(interest && { interest: { ...interest, per: interest.type === 'percent' ? 'month' : 'day' } }),
    ...(rebate && { rebate }),
    ...(discount && until !== undefined && { discounts: [{ ...discount, until }] }),
  };
  return { request, faults };
}

const DAY_RULE = 'Escreva um dia que existe, como 10/01/2027.';
const LIFETIME_RULE = `Escreva um número de minutos, de 1 a ${CHARGE_EXPIRY.max / 60}.`;

/** A charge of a file without codes: the same person owes the same on the same day only once. */
function keyOf({ document = '', description = '' }: Cells, dueDate: unknown): string {
  const plain = normalizeDocument(document);
  if (typeof dueDate !== 'string' || !(isCpf(plain) || isCnpj(plain))) return '';
  return [plain, dueDate, description].join(' ');
}

const MAX_CODE_LENGTH = 95;

/** The code that such a charge gets. Everybody who sees charges sees codes, so the document is masked. */
function codeFrom(cells: Cells, dueDate: unknown): string {
  const { document = '', name = '', description = '' } = cells;
  const masked = maskDocument(normalizeDocument(document));
  return cutTo([cutTo(name, 30), masked, dueDate, description].join(' '), MAX_CODE_LENGTH).trim();
}

/** Cuts a text without leaving half of a character, which the server would refuse. */
const cutTo = (text: string, length: number) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** Two people may have the same digits in a masked document, and the same name. */
function freeCode(code: string, taken: ReadonlySet<string>): string {
  if (code === '' || !taken.has(code)) return code;
  let number = 2;
  while (taken.has(`${code} ${number}`)) number += 1;
  return `${code} ${number}`;
}

/** A day written as `10/01/2027`, `10-1-27` or `2027-01-10`. */
function dayFrom(text: string): string | undefined {
  const [, date, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text) ?? [];
  const day =
    date === undefined || month === undefined || year === undefined
      ? text
      : `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // The parser of dates takes 31/02 for a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
}

const wholeFrom = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);

type PartRequest = { readonly type: 'percent' | 'amount'; readonly value: number };

/** `2%`, `2,5 %` or `R$ 5,00`. A bare number would be taken for the other one by half of its writers. */
function valueFrom(text: string): PartRequest | undefined {
  const [, percent] = /^([\d.,]+)\s*%$/.exec(text) ?? [];
  const cents = centsFromText(percent ?? text);
  if (cents === undefined || cents === 0 || (percent === undefined && !/^R\$/i.test(text))) return undefined;
  return { type: percent === undefined ? 'amount' : 'percent', value: brlFromCents(cents) };
}

/** The column of each field of the request, by the beginning of its path. */
const columnByField: Readonly<Record<string, BatchColumn>> = {
  external_id: 'externalId',
  amount: 'amount',
  description: 'description',
  'payer.name': 'name',
  'payer.document': 'document',
  due_date: 'dueDate',
  valid_after_due: 'validAfterDue',
  expires_in: 'lifetime',
  fine: 'fine',
  interest: 'interest',
  rebate: 'rebate',
  'discounts.0.until': 'discountUntil',
  discounts: 'discount',
};

/** The column that a refused field stands in: of our own check, or of the server's. */
export function columnOfField(path: string): BatchColumn | undefined {
  const entry = Object.entries(columnByField).find(
    ([field]) => path === field || path.startsWith(`${field}.`),
  );
  return entry?.[1];
}

/** The schema speaks to programmers. Where people need other words, here they are. */
const plainRules: Partial<Record<BatchColumn, string>> = {
  externalId: 'Escreva um código de 1 a 100 caracteres, ou o CPF ou CNPJ e o vencimento.',
  amount: 'Escreva o valor em reais, como 1.250,00.',
  document: 'Este CPF ou CNPJ não é válido.',
  validAfterDue: 'Escreva um número de dias, de 0 a 365.',
  fine: 'Uma porcentagem vai até 100%.',
  interest: 'Uma porcentagem vai até 100%.',
  rebate: 'Uma porcentagem vai até 100%.',
  discount: 'Uma porcentagem vai até 100%.',
  lifetime: LIFETIME_RULE,
};

function faultOf(
  { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
  { name = '' }: Cells,
): RowFault {
  const column = columnOfField(path.join('.'));
  if (column === 'name' && (name.length < 2 || name.length > 200))
    return { column, text: 'Escreva o nome, com 2 a 200 caracteres.' };
  return { column, text: (column && plainRules[column]) ?? message };
}

/** Faults that the server would refuse later, line by line, as far as it is known here. */
function faultsOfTerms(cells: Cells, request: LineRequest, rules: BatchRules): RowFault[] {
  const faults: RowFault[] = [];
  const fault = (column: BatchColumn, text: string) => faults.push({ column, text });
  const { amount, due_date: due } = request;
  const amountCents = typeof amount === 'number' ? (centsFromBrl(amount) ?? null) : null;
  const amountProblem = amountCents === null ? undefined : chargeAmountProblem(amountCents, rules);
  if (amountProblem !== undefined) fault('amount', amountProblem);
  if (typeof due === 'string') {
    if (due < rules.today) fault('dueDate', 'O vencimento já passou.');
    if (due > shiftDay(rules.today, DUE_MAX_DAYS_AHEAD))
      fault('dueDate', 'O vencimento pode estar até cinco anos à frente.');
    if (!cells.name) fault('name', 'Com vencimento, escreva de quem você cobra.');
    if (!cells.document) fault('document', 'Com vencimento, escreva o CPF ou CNPJ.');
  } else if (!cells.dueDate) {
    const terms = batchColumnNames.slice(
      batchColumnNames.indexOf('validAfterDue'),
      batchColumnNames.indexOf('lifetime'),
    );
    const term = terms.find((column) => cells[column]);
    if (term !== undefined) fault(term, 'Só vale com vencimento.');
  }
  if (cells.discount && !cells.discountUntil) fault('discountUntil', 'Escreva até que dia vale o desconto.');
  if (cells.discountUntil && !cells.discount) fault('discount', 'Escreva de quanto é o desconto.');
  const until = dayFrom(cells.discountUntil ?? '');
  if (until !== undefined && until < rules.today) fault('discountUntil', 'Este dia já passou.');
  if (until !== undefined && typeof due === 'string' && until > due)
    fault('discountUntil', 'Um desconto não passa do vencimento.');
  for (const column of ['rebate', 'discount'] as const) {
    const part = valueFrom(cells[column] ?? '');
    const whole = part?.type === 'percent' ? 100 : amount;
    if (part !== undefined && typeof whole === 'number' && part.value >= whole)
      fault(column, 'Tem de ser menor que o valor.');
  }
  return faults;
}

/** A fault as it is read beside its row: `CPF ou CNPJ: Este CPF ou CNPJ não é válido.` */
export function faultText({ column, text }: RowFault): string {
  return column === undefined ? text : `${batchColumns[column].title}: ${text}`;
}

/** The sum of the charges of rows. */
export function sumCentsOf(rows: readonly CheckedRow[]): number {
  return rows.reduce((sum, { request }) => sum + (centsFromBrl(request?.amount ?? 0) ?? 0), 0);
}

/** The rows with faults as a table for a spreadsheet, each with its faults, to be mended and imported alone. */
export function faultyTable(rows: readonly CheckedRow[]): readonly (readonly string[])[] {
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  const used = batchColumnNames.filter((name) => faulty.some(({ cells }) => cells[name] !== undefined));
  return [
    [...used.map((name) => batchColumns[name].title), FAULTS_HEAD],
    ...faulty.map(({ cells, faults }) => [
      ...used.map((name) => cells[name] ?? ''),
      faults.map(faultText).join(' '),
    ]),
  ];
}
