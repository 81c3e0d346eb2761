import { centsFromText, newCustomer, SUBSCRIPTION_LIMITS, type SubscriptionPeriod } from '@jangada/contract';
import { isCnpj, isCpf, normalizeDocument } from '@jangada/pix';
import { formatCalendarDay, shiftDay } from '../../format/date.ts';
import { type ChargeRules, chargeAmountProblem } from '../../panel/charge/amount-problem.ts';
import { CsvFileError } from '../../panel/csv/csv-file.ts';

/** More lines are to be imported by the API. */
export const MAX_MEMBERS = 500;

const columnNames = [
  'name',
  'document',
  'email',
  'amount',
  'firstDay',
  'period',
  'description',
  'lastDay',
  'externalId',
] as const;
type MemberColumn = (typeof columnNames)[number];

type ColumnWords = {
  readonly title: string;
  readonly hint: string;
  /** Other heads by which it is known, without accents, spaces and signs. */
  readonly aliases: readonly string[];
};

const columns: Readonly<Record<MemberColumn, ColumnWords>> = {
  name: { title: 'Nome', hint: 'De quem paga.', aliases: ['cliente', 'aluno', 'pagador', 'name'] },
  document: {
    title: 'CPF ou CNPJ',
    hint: 'De quem paga, com ou sem pontos.',
    aliases: ['cpf', 'cnpj', 'cpfcnpj', 'documento', 'document'],
  },
  email: {
    title: 'E-mail',
    hint: 'Opcional. Para pedir a autorização e lembrar, com os e-mails que você liga em Lembretes.',
    aliases: ['mail', 'correio'],
  },
  amount: {
    title: 'Valor',
    hint: 'De cada cobrança, em reais: 99,90.',
    aliases: ['mensalidade', 'amount', 'preco'],
  },
  firstDay: {
    title: 'Primeira cobrança',
    hint: 'Como 10/01/2027. As outras seguem este dia.',
    aliases: ['primeirodia', 'inicio', 'vencimento', 'firstday', 'data'],
  },
  period: {
    title: 'Frequência',
    hint: 'Semanal, mensal, trimestral, semestral ou anual. Vazio: mensal.',
    aliases: ['periodo', 'period'],
  },
  description: {
    title: 'O que é',
    hint: `Aparece no banco de quem paga, em até ${SUBSCRIPTION_LIMITS.descriptionMaxLength} caracteres. Vazio: Mensalidade.`,
    aliases: ['descricao', 'description', 'plano'],
  },
  lastDay: {
    title: 'Última até',
    hint: 'Opcional. Vazio: segue até alguém cancelar.',
    aliases: ['fim', 'ultima', 'lastday'],
  },
  externalId: {
    title: 'Seu código',
    hint: 'Opcional, e diferente em cada linha. Importar de novo não repete um código. Vazio: vale o cliente com o que é.',
    aliases: ['codigo', 'matricula', 'id', 'externalid', 'referencia'],
  },
};
const needed: readonly MemberColumn[] = ['name', 'document', 'amount', 'firstDay'];

/** The columns, as they are explained. */
export const columnGuide = columnNames.map((name) => columns[name]);

const plain = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
const columnByHead = new Map<string, MemberColumn>(
  columnNames.flatMap((name) =>
    [plain(columns[name].title), ...columns[name].aliases].map((head) => [head, name] as const),
  ),
);

const periods: ReadonlyMap<string, SubscriptionPeriod> = new Map([
  ['', 'monthly'],
  ['semanal', 'weekly'],
  ['mensal', 'monthly'],
  ['trimestral', 'quarterly'],
  ['semestral', 'semiannual'],
  ['anual', 'annual'],
]);

/** The subscription that a line asks for. */
export type ImportedPayer = {
  readonly name: string;
  readonly document: string;
  readonly email: string | null;
  readonly amountCents: number;
  readonly firstDay: string;
  readonly lastDay: string | null;
  readonly period: SubscriptionPeriod;
  readonly description: string;
  /** Null if the file has none. */
  readonly externalId: string | null;
};

/** A line of the file, counted as spreadsheets do; with what it asks for, or what is wrong. */
export type PayerRow = {
  readonly row: number;
  readonly name: string;
  readonly member: ImportedPayer | undefined;
  readonly faults: readonly string[];
};

/** The template: the heads, and two lines. */
export function templateRows(today: string): readonly (readonly string[])[] {
  const first = formatCalendarDay(shiftDay(today, 20));
  return [
    columnNames.map((name) => columns[name].title),
    [
      'Ana Souza',
      '529.982.247-25',
      'ana@example.com',
      '99,90',
      first,
      'mensal',
      'Mensalidade',
      '',
      'aluno-1',
    ],
    ['Bruno Lima', '111.444.777-35', '', '120,00', first, '', '', '', 'aluno-2'],
  ];
}

/**
 * Reads and checks the lines of a file. `today` is a calendar day.
 * @throws {CsvFileError} for a file that holds no members
 */
export function checkMembers(
  [heads = [], ...lines]: readonly (readonly string[])[],
  rules: ChargeRules,
  today: string,
): PayerRow[] {
  const found = heads.map((head) => columnByHead.get(plain(head)));
  const missing = needed.filter((name) => !found.includes(name)).map((name) => `“${columns[name].title}”`);
  if (missing.length > 0)
    throw new CsvFileError(
      `Não achamos ${missing.join(' e ')} na primeira linha. Baixe o modelo e compare as colunas.`,
    );
  const filled = lines.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw new CsvFileError('O arquivo não tem nenhuma linha além da primeira.');
  if (filled.length > MAX_MEMBERS)
    throw new CsvFileError(`O arquivo tem mais de ${MAX_MEMBERS} linhas. Divida-o em arquivos menores.`);
  const firstRows = new Map<string, number>();
  return lines.flatMap((cells, place) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const cellOf = (name: MemberColumn) => (cells[found.indexOf(name)] ?? '').trim();
    const row = checkLine(cellOf, rules, today);
    const number = place + 2;
    const id = row.member === undefined ? '' : idInFile(row.member);
    const earlier = id === '' ? undefined : firstRows.get(id);
    if (id !== '' && earlier === undefined) firstRows.set(id, number);
    return [
      {
        row: number,
        name: cellOf('name'),
        member: earlier === undefined ? row.member : undefined,
        faults: earlier === undefined ? row.faults : [`O mesmo código está na linha ${earlier}.`],
      },
    ];
  });
}

function checkLine(
  cellOf: (name: MemberColumn) => string,
  rules: ChargeRules,
  today: string,
): Pick<PayerRow, 'member' | 'faults'> {
  const document = normalizeDocument(cellOf('document'));
  const amountCents = centsFromText(cellOf('amount')) ?? null;
  const [firstDay, lastDay] = [dayFrom(cellOf('firstDay')), dayFrom(cellOf('lastDay'))];
  const period = periods.get(plain(cellOf('period')));
  const description = cellOf('description') || 'Mensalidade';
  const email = cellOf('email') || null;
  const amountProblem = chargeAmountProblem(amountCents, rules);
  const isEmailWrong =
    email !== null && !newCustomer.safeParse({ name: 'Ana', document: '52998224725', email }).success;
  const faults = [
    cellOf('name').length < 2 && 'Falta o nome.',
    !isCpf(document) && !isCnpj(document) && 'O CPF ou CNPJ não é válido.',
    isEmailWrong && 'O e-mail não é válido.',
    amountCents === null && 'Escreva o valor como 99,90.',
    amountCents !== null && amountProblem !== undefined && amountProblem,
    firstDay === undefined && dayProblem(cellOf('firstDay'), 'a primeira cobrança como 10/01/2027'),
    firstDay !== undefined && firstDay < today && 'A primeira cobrança está no passado.',
    cellOf('lastDay') !== '' &&
      lastDay === undefined &&
      dayProblem(cellOf('lastDay'), 'a última como 10/12/2027'),
    lastDay !== undefined &&
      firstDay !== undefined &&
      lastDay < firstDay &&
      'A última vem antes da primeira.',
    period === undefined && 'A frequência é semanal, mensal, trimestral, semestral ou anual.',
    description.length > SUBSCRIPTION_LIMITS.descriptionMaxLength &&
      `O que é tem mais de ${SUBSCRIPTION_LIMITS.descriptionMaxLength} caracteres.`,
    cellOf('externalId').length > 100 && 'O código tem mais de 100 caracteres.',
  ].filter((fault) => fault !== false);
  if (faults.length > 0 || amountCents === null || firstDay === undefined || period === undefined)
    return { member: undefined, faults };
  const externalId = cellOf('externalId') || null;
  const member = {
    name: cellOf('name'),
    document,
    email,
    amountCents,
    firstDay,
    period,
    description,
    externalId,
  };
  return { member: { ...member, lastDay: lastDay ?? null }, faults };
}

function idInFile({ externalId, document, description }: ImportedPayer): string {
  return externalId ?? `${document} ${description}`;
}

/** Says of a day that looks right that the calendar has none like it. */
function dayProblem(text: string, form: string): string {
  return /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(text) ? `O dia ${text} não existe.` : `Escreva ${form}.`;
}

/** A day as typed in Brazil, or as computers write it; undefined for anything else. */
function dayFrom(text: string): string | undefined {
  const [, date = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const day = year === '' ? text : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
  return parsed !== undefined && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day)
    ? day
    : undefined;
}
