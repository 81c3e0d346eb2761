import {
  accountTaxes,
  cancelChargeBatch,
  createChargeBatch,
  exportChargeBatch,
  getChargeBatch,
  listChargeBatches,
  listChargeBatchLines,
  listHeldPix,
  publicSettings,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ChargesRoute } from '../../app/charges-route.tsx';
import { formatCalendarDay } from '../../format/date.ts';
import { batchLines, chargeBatchSample, workingBatch } from '../../testing/batch-samples.ts';
import { dayIn } from '../../testing/due-samples.ts';
import { shopAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, taxes } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(listHeldPix, { data: [], next: null });
  gateway.answer(listChargeBatches, { data: [chargeBatchSample], next: null });
  gateway.answer(getChargeBatch, workingBatch);
  gateway.answer(listChargeBatchLines, { data: [...batchLines], next: null });
  gateway.answer(createChargeBatch, workingBatch);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const day = (days: number) => formatCalendarDay(dayIn(days));
const csvOf = (...lines: string[]) =>
  [`Seu código;Valor;Nome;CPF ou CNPJ;Vencimento;Multa`, ...lines].join('\r\n');
const goodLine = (id: string) => `${id};1.250,00;Ana Conceição;529.982.247-25;${day(10)};2%`;
const bodiesOf = () => gateway.calls(createChargeBatch).map(({ body }) => body);
const keysOf = () => gateway.calls(createChargeBatch).map(({ headers }) => headers.get('idempotency-key'));

async function openImport(role?: 'accountant') {
  return renderScreen(
    '/cobrancas?tab=import',
    ChargesRoute,
    role === undefined ? {} : { account: { ...shopAccount, role } },
  );
}
type Rendered = Awaited<ReturnType<typeof openImport>>['screen'];

async function choose(screen: Rendered, content: string | Uint8Array<ArrayBuffer>, name = 'janeiro.csv') {
  const file = new File([content], name, { type: 'text/csv' });
  await userEvent.upload(screen.getByLabelText(/^(Escolher arquivo CSV|Trocar arquivo)$/), file);
}

async function confirm(screen: Rendered) {
  await screen.getByRole('button', { name: /^Criar \d/ }).click();
  await screen
    .getByRole('dialog')
    .getByRole('button', { name: /^Criar \d/ })
    .click();
}

describe('a file', () => {
  test('is shown with its sum, confirmed once, and becomes a batch', async () => {
    const { screen, currentUrl } = await openImport();
    await choose(screen, csvOf(goodLine('m-1'), '', 'm-2;86,4;;;;'));
    const summary = screen.getByRole('region', { name: 'Resumo do arquivo' });
    await expect.element(summary.getByText('R$ 1.336,40')).toBeVisible();
    await expect.element(screen.getByRole('row', { name: /^4 m-2 — — R\$ 86,40 Pronta/ })).toBeVisible();
    expect(bodiesOf()).toEqual([]);
    await screen.getByRole('button', { name: 'Criar 2 cobranças' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Nome do lote').fill('Mensalidades');
    await dialog.getByRole('button', { name: 'Criar 2 cobranças' }).click();
    await expect.poll(currentUrl).toBe(`/cobrancas?tab=batches&id=${workingBatch.id}`);
    expect(bodiesOf()).toMatchObject([
      {
        reference: 'Mensalidades',
        items: [
          {
            external_id: 'm-1',
            amount: 1250,
            payer: { name: 'Ana Conceição', document: '529.982.247-25' },
            due_date: dayIn(10),
            fine: { type: 'percent', value: 2 },
          },
          { external_id: 'm-2', amount: 86.4 },
        ],
      },
    ]);
  });

  test('in Latin-1, with commas between its columns or heads of its own, is read as well', async () => {
    const { screen } = await openImport();
    const text = 'id,VALOR,descricao\r\np-1,"1.250,00",Pão\r\n';
    const latin = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    await choose(screen, latin);
    await confirm(screen);
    await expect
      .poll(bodiesOf)
      .toMatchObject([{ reference: 'janeiro', items: [{ amount: 1250, description: 'Pão' }] }]);
  });

  test('without codes is known by payer, due date and description, so that no line of it counts twice', async () => {
    const { screen } = await openImport();
    const line = (description: string, due = day(10)) =>
      `Ana Conceição;52998224725;10,00;${due};${description}`;
    // Another person, whose masked document and name are the same.
    const other = `Ana Conceição;11198224754;10,00;${day(10)};Mensalidade`;
    const lines = [
      ...[line('Mensalidade'), line('Reserva'), line('Mensalidade', day(40)), line('Mensalidade'), other],
      `Ana;123;10,00;${day(10)};`,
    ];
    await choose(screen, ['Nome;CPF;Valor;Vencimento;Descrição', ...lines].join('\r\n'));
    await expect
      .element(
        screen.getByText('Já está na linha 2: a mesma pessoa, o mesmo vencimento e a mesma descrição.'),
      )
      .toBeVisible();
    expect(screen.getByText(/^Seu código:/).elements()).toEqual([]);
    await confirm(screen);
    await expect.poll(bodiesOf).toHaveLength(1);
    const id = (due: string, description: string) => `Ana Conceição ***.982.247-** ${due} ${description}`;
    expect(bodiesOf()).toMatchObject([
      {
        items: [
          { external_id: id(dayIn(10), 'Mensalidade') },
          { external_id: id(dayIn(10), 'Reserva') },
          { external_id: id(dayIn(40), 'Mensalidade') },
          { external_id: id(dayIn(10), 'Mensalidade 2') },
        ],
      },
    ]);
  });

  test('whose names end in half of an emoji where they are cut is taken all the same', async () => {
    const { screen } = await openImport();
    const name = `${'A'.repeat(29)}😀 Lima`;
    await choose(screen, `Nome;CPF;Valor;Vencimento\r\n${name};52998224725;10,00;${day(10)}`);
    await confirm(screen);
    await expect
      .poll(bodiesOf)
      .toMatchObject([{ items: [{ external_id: `${'A'.repeat(29)} ***.982.247-** ${dayIn(10)}` }] }]);
  });

  test.for([
    ['Nome;Código\r\nAna;m-1', /Não achamos a coluna “Valor”/],
    ['Código;Valor\r\n;', 'O arquivo não tem nenhuma cobrança.'],
    ['Código;Id;Valor\r\n1;1;10', 'Duas colunas do arquivo são “Seu código”. Deixe uma só.'],
    ['PK\u0003\u0004', 'Este arquivo é uma planilha. Abra-a e salve como CSV.'],
    ['Código;Valor\r\nm-1;"10', /^As aspas não fecham na linha 2/],
  ] as const)('that holds no charges says what to do: %j', async ([content, message]) => {
    const { screen } = await openImport();
    await choose(screen, content);
    await expect.element(screen.getByText(message)).toBeVisible();
    await choose(screen, csvOf(goodLine('m-1')));
    await expect.element(screen.getByText('Pronta')).toBeVisible();
  });

  test('of ten thousand lines leaves the page free to answer, and one of more is refused', async () => {
    const { screen } = await openImport();
    const lines = Array.from({ length: 10_001 }, (_, n) => goodLine(`m-${n}`));
    await choose(screen, csvOf(...lines));
    await expect.element(screen.getByText(/^O arquivo tem 10\.001 linhas/)).toBeVisible();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    await choose(screen, csvOf(...lines.slice(1)));
    await expect.element(screen.getByRole('button', { name: 'Criar 10.000 cobranças' })).toBeVisible();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
    expect(screen.getByRole('row').elements()).toHaveLength(51);
    await screen.getByRole('button', { name: 'Página 200' }).click();
    await expect.element(screen.getByRole('row', { name: /^10\.001 m-10000 / })).toBeVisible();
  });
});

describe('faulty lines', () => {
  const faulty = csvOf(
    goodLine('m-1'),
    `m-1;10,00;;;;`,
    `m-2;dez;Ana;111.111.111-11;31/02/2027;2`,
    `m-3;0,50;;;;`,
    `m-4;10;Ana;;${day(-1)};`,
    `;10;A;529.982.247-25;;`,
    `m-5;10;;;;2%`,
  );

  test('are shown first, each with its faults in plain words, and are left out', async () => {
    const { screen } = await openImport();
    await choose(screen, faulty);
    for (const [row, ...texts] of [
      ['3', 'Seu código: Já está na linha 2.'],
      [
        '4',
        'Valor: Escreva o valor em reais, como 1.250,00.',
        'CPF ou CNPJ: Este CPF ou CNPJ não é válido.',
        'Vencimento: Escreva um dia que existe, como 10/01/2027.',
        'Multa: Escreva 2% ou R$ 5,00.',
      ],
      ['5', 'Valor: O valor mínimo para depósito é R$ 1,50.'],
      ['6', 'Vencimento: O vencimento já passou.', 'CPF ou CNPJ: Este CPF ou CNPJ não é válido.'],
      [
        '7',
        'Seu código: Escreva um código de 1 a 100 caracteres, ou o CPF ou CNPJ e o vencimento.',
        'Nome: Escreva o nome, com 2 a 200 caracteres.',
      ],
      ['8', 'Multa: Só vale com vencimento.'],
    ]) {
      const cells = screen.getByRole('row', { name: new RegExp(`^${row} `) });
      for (const text of texts) await expect.element(cells.getByText(text)).toBeVisible();
    }
    await screen.getByRole('button', { name: 'Criar 1 cobrança' }).click();
    await expect
      .element(
        screen.getByText(
          /^As 6 linhas com problema ficam de fora\. Depois, importe só as que você corrigir\.$/,
        ),
      )
      .toBeVisible();
    await screen.getByRole('dialog').getByRole('button', { name: 'Criar 1 cobrança' }).click();
    await expect.poll(bodiesOf).toMatchObject([{ items: [{ external_id: 'm-1', amount: 1250 }] }]);
  });

  test('are saved with what to mend, in a file that can be imported again', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
      saved.push(content as Blob);
      return 'blob:';
    });
    const { screen } = await openImport();
    await choose(screen, csvOf(goodLine('m-1'), '=1+1;0,50;;;;'));
    await screen.getByRole('button', { name: 'Baixar as linhas com problema' }).click();
    await expect.poll(() => saved.length).toBe(1);
    const text = await saved[0]?.text();
    expect(text).toBe(
      'Seu código;Valor;Nome;CPF ou CNPJ;Vencimento;Multa;O que corrigir\r\n' +
        `"'=1+1";0,50;;;;;Valor: O valor mínimo para depósito é R$ 1,50.\r\n`,
    );
    await choose(screen, String(text).replace('0,50', '5,00'));
    await expect.element(screen.getByText('Pronta')).toBeVisible();
    expect(screen.getByText(/Não usamos/).elements()).toEqual([]);
  });

  test('that only the server finds are marked, and can be left out too', async () => {
    const { screen } = await openImport();
    gateway.refuse(createChargeBatch, 'INVALID_BODY', {
      fields: [{ field: 'items.1.description', message: 'A descrição não serve.' }],
    });
    await choose(screen, csvOf(goodLine('m-1'), goodLine('m-2'), goodLine('m-3')));
    await confirm(screen);
    await expect.element(screen.getByText('Descrição: A descrição não serve.')).toBeVisible();
    await expect.element(screen.getByText('Nada foi criado.')).toBeVisible();
    gateway.answer(createChargeBatch, workingBatch);
    await confirm(screen);
    await expect
      .poll(() => bodiesOf().at(-1))
      .toMatchObject({ items: [{ external_id: 'm-1' }, { external_id: 'm-3' }] });
  });

  test('that are charges already are marked, and the others are created', async () => {
    const { screen } = await openImport();
    const paid = 'Já foi cobrada em 12/11/2026, e paga.';
    gateway.refuse(createChargeBatch, 'ALREADY_CHARGED', {
      fields: [
        { field: 'items.0.external_id', message: 'Já foi cobrada em 12/11/2026.' },
        { field: 'items.1.external_id', message: paid },
      ],
    });
    const own = `;30,00;Ana Conceição;529.982.247-25;${day(20)};`;
    await choose(screen, csvOf(goodLine('m-1'), own, goodLine('m-3')));
    await confirm(screen);
    await expect
      .element(screen.getByText(/veja quais, e siga com as outras\. Para cobrar de novo, mude no arquivo/))
      .toBeVisible();
    await expect.element(screen.getByText('Seu código: Já foi cobrada em 12/11/2026.')).toBeVisible();
    // Its code was derived, and is nothing that stands in the file.
    await expect.element(screen.getByText(paid, { exact: true })).toBeVisible();
    gateway.answer(createChargeBatch, workingBatch);
    await confirm(screen);
    await expect
      .poll(() => bodiesOf().at(-1))
      .toMatchObject({ refuse_repeated: true, items: [{ external_id: 'm-3' }] });
  });

  test('only, or a column of no meaning, is told', async () => {
    const { screen } = await openImport();
    await choose(screen, csvOf('m-1;dez;;;;'));
    await expect.element(screen.getByText('Nenhuma linha está pronta.')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Criar/ }).elements()).toEqual([]);
    await choose(screen, 'Código;Valor;Vendedor\r\nm-1;10;Bia\r\n');
    await expect.element(screen.getByText(/Não usamos a coluna “Vendedor”/)).toBeVisible();
  });
});

describe('the same charges', () => {
  test('have the same key whenever they are confirmed, and whoever confirms them again is led to their batch', async () => {
    const { screen, router } = await openImport();
    await choose(screen, csvOf(goodLine('m-1')));
    await confirm(screen);
    await expect.element(screen.getByText('4.200 de 10.000 linhas prontas')).toBeVisible();
    gateway.answer(listChargeBatches, { data: [workingBatch, chargeBatchSample], next: null });
    await router.navigate({ href: '/cobrancas?tab=import' });
    await choose(screen, csvOf(goodLine('m-1')), 'copia.csv');
    await confirm(screen);
    await expect.element(screen.getByText('Este arquivo já foi confirmado')).toBeVisible();
    await expect.element(screen.getByText(/“Contratos de 2027”/)).toBeVisible();
    const [first, second] = keysOf();
    expect(first).toMatch(/^lote-[0-9a-f]+-[0-9a-f]{32}$/);
    expect(second).toBe(first);
    await screen.getByRole('button', { name: 'Criar tudo de novo' }).click();
    await expect.element(screen.getByText('4.200 de 10.000 linhas prontas')).toBeVisible();
    expect(keysOf()).toHaveLength(3);
    expect(keysOf()[2]).not.toBe(first);
    expect(bodiesOf()[2]).toMatchObject({ refuse_repeated: false });
  });

  test('are not created twice after an answer that was lost, and other charges have another key', async () => {
    const { screen } = await openImport();
    gateway.disconnect(createChargeBatch);
    await choose(screen, csvOf(goodLine('m-1')));
    await confirm(screen);
    await expect.element(screen.getByText(/as mesmas cobranças não são criadas duas vezes/)).toBeVisible();
    await screen
      .getByRole('dialog')
      .getByRole('button', { name: /^Criar \d/ })
      .click();
    await expect.poll(() => keysOf().length).toBe(2);
    await screen.getByRole('button', { name: 'Voltar' }).click();
    await choose(screen, csvOf(goodLine('m-2')));
    await confirm(screen);
    await expect.poll(() => keysOf().length).toBe(3);
    const [first, second, third] = keysOf();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('under another name of the batch are refused in words that help', async () => {
    const { screen } = await openImport();
    gateway.refuse(createChargeBatch, 'IDEMPOTENCY_CONFLICT');
    await choose(screen, csvOf(goodLine('m-1')));
    await confirm(screen);
    await expect.element(screen.getByText(/já foi confirmado com outro nome de lote/)).toBeVisible();
    gateway.answer(createChargeBatch, workingBatch);
    await screen.getByRole('button', { name: 'Criar tudo de novo' }).click();
    await expect.element(screen.getByText('4.200 de 10.000 linhas prontas')).toBeVisible();
  });
});

describe('a batch', () => {
  const openBatch = (search = `&id=${workingBatch.id}`) =>
    renderScreen(`/cobrancas?tab=batches${search}`, ChargesRoute);

  test('shows how far it is until it is done', async () => {
    const { screen } = await openBatch();
    await expect.element(screen.getByText('4.200 de 10.000 linhas prontas')).toBeVisible();
    await expect.element(screen.getByText('mensalidade-43')).toBeVisible();
    gateway.answer(listChargeBatchLines, { data: batchLines.slice(0, 2), next: null });
    gateway.answer(getChargeBatch, { ...chargeBatchSample, id: workingBatch.id });
    await expect.element(screen.getByText('Concluído: 40 linhas')).toBeVisible();
    await expect.element(screen.getByText('mensalidade-43')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancelar o que espera' }).elements()).toEqual([]);
  });

  test('shows each line with its charge or why it was refused, and by state', async () => {
    const { screen } = await openBatch();
    await expect
      .element(screen.getByRole('row', { name: /mensalidade-41 Criada Ver cobrança/ }))
      .toBeVisible();
    await expect
      .element(screen.getByRole('row', { name: /mensalidade-42 Recusada O vencimento já passou\./ }))
      .toBeVisible();
    await screen.getByLabelText('Situação das linhas').selectOptions('Recusada');
    await expect.poll(() => gateway.calls(listChargeBatchLines).at(-1)?.query.get('state')).toBe('refused');
  });

  test('is cancelled after a question, and its result is saved', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    gateway.answer(cancelChargeBatch, {
      ...workingBatch,
      status: 'completed',
      waiting: 0,
      cancelled: 5800,
    });
    gateway.answerFile(exportChargeBatch, new Blob(['Linha']));
    const { screen } = await openBatch();
    await screen.getByRole('button', { name: 'Cancelar o que espera' }).click();
    await expect.element(screen.getByText(/As 4\.188 já criadas continuam valendo/)).toBeVisible();
    gateway.answer(getChargeBatch, { ...workingBatch, status: 'completed', waiting: 0, cancelled: 5800 });
    await screen.getByRole('button', { name: 'Cancelar o resto' }).click();
    await expect.element(screen.getByText('Canceladas')).toBeVisible();
    await screen.getByRole('button', { name: 'Baixar resultado (CSV)' }).click();
    await expect.poll(() => saved).toEqual(['resultado-Contratos de 2027.csv']);
  });

  test('that is not there, or fails to load, is told', async () => {
    gateway.refuse(getChargeBatch, 'CHARGE_BATCH_NOT_FOUND');
    const { screen } = await openBatch();
    await expect.element(screen.getByText('Lote não encontrado')).toBeVisible();
    await screen.unmount();
    gateway.fail(getChargeBatch);
    const again = await openBatch();
    await expect.element(again.screen.getByText('Erro ao buscar o lote')).toBeVisible();
  });

  test('is found in the list, on a phone too, whose empty state leads to the import', async () => {
    await page.viewport(390, 844);
    gateway.answer(listChargeBatches, { data: [workingBatch, chargeBatchSample], next: null });
    const { screen, currentUrl } = await openBatch('');
    await expect.element(screen.getByText(/39 criadas, 1 recusada/)).toBeVisible();
    await screen.getByRole('button', { name: /Contratos de 2027/ }).click();
    await expect.poll(currentUrl).toBe(`/cobrancas?tab=batches&id=${workingBatch.id}`);
    await screen.unmount();
    gateway.answer(listChargeBatches, { data: [], next: null });
    const empty = await openBatch('');
    await empty.screen.getByRole('link', { name: 'Importar cobranças' }).click();
    await expect.poll(empty.currentUrl).toBe('/cobrancas?tab=import');
  });
});

test('a role that creates no batches sees them and imports none', async () => {
  const { screen } = await openImport('accountant');
  await expect.element(screen.getByText('Seu papel não cria lotes')).toBeVisible();
  await screen.getByRole('link', { name: 'Todos os lotes' }).click();
  await expect.element(screen.getByText('Mensalidades de janeiro')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Importar cobranças' }).elements()).toEqual([]);
});
