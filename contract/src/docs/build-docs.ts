import { endpoints } from '../all-endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { refusalCodes } from '../refusal-codes.ts';
import { scopeTexts } from '../scopes.ts';
import { errorTexts } from './error-texts.ts';
import { exampleAnswers, exampleCall } from './example-calls.ts';
import { authentication, closingSections, conventions, errorExample, quickStart } from './guides.ts';
import { listFields } from './list-fields.ts';
import { type Block, json, list, type SampleValues, type Section, table, text } from './page.ts';
import { printSamples } from './print-samples.ts';
import { webhooksGuide } from './webhooks-guide.ts';

/** The endpoints that an integrator can call with an API key, in the order of the contract. */
export const documentedEndpoints: readonly Endpoint[] = (endpoints as readonly Endpoint[]).filter(
  ({ access }) => access === 'apiKey' || access === 'merchant',
);

/** Returns the API documentation. Its samples contain the values of the reader's gateway and account. */
export function buildDocs(values: SampleValues): Section[] {
  return [
    quickStart(values),
    authentication(values),
    conventions,
    {
      id: 'pagamentos',
      title: 'Pagamentos',
      blocks: [text('Uma cobrança é um código Pix com valor e validade. Quem a paga credita o seu saldo.')],
      sections: [paymentPage, ...endpointsOf('Pagamentos', values), paymentStates],
    },
    {
      id: 'links-de-pagamento',
      title: 'Links de pagamento',
      blocks: [
        text(
          'Um link é uma página que vende a muitos: cada pessoa que a abre e aperta *Pagar* recebe a sua própria cobrança, de 30 minutos. Com `max_payments` nunca saem mais códigos do que lugares: um código que vence sem ser pago devolve o seu. O `payment.paid` de cada um chega como o de qualquer cobrança; a consulta diz em `payment_link_id` de que link veio, e `GET /api/pix?payment_link_id=` lista os de um link.',
        ),
      ],
      sections: endpointsOf('Links de pagamento', values),
    },
    {
      id: 'qr-codes-de-balcao',
      title: 'QR Codes de balcão',
      blocks: [
        text(
          'Um código impresso que não vence, para o caixa ou a vitrine. Cada Pix que chega por ele vira uma cobrança paga, com o `payment.paid` de sempre; a consulta diz em `counter_code_id` por qual veio, e `GET /api/pix?counter_code_id=` lista os de um. O que for pago com outro valor que o do código é creditado como veio.',
        ),
      ],
      sections: endpointsOf('QR Codes de balcão', values),
    },
    {
      id: 'clientes',
      title: 'Clientes',
      blocks: [
        text(
          'A quem você cobra. Com `customer_id` em `POST /api/pix/new`, a cobrança sai em nome do cliente e aparece na página dele (`page_url`), com tudo o que está em aberto e o que foi pago em 12 meses. O painel liga os lembretes por e-mail antes e depois do vencimento. `GET /api/pix?customer_id=` lista as cobranças de um cliente. O nome e o documento de uma cobrança ficam como eram quando ela foi feita.',
        ),
      ],
      sections: endpointsOf('Clientes', values),
    },
    {
      id: 'assinaturas',
      title: 'Assinaturas',
      blocks: [
        text(
          'Cobranças que se repetem, por Pix Automático: o pagador autoriza uma vez, no banco dele, e o banco debita cada período. Mostre ao pagador o `code` ou a página `page_url`. Cada período é um ciclo, enviado ao banco seis dias antes do vencimento; um débito que falha é tentado de novo nos dias de `retry_days`. Os eventos `mandate.*`, `cycle.*` e `subscription.*` contam o que acontece, e cada ciclo pago é também uma cobrança paga, com o `payment.paid` de sempre.',
        ),
        text(
          'O valor de uma assinatura autorizada não muda: cancele e crie outra, ou use valor variável (sem `amount`) e diga o de cada ciclo em `PUT /api/subscriptions/{id}/cycles/{number}` depois do evento `cycle.planned`. Um ciclo pode ser cancelado até as 22 h do dia antes do débito.',
        ),
      ],
      sections: endpointsOf('Assinaturas', values),
    },
    {
      id: 'lotes',
      title: 'Lotes',
      blocks: [
        text(
          'Até 10.000 cobranças numa chamada, cada uma com o corpo de [criar cobrança](#createPayment) e um `external_id` seu, que não se repete no lote. Se uma linha não é um pedido válido, o lote inteiro é recusado e nada é criado. O que só se sabe na hora (um vencimento que passou, um valor que não cobre a tarifa) recusa a linha, e as outras seguem.',
        ),
        list(
          'As cobranças são criadas uma a uma, depois da resposta, também nos bancos que aceitam lotes (`lotecobv`). Acompanhe pela [consulta](#getChargeBatch) ou espere o evento `batch.completed`.',
          'Uma linha vira uma só cobrança, mesmo que o gateway ou o banco caia no meio. Quando o banco não responde, a linha espera e é tentada de novo.',
          'Repita a chamada com a mesma `Idempotency-Key` se a resposta se perder: o lote é o mesmo.',
        ),
      ],
      sections: endpointsOf('Lotes', values),
    },
    {
      id: 'pix-retidos',
      title: 'Pix retidos',
      blocks: [
        text(
          'Uma cobrança pode ser paga por outra pessoa, fora do prazo ou duas vezes. A conta, ou a cobrança em `payer_rules`, diz o que acontece: `accept` credita, `hold` retém até você decidir, `give_back` devolve tudo a quem pagou. A regra da cobrança vence a da conta.',
        ),
        list(
          '**Sem regra**, outro pagador e o pagamento fora do prazo são creditados. Um segundo pagamento fica com a operação do gateway; na sua conta própria, fica nela e aparece em `GET /api/held-pix`.',
          '**Outra pessoa** é quem tem outro CPF ou CNPJ que o de `payer`. De um CPF mascarado pelo banco se compara o que aparece; sem documento, não é outra pessoa.',
          '**Fora do prazo** é depois de `expires_at`, ou de uma cobrança que já terminou.',
          '**Tarifa**: um Pix devolvido não paga tarifa. Quem pagou lê no extrato, por exemplo, "Devolvido: pago por outra pessoa".',
        ),
      ],
      sections: endpointsOf('Pix retidos', values),
    },
    {
      id: 'estornos',
      title: 'Estornos',
      blocks: [text('Um pagamento pode ser devolvido a quem pagou, inteiro ou em partes, por 90 dias.')],
      sections: [...endpointsOf('Estornos', values), refundStates],
    },
    {
      id: 'saques',
      title: 'Saques',
      blocks: [
        text(
          'O saldo pode ser sacado pela API para destinos que você salvou no painel, com senha e PIN, depois de ligar o *Saque pela API*. O mínimo é R$ 5,00.',
        ),
      ],
      sections: [...endpointsOf('Saques', values), withdrawalStates],
    },
    {
      id: 'saldo',
      title: 'Saldo',
      blocks: [
        text(
          'O que a conta tem agora, **em reais**. Um saque recebe o valor em centavos: `available` vezes 100, arredondado, é o máximo que ele pode pedir.',
        ),
      ],
      sections: endpointsOf('Saldo', values),
    },
    { id: 'webhooks', title: 'Webhooks', blocks: [], sections: webhooksGuide },
    {
      id: 'api-de-webhooks',
      title: 'Endereços e entregas',
      blocks: [
        text('O que o painel mostra em *Webhooks*, pela API: endereços, entregas, reenvio e o doutor.'),
      ],
      sections: endpointsOf('Webhooks', values),
    },
    {
      id: 'eventos',
      title: 'Eventos',
      blocks: [
        text(
          'Tudo o que aconteceu na conta, em ordem, por 30 dias. Leia desde o último evento que tratou e nada se perde, mesmo que o seu sistema tenha ficado fora do ar.',
        ),
      ],
      sections: endpointsOf('Eventos', values),
    },
    errorsSection(),
    ...closingSections(values),
  ];
}

function endpointsOf(tag: string, values: SampleValues): Section[] {
  return documentedEndpoints
    .filter((endpoint) => endpoint.tag === tag)
    .map((endpoint) => printEndpoint(endpoint, values));
}

function printEndpoint(endpoint: Endpoint, values: SampleValues): Section {
  const { name, method, path, summary, params, query, body, response, status = 200 } = endpoint;
  const call = exampleCall(endpoint);
  return {
    id: name,
    title: titles[name] ?? summary,
    blocks: [
      { kind: 'call', method, path: `/api${path}`, facts: callFacts(endpoint) },
      text(summary),
      ...(params ? fieldsBlock('Parâmetros do caminho', params, { endpoint: name, part: 'path' }) : []),
      ...(query ? fieldsBlock('Parâmetros da consulta', query, { endpoint: name, part: 'query' }) : []),
      ...(body ? fieldsBlock('Corpo', body, { endpoint: name, part: 'body' }) : []),
      ...aliasesOf(endpoint),
      ...fieldsBlock(`Campos da resposta ${status}`, response, { endpoint: name, part: 'response' }),
      refusalsOf(endpoint),
    ],
    samples: [
      { kind: 'samples', label: `${method} /api${path}`, samples: printSamples(call, values) },
      json(`Resposta ${status}`, exampleAnswers[name]),
    ],
  };
}

/** The titles of the endpoints in the table of contents. */
const titles: Readonly<Record<string, string>> = {
  createPayment: 'Criar cobrança',
  getPaymentStatus: 'Consultar cobrança',
  listPayments: 'Listar cobranças',
  cancelPayment: 'Cancelar cobrança',
  paymentTimeline: 'Linha do tempo',
  listPaymentLinks: 'Listar links',
  createPaymentLink: 'Criar link',
  getPaymentLink: 'Consultar link',
  updatePaymentLink: 'Alterar link',
  listCounterCodes: 'Listar QR Codes',
  createCounterCode: 'Criar QR Code',
  getCounterCode: 'Consultar QR Code',
  updateCounterCode: 'Alterar QR Code',
  listCustomers: 'Listar clientes',
  createCustomer: 'Cadastrar cliente',
  getCustomer: 'Consultar cliente',
  updateCustomer: 'Alterar cliente',
  renewCustomerPage: 'Trocar a página',
  createSubscription: 'Criar assinatura',
  listSubscriptions: 'Listar assinaturas',
  getSubscription: 'Consultar assinatura',
  cancelSubscription: 'Cancelar assinatura',
  listCycles: 'Listar ciclos',
  setCycleAmount: 'Dizer o valor de um ciclo',
  cancelCycle: 'Cancelar um ciclo',
  chargeCycle: 'Cobrar um ciclo de outro modo',
  getSubscriptionSummary: 'Resumo das assinaturas',
  createChargeBatch: 'Criar lote',
  listChargeBatches: 'Listar lotes',
  getChargeBatch: 'Consultar lote',
  listChargeBatchLines: 'Ler linhas',
  cancelChargeBatch: 'Cancelar lote',
  getPayerRules: 'Ler regras',
  setPayerRules: 'Trocar regras',
  listHeldPix: 'Listar Pix retidos',
  acceptHeldPix: 'Aceitar',
  giveBackHeldPix: 'Devolver',
  refundPayment: 'Estornar pagamento',
  listRefunds: 'Listar estornos',
  apiWithdraw: 'Sacar',
  apiListWithdrawals: 'Listar saques',
  apiGetWithdrawal: 'Consultar saque',
  getBalance: 'Consultar saldo',
  listEvents: 'Ler eventos',
  getEvent: 'Consultar evento',
  listWebhookEndpoints: 'Listar endereços',
  createWebhookEndpoint: 'Cadastrar endereço',
  getWebhookEndpoint: 'Consultar endereço',
  updateWebhookEndpoint: 'Alterar endereço',
  deleteWebhookEndpoint: 'Remover endereço',
  enableWebhookEndpoint: 'Ligar endereço',
  disableWebhookEndpoint: 'Desligar endereço',
  testWebhookEndpoint: 'Enviar teste',
  rotateWebhookEndpointSecret: 'Trocar segredo',
  listWebhookDeliveries: 'Listar entregas',
  getWebhookDelivery: 'Consultar entrega',
  resendWebhookDelivery: 'Reenviar entrega',
  resendWebhookDeliveries: 'Reenviar várias',
  webhookDoctor: 'Doutor de webhooks',
};

function callFacts({ scope, idempotent }: Endpoint): string[] {
  return [
    ...(scope === undefined ? [] : [`Escopo \`${scope}\` (${scopeTexts[scope].label})`]),
    ...(idempotent ? ['Aceita [`Idempotency-Key`](#idempotencia)'] : []),
  ];
}

function fieldsBlock(label: string, ...[schema, context]: Parameters<typeof listFields>): Block[] {
  const fields = listFields(schema, context);
  const folded = context.part === 'response';
  return fields.length === 0 ? [] : [{ kind: 'fields', label, fields, folded }];
}

function aliasesOf({ aliases = {} }: Endpoint): Block[] {
  const names = Object.entries(aliases).map(([alias, field]) => `\`${alias}\` vale por \`${field}\``);
  return names.length === 0 ? [] : [text(`Outros nomes aceitos: ${names.join(', ')}.`)];
}

/** Lists the refusals of one endpoint. Those that all calls have in common are listed once, in the table of errors. */
function refusalsOf(endpoint: Endpoint): Block {
  const ownRefusals = endpoint.refusals.map((code) => `[\`${code}\`](#${code}) ${errors[code].status}`);
  const commonRefusals = '[os de toda chamada](#erros)';
  return text(
    ownRefusals.length === 0
      ? `**Erros**: ${commonRefusals}.`
      : `**Erros**: ${ownRefusals.join(', ')}; e ${commonRefusals}.`,
  );
}

/** Refusals of requests with an unknown path or method, which reach no endpoint. */
const routingRefusals: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** Every refusal that an integrator can receive. */
export function documentedErrors(): ErrorCode[] {
  const possible = new Set([...documentedEndpoints.flatMap(refusalCodes), ...routingRefusals]);
  return (Object.keys(errors) as ErrorCode[]).filter((code) => possible.has(code));
}

function errorsSection(): Section {
  return {
    id: 'erros',
    title: 'Erros',
    blocks: [
      text(
        'Todo erro tem a mesma forma. `code` não muda: decida por ele. `message` é uma frase para mostrar, às vezes mais exata que a da tabela. `details`, quando vem, diz o que falta.',
      ),
    ],
    samples: [errorExample],
    sections: [
      {
        id: 'codigos-http',
        title: 'Códigos HTTP',
        blocks: [
          table(
            'Códigos HTTP',
            ['status', 'significado'],
            [
              ['200', 'sucesso'],
              ['201', 'criado'],
              ['400', 'requisição inválida: corrija-a antes de repetir'],
              ['401', 'não autorizado: a chave falta, é inválida ou venceu'],
              ['403', 'a chave é boa, mas não pode isto'],
              ['404', 'não encontrado: pagamento, saque, link, evento, endereço ou entrega'],
              ['405', 'o endereço existe, com outro método: está em `Allow`'],
              ['409', 'não cabe no estado atual; a frase diz por quê'],
              ['413, 415', 'corpo grande demais, ou que não é JSON'],
              ['429', 'chamadas demais: espere `Retry-After`'],
              ['500', 'erro interno: repita com a mesma `Idempotency-Key`'],
              ['501', 'o banco deste gateway não faz isto'],
              ['503', 'ocupado ou suspenso: espere `Retry-After`, se vier, e repita'],
            ],
          ),
        ],
      },
      {
        id: 'codigos-de-erro',
        title: 'Códigos de erro',
        blocks: [
          {
            ...table(
              'Códigos de erro',
              ['código', 'HTTP', 'frase', 'o que fazer'],
              documentedErrors().map((code) => [
                `\`${code}\``,
                String(errors[code].status),
                errors[code].message,
                errorTexts[code] ?? '',
              ]),
            ),
            rowIds: documentedErrors(),
          },
        ],
      },
    ],
  };
}

const paymentPage: Section = {
  id: 'pagina-de-pagamento',
  title: 'A página de pagamento',
  blocks: [
    text(
      'Toda cobrança tem uma página pronta, em `checkout_url`: código, QR Code, prazo e a confirmação na hora, sem login e sem nada a construir. Envie o endereço a quem paga, ou leve o comprador até ele.',
    ),
    list(
      '`description`, com até 140 caracteres, diz ali o que está sendo pago.',
      '`success_url` é o endereço https a que a página leva depois de paga. Quem chega a ele não provou nada: entregue pelo webhook ou pela consulta.',
      '`receipt_url` é o comprovante, para quem pagou. Vem depois do pagamento.',
    ),
  ],
};

const paymentStates: Section = {
  id: 'estados-pagamento',
  title: 'Estados de um pagamento',
  blocks: [
    table(
      'Estados de um pagamento',
      ['`status`', 'significado'],
      [
        ['`pending`', 'aguardando pagamento'],
        ['`paid`', 'confirmado: o valor está no saldo'],
        [
          '`expired`',
          'a validade passou, ou você cancelou. Um Pix que já estava a caminho ainda o leva a `paid`',
        ],
        ['`refunded`', 'devolvido por inteiro'],
        ['`error`', 'erro no processamento: o banco não criou a cobrança'],
      ],
    ),
  ],
};

const refundStates: Section = {
  id: 'estados-estorno',
  title: 'Estados de um estorno',
  blocks: [
    table(
      'Estados de um estorno',
      ['`status`', 'significado'],
      [
        ['`processing`', 'pedido ao banco; o valor já saiu do saldo'],
        ['`completed`', 'devolvido a quem pagou'],
        ['`failed`', 'o banco recusou, e o valor voltou ao saldo; `error` diz por quê'],
      ],
    ),
  ],
};

const withdrawalStates: Section = {
  id: 'estados-saque',
  title: 'Estados de um saque',
  blocks: [
    table(
      'Estados de um saque',
      ['`status`', 'significado'],
      [
        ['`PENDING`', 'em processamento'],
        ['`PAID`', 'concluído'],
        ['`ERROR`', 'não foi feito, ou voltou por inteiro: o valor está no saldo'],
      ],
    ),
  ],
};
