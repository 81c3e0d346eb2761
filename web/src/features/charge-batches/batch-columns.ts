import { CHARGE_EXPIRY, VALID_AFTER_DUE_DEFAULT_DAYS } from '@jangada/contract';
import { formatCalendarDay, shiftDay } from '../../format/date.ts';

/** The columns that a file of charges may have, in the order of the template. */
export const batchColumnNames = [
  'externalId',
  'amount',
  'name',
  'document',
  'description',
  'dueDate',
  'validAfterDue',
  'fine',
  'interest',
  'rebate',
  'discount',
  'discountUntil',
  'lifetime',
] as const;
export type BatchColumn = (typeof batchColumnNames)[number];

type ColumnWords = {
  /** The head of the column in the template. */
  readonly title: string;
  readonly hint: string;
  /** Other heads by which it is known, without accents, spaces and signs. */
  readonly aliases: readonly string[];
};

export const batchColumns: Readonly<Record<BatchColumn, ColumnWords>> = {
  externalId: {
    title: 'Seu código',
    hint: 'Diferente em cada linha: o número da mensalidade, do contrato ou do pedido. Vazio, com vencimento: vale o CPF ou CNPJ com o vencimento e a descrição.',
    aliases: ['codigo', 'id', 'seuid', 'externalid', 'referencia', 'pedido'],
  },
  amount: { title: 'Valor', hint: 'Obrigatório, em reais: 1.250,00.', aliases: ['amount', 'preco', 'total'] },
  name: {
    title: 'Nome',
    hint: 'De quem você cobra. Obrigatório com vencimento.',
    aliases: ['cliente', 'nomedocliente', 'nomedequempaga', 'pagador', 'payername', 'name'],
  },
  document: {
    title: 'CPF ou CNPJ',
    hint: 'De quem você cobra, com ou sem pontos. Obrigatório com vencimento.',
    aliases: ['cpf', 'cnpj', 'cpfcnpj', 'documento', 'document', 'payerdocument'],
  },
  description: {
    title: 'Descrição',
    hint: 'O que a pessoa lê ao pagar, em até 140 caracteres.',
    aliases: ['oquee', 'description', 'historico'],
  },
  dueDate: {
    title: 'Vencimento',
    hint: 'Como 10/01/2027. Sem ele, a cobrança vale só por minutos.',
    aliases: ['datadevencimento', 'vence', 'duedate', 'data'],
  },
  validAfterDue: {
    title: 'Dias após vencer',
    hint: `Por quantos dias depois do vencimento ainda pode ser paga. Vazio: ${VALID_AFTER_DUE_DEFAULT_DAYS}.`,
    aliases: ['validafterdue', 'diasaposvencimento', 'diasaposovencimento'],
  },
  fine: {
    title: 'Multa',
    hint: 'Por atraso, uma vez: 2% ou R$ 5,00.',
    aliases: ['fine', 'multaporatraso'],
  },
  interest: {
    title: 'Juros',
    hint: 'Por atraso: 1% (ao mês) ou R$ 0,50 (por dia).',
    aliases: ['interest', 'jurosaomes', 'mora'],
  },
  rebate: {
    title: 'Abatimento',
    hint: 'Sai do valor em qualquer dia: R$ 10,00 ou 5%.',
    aliases: ['rebate'],
  },
  discount: {
    title: 'Desconto',
    hint: 'Para quem paga antes: R$ 10,00 ou 5%.',
    aliases: ['discount'],
  },
  discountUntil: {
    title: 'Desconto até',
    hint: 'O último dia do desconto, como 05/01/2027.',
    aliases: ['discountuntil', 'datadodesconto'],
  },
  lifetime: {
    title: 'Minutos para pagar',
    hint: `Só sem vencimento, de 1 a ${CHARGE_EXPIRY.max / 60}. Vazio: ${CHARGE_EXPIRY.default / 60}.`,
    aliases: ['minutos', 'validade'],
  },
};

/** Without these columns a file holds no charges. */
export const neededColumns: readonly BatchColumn[] = ['amount'];

const plainHead = (head: string) =>
  head
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

const columnByHead = new Map<string, BatchColumn>(
  batchColumnNames.flatMap((name) =>
    [plainHead(batchColumns[name].title), ...batchColumns[name].aliases].map((head) => [head, name] as const),
  ),
);

/** The column that a head of a file names, whatever its capitals, accents and signs. */
export function columnOf(head: string): BatchColumn | undefined {
  return columnByHead.get(plainHead(head));
}

/** The rows of the template: the heads, a charge with a due date, and one without. */
export function templateRows(today: string): readonly (readonly string[])[] {
  const due = formatCalendarDay(shiftDay(today, 10));
  const early = formatCalendarDay(shiftDay(today, 5));
  const rows: readonly Partial<Record<BatchColumn, string>>[] = [
    {
      externalId: 'mensalidade-41',
      amount: '150,00',
      name: 'Francisco da Silva',
      document: '529.982.247-25',
      description: 'Mensalidade',
      dueDate: due,
      validAfterDue: '30',
      fine: '2%',
      interest: '1%',
      discount: 'R$ 10,00',
      discountUntil: early,
    },
    { externalId: 'pedido-7', amount: '1.250,00', description: 'Pedido 7', lifetime: '60' },
  ];
  return [
    batchColumnNames.map((name) => batchColumns[name].title),
    ...rows.map((row) => batchColumnNames.map((name) => row[name] ?? '')),
  ];
}
