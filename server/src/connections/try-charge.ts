import type { BankCharge, BankProbe, ChargeOrder, KnownBank, Psp } from '../psp/index.ts';
import { RefusedResponse } from '../psp/index.ts';
import { randomText } from '../random-text.ts';
import { quote } from './bank-failure.ts';
import { type PlannedStep, passed, type StepResult } from './run-steps.ts';

type ChargeTrial = {
  readonly bank: Pick<KnownBank, 'panel'>;
  readonly psp: Psp;
  readonly probe: Pick<BankProbe, 'listChargeIds'>;
  readonly pixKey: string;
  readonly now: () => Date;
};

const expirySeconds = 600;
/** Clocks of banks and servers differ by seconds. A larger difference makes charges expire at the wrong time. */
const maxClockDifferenceMs = 5 * 60_000;
/** Of the list of charges, only so many pages are searched: an account may have many charges. */
const maxListPages = 3;

/** The steps that make a charge, look at it in all ways, and remove it. */
export function planCharge(trial: ChargeTrial): PlannedStep[] {
  const { bank, psp, probe, pixKey, now } = trial;
  const order: ChargeOrder = {
    txid: `verificacao${randomText(21)}`,
    amountCents: 100,
    expiresInSeconds: expirySeconds,
    payerNote: 'Verificação da conta. Não pague.',
  };
  let attempt: Promise<BankCharge> | undefined;
  let askedAt = now();
  const create = () => {
    if (attempt === undefined) askedAt = now();
    attempt ??= psp.createCharge(order);
    return attempt;
  };
  const essential = { needs: ['charge'], isEssential: true };
  return [
    {
      id: 'key',
      title: 'A chave Pix é desta conta',
      asked: 'Criar uma cobrança de R$ 1,00 na chave Pix da conta, que vale 10 minutos.',
      needs: ['token'],
      isEssential: true,
      run: () => checkKey(create, pixKey, bank.panel),
    },
    {
      id: 'charge',
      title: 'Uma cobrança pode ser criada',
      asked: 'Criar a mesma cobrança, com um txid deste gateway.',
      needs: ['token', 'key'],
      isEssential: true,
      run: async () => {
        await create();
        return passed('O banco criou a cobrança.', 'Pagadores podem ser cobrados por esta conta.');
      },
    },
    {
      id: 'br-code',
      title: 'O código da cobrança é válido',
      asked: 'Ler o Pix Copia e Cola, e comparar o endereço, o valor e o txid com a cobrança.',
      ...essential,
      run: async () =>
        (await create()).brCode === undefined
          ? {
              state: 'failed',
              answered: 'O banco não deu um código que seja desta cobrança.',
              meaning: 'Sem ele ninguém paga. Conte isto ao banco.',
            }
          : passed('O código é desta cobrança.', 'Pagadores podem pagar por QR Code ou Pix Copia e Cola.'),
    },
    {
      id: 'rules',
      title: 'A cobrança segue as regras do Banco Central',
      asked: 'Comparar txid, valor, estado, validade e hora com o que foi pedido.',
      ...essential,
      run: async () => checkRules(await create(), order, { askedAt, answeredAt: now() }),
    },
    {
      id: 'charge-read',
      title: 'A cobrança pode ser consultada',
      asked: 'Consultar a cobrança pelo txid.',
      ...essential,
      run: async () => {
        const found = await psp.findCharge(order.txid, 'immediate');
        return found?.txid === order.txid
          ? passed('O banco achou a cobrança.', 'Pagamentos são vistos mesmo que um aviso se perca.')
          : {
              state: 'failed',
              answered: 'O banco não achou a cobrança que acabou de criar.',
              meaning:
                'Sem a consulta, um pagamento cujo aviso se perde fica sem ser visto. Conte isto ao banco.',
            };
      },
    },
    {
      id: 'charge-list',
      title: 'As cobranças podem ser listadas',
      asked: 'Listar as cobranças dos últimos minutos.',
      needs: ['charge'],
      isEssential: false,
      run: async () => checkList(probe, order.txid, (await create()).createdAt),
    },
    {
      id: 'charge-removed',
      title: 'A cobrança pode ser cancelada',
      asked: 'Cancelar a cobrança da verificação.',
      needs: ['charge'],
      isEssential: false,
      run: async () => {
        const { status } = await psp.removeCharge(order.txid, 'immediate');
        return status === 'removed'
          ? passed('O banco cancelou a cobrança.', 'Uma cobrança cancelada aqui não pode mais ser paga.')
          : {
              state: 'warned',
              answered: 'O banco não cancelou a cobrança.',
              meaning: 'Uma cobrança cancelada aqui ainda pode ser paga até vencer.',
            };
      },
    },
  ];
}

async function checkKey(
  create: () => Promise<BankCharge>,
  pixKey: string,
  panel: string,
): Promise<StepResult> {
  const wrongKey = {
    state: 'failed',
    meaning: `A chave não é desta conta, ou não está ligada a esta aplicação. Confira a chave ${panel}.`,
  } as const;
  try {
    const charge = await create();
    if (charge.pixKey === pixKey)
      return passed('O banco aceitou a chave.', 'O que for pago cai nesta conta.');
    return { ...wrongKey, answered: 'O banco criou a cobrança em outra chave.' };
  } catch (error) {
    const isAboutKey =
      error instanceof RefusedResponse &&
      (error.violatedFields.some((field) => /(^|\.)chave$/.test(field)) || /chave/i.test(error.reason ?? ''));
    if (isAboutKey) return { ...wrongKey, answered: `O banco recusou a chave${quote(error.reason ?? '')}.` };
    return {
      state: 'not-run',
      answered: '',
      meaning: 'A cobrança não foi criada por outra razão, que o passo seguinte diz.',
    };
  }
}

function checkRules(
  charge: BankCharge,
  order: ChargeOrder,
  { askedAt, answeredAt }: { askedAt: Date; answeredAt: Date },
): StepResult {
  const broken = [
    ...(charge.txid === order.txid ? [] : ['outro txid']),
    ...(charge.amountCents === order.amountCents ? [] : ['outro valor']),
    ...(charge.status === 'active' ? [] : ['não está ativa']),
  ];
  if (broken.length > 0)
    return {
      state: 'failed',
      answered: `A cobrança criada difere da pedida: ${broken.join(', ')}.`,
      meaning: 'O banco não cobra o que se pede. Conte isto ao banco.',
    };
  const created = charge.createdAt.getTime();
  const difference = Math.max(askedAt.getTime() - created, created - answeredAt.getTime());
  const odd = [
    ...(charge.expiresInSeconds === order.expiresInSeconds ? [] : ['a validade é outra']),
    ...(difference <= maxClockDifferenceMs ? [] : ['a hora difere em mais de 5 minutos']),
  ];
  if (odd.length > 0)
    return {
      state: 'warned',
      answered: `O txid e o valor são os pedidos, mas ${odd.join(' e ')}.`,
      meaning: 'Cobranças podem vencer antes ou depois do que se espera. Confira o relógio deste servidor.',
    };
  return passed(
    'O txid, o valor, o estado e a validade são os pedidos, e a hora é a de agora (RFC 3339).',
    'O banco segue as regras da API Pix.',
  );
}

async function checkList(probe: ChargeTrial['probe'], txid: string, createdAt: Date): Promise<StepResult> {
  const from = new Date(createdAt.getTime() - 60_000);
  const to = new Date(createdAt.getTime() + 60_000);
  let pages = 0;
  for await (const txids of probe.listChargeIds(from, to)) {
    if (txids.includes(txid)) return passed('A cobrança está na lista.', 'O banco lista cobranças por data.');
    pages += 1;
    if (pages === maxListPages) break;
  }
  return {
    state: 'warned',
    answered: 'A cobrança não está na lista.',
    meaning: 'Este gateway consulta cada cobrança por si, e funciona sem a lista.',
  };
}
