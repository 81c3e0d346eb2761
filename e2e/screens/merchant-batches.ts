import {
  createChargeBatch,
  getChargeBatch,
  getPayerRules,
  giveBackHeldPix,
  listChargeBatches,
  listChargeBatchLines,
  listHeldPix,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { formatCalendarDay } from '../../web/src/format/date.ts';
import {
  batchLines,
  chargeBatchSample,
  heldPixSample,
  heldPixSamples,
  workingBatch,
} from '../../web/src/testing/batch-samples.ts';
import { dayIn } from '../../web/src/testing/due-samples.ts';
import { skeleton } from './admin.ts';
import { LONG } from './merchant-sales.ts';
import { answer, disconnect, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const screen = (
  name: string,
  tab: string,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[] = [],
  options: Partial<Pick<Screen, 'steps' | 'isLoading' | 'visitor'>> = {},
): Screen => ({ name, visitor: 'merchant', path: `/cobrancas?tab=${tab}`, shows, stubs, ...options });

const due = formatCalendarDay(dayIn(10));
const heads = 'Seu código;Valor;Nome;CPF ou CNPJ;Vencimento;Multa;Vendedor';
const goodLines = Array.from(
  { length: 120 },
  (_, n) => `mensalidade-${n + 1};150,00;Ana Conceição Pereira;529.982.247-25;${due};2%;Bia`,
);
const faultyLines = [
  'mensalidade-1;150,00;Ana Conceição Pereira;529.982.247-25;;;',
  `mensalidade-200;cento e vinte;${LONG};111.111.111-11;31/02/2027;2;`,
  `;0,50;Bento;390.533.447-05;${due};;`,
];

const choose =
  (lines: readonly string[]) =>
  async (page: Page): Promise<void> => {
    const buffer = Buffer.from([heads, ...lines].join('\n'));
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles({ name: 'mensalidades-de-janeiro.csv', mimeType: 'text/csv', buffer });
  };
const confirm = async (page: Page): Promise<void> => {
  await choose([...goodLines, ...faultyLines])(page);
  await page.getByRole('button', { name: /^Criar \d/ }).click();
};
const send = async (page: Page): Promise<void> => {
  await confirm(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Criar \d/ })
    .click();
};

const one = `batches&id=${workingBatch.id}`;
const lines = answer(listChargeBatchLines, { data: [...batchLines], next: 4 });

const batches: readonly Screen[] = [
  screen('batches', 'batches', 'Contratos de 2027', [
    answer(listChargeBatches, {
      data: [
        workingBatch,
        { ...chargeBatchSample, reference: LONG },
        { ...chargeBatchSample, reference: null },
      ],
      next: 'more',
    }),
  ]),
  screen('batches-empty', 'batches', 'Nenhum lote ainda', [
    answer(listChargeBatches, { data: [], next: null }),
  ]),
  screen('batches-loading', 'batches', skeleton, [stall(listChargeBatches)], { isLoading: true }),
  screen('batches-error', 'batches', 'Erro ao buscar os lotes', [fail(listChargeBatches)]),
  screen('batches-one-working', one, '4.200 de 10.000 linhas prontas', [
    answer(getChargeBatch, workingBatch),
    lines,
  ]),
  screen('batches-one-done', one, 'Concluído: 40 linhas', [
    answer(getChargeBatch, { ...chargeBatchSample, created: 36, cancelled: 3 }),
    lines,
  ]),
  screen('batches-one-cancel', one, 'Cancelar o resto', [answer(getChargeBatch, workingBatch), lines], {
    steps: (page) => page.getByRole('button', { name: 'Cancelar o que espera' }).click(),
  }),
  screen('batches-one-no-lines', `${one}&state=cancelled`, 'Nenhuma linha assim', [
    answer(getChargeBatch, chargeBatchSample),
    answer(listChargeBatchLines, { data: [], next: null }),
  ]),
  screen('batches-one-loading', one, skeleton, [stall(getChargeBatch)], { isLoading: true }),
  screen('batches-one-not-there', one, 'Lote não encontrado', [
    refuse(getChargeBatch, 'CHARGE_BATCH_NOT_FOUND'),
  ]),
  screen('batches-one-error', one, 'Erro ao buscar o lote', [fail(getChargeBatch)]),
];

const imports: readonly Screen[] = [
  screen('batches-import', 'import', 'Baixar modelo'),
  screen('batches-import-wrong-file', 'import', /Não achamos/, [], {
    steps: async (page) => {
      const buffer = Buffer.from('Nome,Telefone\nAna,81');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'contatos.csv', mimeType: 'text/csv', buffer });
    },
  }),
  screen('batches-import-preview', 'import', 'Nem toda coluna entra.', [], { steps: choose(goodLines) }),
  screen('batches-import-faulty', 'import', 'Baixar as linhas com problema', [], {
    steps: choose([...goodLines, ...faultyLines]),
  }),
  screen('batches-import-none-ready', 'import', 'Nenhuma linha está pronta.', [], {
    steps: choose(faultyLines.slice(1)),
  }),
  screen('batches-import-confirm', 'import', 'Nome do lote', [], { steps: confirm }),
  screen(
    'batches-import-again',
    'import',
    'Criar tudo de novo',
    [
      answer(listChargeBatches, { data: [workingBatch], next: null }),
      answer(createChargeBatch, workingBatch),
    ],
    { steps: send },
  ),
  screen(
    'batches-import-refused',
    'import',
    'Nada foi criado.',
    [
      refuse(createChargeBatch, 'INVALID_BODY', {
        fields: [{ field: 'items.4.description', message: 'A descrição não serve.' }],
      }),
    ],
    { steps: send },
  ),
  screen(
    'batches-import-failed',
    'import',
    /Não sabemos se o lote foi criado/,
    [disconnect(createChargeBatch)],
    {
      steps: send,
    },
  ),
  screen('batches-import-role', 'import', 'Seu papel não cria lotes', [], { visitor: 'accountant' }),
  screen('batches-import-not-approved', 'import', 'Falta verificar sua identidade', [], {
    visitor: 'newcomer',
  }),
];

const held = answer(listHeldPix, {
  data: [...heldPixSamples, { ...heldPixSample, id: 'long', payer: { name: LONG, document: null } }],
  next: 'more',
});
const detail = `held&state=all&id=${heldPixSample.id}`;

const heldPix: readonly Screen[] = [
  screen('held-pix', 'held&state=all', 'Carregar mais', [held]),
  screen('held-pix-none', 'held', 'Nada para decidir', [answer(listHeldPix, { data: [], next: null })]),
  screen('held-pix-never', 'held&state=all', 'Nenhum Pix retido até hoje', [
    answer(listHeldPix, { data: [], next: null }),
  ]),
  screen('held-pix-loading', 'held', skeleton, [stall(listHeldPix)], { isLoading: true }),
  screen('held-pix-error', 'held', 'Erro ao buscar os Pix retidos', [fail(listHeldPix)]),
  screen('held-pix-detail', detail, 'Id do Pix', [held]),
  screen('held-pix-detail-accepted', `held&state=all&id=${heldPixSamples[3]?.id}`, 'Virou o pagamento', [
    held,
  ]),
  screen('held-pix-accept', detail, /com a tarifa da cobrança/, [held], {
    steps: (page) => page.getByRole('button', { name: 'Aceitar' }).click(),
  }),
  screen(
    'held-pix-give-back-refused',
    detail,
    (page) => page.getByRole('alert'),
    [held, refuse(giveBackHeldPix, 'REFUND_NOT_SUPPORTED')],
    {
      steps: async (page) => {
        await page.getByRole('button', { name: 'Devolver' }).click();
        await page.getByText('Volta inteiro para').waitFor();
        await page.getByRole('button', { name: 'Devolver' }).click();
      },
    },
  ),
  screen('payer-rules', 'rules', 'Se pagarem duas vezes', [
    answer(getPayerRules, { other_payer: 'hold', late: null, doubled: 'give_back' }),
  ]),
  screen('payer-rules-reading', 'rules', 'Só quem é dono da conta muda estas regras.', [], {
    visitor: 'accountant',
  }),
  screen('payer-rules-loading', 'rules', skeleton, [stall(getPayerRules)], { isLoading: true }),
  screen('payer-rules-error', 'rules', 'Erro ao buscar as regras', [fail(getPayerRules)]),
];

const form: readonly Screen[] = [
  {
    name: 'pix-payment-due-rules',
    visitor: 'merchant',
    path: '/pix-payment',
    steps: async (page) => {
      await page.getByText('Com vencimento').click();
      await page.getByText('Quem pode pagar').click();
    },
    shows: 'Se pagarem fora do prazo',
  },
];

/** The screens of batches, of their import, of held Pix and of the rules for who pays, in their states. */
export const merchantBatches: readonly Screen[] = [...batches, ...imports, ...heldPix, ...form];
