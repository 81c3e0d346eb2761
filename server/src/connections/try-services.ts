import { formatEndToEndId } from '@jangada/pix';
import type { BankProbe, BankReceivedPix, KnownBank, Psp } from '../psp/index.ts';
import { randomText } from '../random-text.ts';
import { type PlannedStep, passed, type StepResult } from './run-steps.ts';

type ServiceTrial = {
  /** Lists one item a page, so that a list of two items has two pages. */
  readonly psp: Psp;
  readonly probe: Pick<BankProbe, 'listMandateIds'>;
  readonly bank: Pick<KnownBank, 'offers'>;
  readonly now: () => Date;
};

const listedMs = 3 * 24 * 3_600_000;
const marginMs = 60_000;

/** The steps that only read: the list of received Pix, and what else the bank offers. */
export function planServices({ psp, probe, bank, now }: ServiceTrial): PlannedStep[] {
  const optional = { needs: ['token'], isEssential: false };
  return [
    {
      id: 'received',
      title: 'Os Pix recebidos podem ser listados',
      asked: 'Listar os Pix recebidos nos últimos três dias, um por página, até a segunda página.',
      needs: ['token'],
      isEssential: true,
      run: () => checkReceived(psp, now()),
    },
    {
      id: 'refunds',
      title: 'Estornos podem ser consultados',
      asked: 'Consultar um estorno que não existe. Nada é estornado.',
      ...optional,
      run: async () => {
        if (psp.refunds === undefined) return notOffered('estornos');
        const endToEndId = formatEndToEndId({ ispb: '00000000', at: now(), suffix: randomText(11) }) ?? '';
        const found = await psp.refunds.findRefund(endToEndId, randomText(20));
        return expectNothing(found, 'Estornos em dúvida podem ser esclarecidos.');
      },
    },
    {
      id: 'payouts',
      title: 'Pix enviados podem ser consultados',
      asked: 'Consultar um Pix enviado que não existe. Nada é enviado.',
      ...optional,
      run: async () => {
        if (psp.payouts === undefined) return notOffered('envio de Pix');
        return expectNothing(await psp.payouts.findPayout(randomText(35)), 'Saques podem sair desta conta.');
      },
    },
    {
      id: 'disputes',
      title: 'Disputas (MED) podem ser listadas',
      asked: 'Listar as disputas abertas na última hora.',
      ...optional,
      run: async () => {
        if (psp.disputes === undefined) return notOffered('disputas');
        const to = now();
        const from = new Date(to.getTime() - 3_600_000);
        for await (const _ of psp.disputes.listDisputes(from, to)) break;
        return passed('O banco deu a lista.', 'Disputas desta conta aparecem aqui, com o prazo de cada uma.');
      },
    },
    {
      id: 'balance',
      title: 'O saldo pode ser consultado',
      asked: 'Consultar o saldo da conta.',
      ...optional,
      run: async () => {
        if (psp.account === undefined) return notOffered('o saldo');
        await psp.account.readBalance();
        return passed('O banco informou o saldo.', 'O saldo da conta aparece aqui.');
      },
    },
    {
      id: 'recurring',
      title: 'Pix Automático está disponível',
      asked:
        'Pedir as permissões de rec e cobr, e listar as autorizações da última hora. Ninguém é debitado.',
      ...optional,
      run: async () => {
        if (!bank.offers.recurring) return notOffered('Pix Automático');
        const to = now();
        const from = new Date(to.getTime() - 3_600_000);
        for await (const _ of probe.listMandateIds(from, to)) break;
        const answered = 'O banco deu a lista.';
        if (psp.recurring !== undefined)
          return passed(answered, 'Assinaturas podem ser cobradas nesta conta.');
        return { state: 'warned', answered, meaning: accountMissing };
      },
    },
  ];
}

/** Each debit has to name the account that it is paid into, which no call of API Pix tells. */
const accountMissing =
  'Para cobrar assinaturas, falta informar a agência, o número e o tipo da conta em que os débitos entram.';

async function checkReceived(psp: Psp, now: Date): Promise<StepResult> {
  const from = new Date(now.getTime() - listedMs);
  const pages: BankReceivedPix[][] = [];
  for await (const page of psp.listReceivedPix(from, now)) {
    pages.push(page);
    if (pages.length === 2) break;
  }
  const [first = [], second = []] = pages;
  const seen = new Set(first.map(({ endToEndId }) => endToEndId));
  if (second.some(({ endToEndId }) => seen.has(endToEndId)))
    return {
      state: 'failed',
      answered: 'A segunda página repete a primeira.',
      meaning: 'Pagamentos cujo aviso se perde ficariam sem ser vistos. Conte isto ao banco.',
    };
  const isOutside = ({ paidAt }: BankReceivedPix) =>
    paidAt.getTime() < from.getTime() - marginMs || paidAt.getTime() > now.getTime() + marginMs;
  if ([...first, ...second].some(isOutside))
    return {
      state: 'warned',
      answered: 'A lista tem Pix de fora do período pedido.',
      meaning: 'O banco não segue o período, e cada conferência fica mais longa. Conte isto ao banco.',
    };
  return second.length === 0
    ? passed(
        'O banco deu a lista.',
        'Pagamentos são vistos mesmo que um aviso se perca. Não havia Pix para uma segunda página.',
      )
    : passed('O banco deu a lista, página por página.', 'Pagamentos são vistos mesmo que um aviso se perca.');
}

function expectNothing(found: unknown, meaning: string): StepResult {
  if (found === undefined) return passed('O banco diz que não existe.', meaning);
  return {
    state: 'warned',
    answered: 'O banco achou o que não existe.',
    meaning: 'As consultas deste banco não provam nada. Conte isto ao banco.',
  };
}

function notOffered(what: string): StepResult {
  return { state: 'skipped', answered: '', meaning: `Este banco não oferece ${what} por aqui.` };
}
