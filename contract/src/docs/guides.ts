import { createPayment, getPaymentStatus } from '../charge-endpoints.ts';
import { CHARGE_EXPIRY, IDEMPOTENCY_KEY_MAX_LENGTH } from '../limits.ts';
import { scopes, scopeTexts } from '../scopes.ts';
import { exampleCall } from './example-calls.ts';
import { json, list, note, type SampleValues, type Section, steps, table, text } from './page.ts';
import { printSamples } from './print-samples.ts';
import { receiverSamples } from './webhook-samples.ts';

/*
 * The chapters of the documentation that are written by hand. They come before and after the chapters about the calls,
 * which `build-docs.ts` generates from the contract.
 */

/** The quick start, from an empty project to a webhook with a verified signature. */
export function quickStart(values: SampleValues): Section {
  const call = {
    ...exampleCall(createPayment),
    body: { amount: 25.9, callback_url: 'http://localhost:4000/pix' },
    idempotencyKey: 'comeco-rapido-1',
  };
  return {
    id: 'comeco-rapido',
    title: 'Começo rápido',
    blocks: [
      text(
        `A API recebe e devolve JSON, em UTF-8, em \`${values.address}/api\`. Do zero a um webhook conferido:`,
      ),
      steps(
        '[Crie uma conta](/register), tenha-a aprovada e, em *Chaves de API*, gere a sua chave. No modo sandbox há uma pronta: a de demonstração, que o gateway mostra ao iniciar.',
        'Na mesma página, copie o segredo dos webhooks e ponha-o na variável `WEBHOOK_SECRET`. Inicie na sua máquina o receptor do exemplo: ele ouve na porta 4000.',
        'Crie uma cobrança, com a chamada do exemplo.',
        'Pague-a. No modo sandbox, no [Banco Sandbox](#sandbox), com o código que veio em `content`.',
        'O receptor mostra `payment.paid`: a assinatura conferiu, e o valor está no seu saldo.',
      ),
      text(
        'Depois, leia [como conferir assinaturas](#assinatura), [como repetir sem cobrar duas vezes](#idempotencia) e [o que fazer em cada erro](#erros).',
      ),
    ],
    samples: [
      { kind: 'samples', label: 'Criar uma cobrança', samples: printSamples(call, values) },
      { kind: 'samples', label: 'Receber o webhook', samples: receiverSamples },
    ],
  };
}

export function authentication(values: SampleValues): Section {
  return {
    id: 'autenticacao',
    title: 'Autenticação',
    blocks: [
      text(
        'Envie a sua chave no cabeçalho `X-API-Key` de cada chamada. Você a obtém depois de criar a conta e de ela ser aprovada, na seção *Chaves API* do painel.',
      ),
      note(
        'Guarde a chave só no servidor, nunca em um site ou aplicativo. Se ela vazar, gere outra: a antiga deixa de valer na hora.',
      ),
      text(
        'Além da chave da conta, que tem todos os escopos, cada sistema seu pode ter a própria: com nome, escopos, validade e a lista dos endereços IP de que pode chamar. Ela é mostrada uma vez. Ao trocá-la, a antiga vale junto pelo tempo que você escolher, até 7 dias.',
      ),
      table(
        'Escopos',
        ['escopo', 'nome no painel', 'o que permite'],
        scopes.map((scope) => [`\`${scope}\``, scopeTexts[scope].label, scopeTexts[scope].sentence]),
      ),
      text(
        'Sem chave ou com uma que não vale, a resposta é 401. Sem o escopo, ou de um endereço que não está na lista, é 403, e `error.details` diz o que falta.',
      ),
    ],
    samples: [
      {
        kind: 'samples',
        label: 'Uma chamada com a chave',
        samples: printSamples(exampleCall(getPaymentStatus), values),
      },
    ],
  };
}

export const conventions: Section = {
  id: 'convencoes',
  title: 'Convenções',
  blocks: [],
  sections: [
    {
      id: 'valores-e-datas',
      title: 'Valores e datas',
      blocks: [
        list(
          '**Pagamentos, estornos e saldo em reais**: números JSON com até duas casas, `25.9` são R$ 25,90.',
          '**Saques em centavos**: inteiros, `10000` são R$ 100,00.',
          'Datas são ISO 8601 em UTC: `2026-11-22T14:03:12.480Z`. Dias em filtros são do horário de Brasília: `2026-11-22`.',
          'Campos novos podem aparecer nas respostas: ignore os que não conhece.',
          'Um campo que a API não conhece é ignorado quando algo é criado, sem aviso: confira os nomes. Quando algo é alterado (PUT), ele é recusado pelo nome, com FIELD_NOT_EDITABLE.',
        ),
      ],
    },
    {
      id: 'idempotencia',
      title: 'Idempotência',
      blocks: [
        text(
          `Em chamadas que movem dinheiro, envie \`Idempotency-Key\`: de 1 a ${IDEMPOTENCY_KEY_MAX_LENGTH} caracteres, um valor para cada intenção, como o número do pedido. Repetir a chamada com a mesma chave e o mesmo corpo devolve a mesma resposta por 24 horas, com o cabeçalho \`Idempotency-Replayed: true\`, e nada é feito duas vezes. A mesma chave com outro corpo é recusada com 409 \`IDEMPOTENCY_CONFLICT\`.`,
        ),
        text(
          'Uma recusa também é guardada: com a mesma chave ela se repete, mesmo que o saldo já baste. Para pedir de novo, use uma chave nova. Não são guardados 401, 403, 429, os 5xx e o que foi recusado por um campo errado (`INVALID_BODY`): repita com a mesma.',
        ),
        text(
          'Um estorno tem ainda o seu próprio nome, em `id`: com ele nunca é feito duas vezes, também depois das 24 horas.',
        ),
      ],
    },
    {
      id: 'repetir',
      title: 'Repetir chamadas',
      blocks: [
        text(
          'Sem resposta, ou com 429, 500, 503 ou 409 `IDEMPOTENCY_IN_PROGRESS`, repita com a **mesma** `Idempotency-Key`: depois de 1, 2, 4 e 8 segundos, ou dos segundos em `Retry-After` quando ele vem. Outras respostas 4xx não mudam por serem repetidas: faça o que o [código](#codigos-de-erro) diz.',
        ),
      ],
    },
    {
      id: 'limites',
      title: 'Limites',
      blocks: [
        text(
          'Cada conta tem um número de chamadas por minuto, que o operador escolhe (6.000 se não escolher). As respostas dizem onde você está, menos as que recusam a chave (401, e 403 por endereço IP) e as de endereços que não existem:',
        ),
        table(
          'Cabeçalhos de limite',
          ['cabeçalho', 'conteúdo'],
          [
            ['`RateLimit-Limit`', 'chamadas por minuto'],
            ['`RateLimit-Remaining`', 'quantas restam neste minuto'],
            ['`RateLimit-Reset`', 'segundos até o próximo minuto'],
            ['`Retry-After`', 'com 429 e 503: segundos a esperar'],
          ],
        ),
        list(
          'Cobrança: de R$ 1,50 ao máximo do operador.',
          `Validade de uma cobrança: de ${CHARGE_EXPIRY.min} a ${CHARGE_EXPIRY.max} segundos; ${CHARGE_EXPIRY.default} se você não disser.`,
          'Saque: a partir de R$ 5,00. Um de cada vez pela API.',
          'Estorno: até 90 dias depois do pagamento.',
          'Corpo de uma chamada: até 64 KiB.',
        ),
      ],
    },
    {
      id: 'requestid',
      title: 'requestId',
      blocks: [
        text(
          'Toda resposta traz o cabeçalho `X-Request-Id`, e todo erro o repete em `requestId`. Registre-o: com ele o suporte acha a sua chamada. Numa recusa repetida (`Idempotency-Replayed`), o `requestId` é o da primeira, que a decidiu.',
        ),
      ],
    },
    {
      id: 'paginas',
      title: 'Listas',
      blocks: [
        text(
          'Listas vêm em páginas, da mais nova para a mais antiga. Para continuar, repita a chamada com o `next` da resposta em `before`. `next` nulo: não há mais.',
        ),
        text(
          'O [feed de eventos](#listEvents) vai ao contrário: guarde o `next` e envie-o em `after`. Ele não acaba: enquanto `has_more` for `true` leia logo a página seguinte; depois, volte com o mesmo `next` quando quiser.',
        ),
      ],
    },
  ],
};

/** The sections that follow the calls and the errors: good practices, the sandbox, the SDK, production, notes. */
export const closingSections = ({ bankAddress }: SampleValues): readonly Section[] => [
  {
    id: 'vencimento',
    title: 'Cobrar com vencimento',
    blocks: [
      text(
        'Com `due_date` e `payer`, a cobrança vence num dia e vale até `valid_after_due` dias depois (30 se você não disser). Multa, juros, abatimento e descontos mudam o que se paga, e quem calcula é o banco, no dia do pagamento, com os feriados da cidade de quem paga.',
      ),
      list(
        'Antes de paga, `amount` é o valor original, e `due.amount_today` é quanto seria hoje, pela nossa conta. Depois de paga, `amount` é o que foi pago, e `due.parts` diz como se compõe.',
        'A tarifa é contada sobre o que foi pago. Um estorno vai até o que foi pago.',
        'Juros em porcentagem são por mês se você não disser `per`, em dias corridos se não disser `days`.',
        'Se o banco informa um valor que não se explica pelo combinado, a cobrança continua aberta, e o operador confere o Pix.',
        'Só com `payer`, sem `due_date`, a cobrança vale segundos, como as outras, e diz de quem você cobra.',
      ),
    ],
    samples: [
      json('Corpo de uma cobrança com vencimento', {
        amount: 350,
        payer: { name: 'Francisco da Silva', document: '529.982.247-25' },
        due_date: '2026-12-10',
        valid_after_due: 30,
        fine: { type: 'percent', value: 2 },
        interest: { type: 'percent', value: 1, per: 'month', days: 'calendar' },
        discounts: [{ type: 'amount', value: 20, until: '2026-12-05' }],
      }),
    ],
  },
  {
    id: 'boas-praticas',
    title: 'Boas práticas',
    blocks: [
      list(
        'Guarde o `id` que a criação devolve, ou envie o seu número de pedido em `external_id`, antes de mostrar o código a quem paga.',
        'Entregue o produto quando o estado for `paid`: pelo webhook, com a assinatura conferida, ou pela consulta. Nunca pelo comprovante que o comprador envia.',
        'Trate o mesmo webhook duas vezes sem efeito: pelo `webhook-id`.',
        'Uma vez por hora, leia [`GET /api/events`](#listEvents) desde o último evento que tratou: o que se perdeu no caminho aparece ali.',
        'Envie `Idempotency-Key` em tudo o que move dinheiro, e repita com a mesma.',
        'Dê a cada sistema a sua chave, só com os escopos de que precisa.',
        'Não consulte o estado em laço: com o webhook, uma consulta a cada 5 segundos enquanto a tela está aberta basta.',
        'Mostre o copia e cola antes do QR Code no celular: quem paga está no mesmo aparelho.',
      ),
    ],
  },
  {
    id: 'sandbox',
    title: 'Modo sandbox',
    blocks: [
      text(
        'Um gateway em modo sandbox fala com o Banco Sandbox em vez de um banco: nenhum dinheiro é real, e a API é a mesma. O painel mostra a marca *Sandbox* e leva ao banco, onde você paga uma cobrança com o seu código, devolve, contesta, atrasa ou faz falhar.',
      ),
      text(
        'O endereço dele está em `bankUrl`, na resposta de `GET /api/settings`, e é mostrado quando o gateway inicia. Também se paga por chamada, com o `content` da cobrança: o webhook vem em seguida.',
      ),
    ],
    samples: [
      {
        kind: 'code',
        label: 'Pagar no Banco Sandbox',
        language: 'text',
        code: `curl -X POST '${bankAddress}/sandbox/payments' \\
  -H 'content-type: application/json' \\
  -d '{ "brCode": "CONTENT_DA_COBRANCA" }'`,
      },
    ],
  },
  {
    id: 'sdk',
    title: 'SDK e linha de comando',
    blocks: [
      text(
        'Em TypeScript e JavaScript, o `@jangada/sdk` faz tudo o que está aqui: repete com a mesma `Idempotency-Key`, confere webhooks, lê listas e eventos até o fim. Está na pasta `sdk` do código da Jangada, sem dependências, e `examples` traz uma loja pronta.',
      ),
      text(
        'Com ele vem o comando `jangada`: os webhooks chegam à sua máquina, assinados, sem um endereço público; e no sandbox um pagamento, um estorno ou uma contestação acontecem quando você pede.',
      ),
    ],
    samples: [
      {
        kind: 'code',
        label: 'Na sua máquina',
        language: 'text',
        code: `npx jangada login
npx jangada listen --forward-to localhost:4000/webhooks
npx jangada trigger payment.paid`,
      },
    ],
  },
  {
    id: 'producao',
    title: 'Entrar em produção',
    blocks: [
      steps(
        'A conta está aprovada, e a chave de produção é outra que a do sandbox.',
        'Os endereços de webhook são https públicos, e as assinaturas são conferidas sobre o corpo como chegou.',
        'O mesmo webhook duas vezes não entrega duas vezes.',
        'Um `payment.paid` depois de um `payment.expired` é tratado.',
        'Erros são registrados com `code` e `requestId`.',
        'Chamadas que movem dinheiro levam `Idempotency-Key`, e são repetidas depois de um erro de rede.',
        'Alguém recebe os e-mails da conta: é por ali que um webhook que falha é avisado.',
        'Faça uma cobrança de R$ 1,50, pague-a e estorne-a.',
      ),
    ],
  },
  {
    id: 'observacoes',
    title: 'Observações',
    blocks: [
      list(
        'Quem paga vê no banco o nome do dono da conta que recebe: a do operador do gateway, ou a sua, se você conectou uma conta própria.',
        'A tarifa é descontada do que você recebe, ou cobrada depois se você recebe em conta própria: `credited_amount` é o que entra no saldo.',
        'Uma parte do valor pode ficar em reserva por alguns dias, se assim foi combinado. O painel mostra quando é liberada.',
        'Um pagamento contestado é bloqueado do saldo até o banco decidir.',
        'Saques pela API vão só a destinos salvos no painel, com senha e PIN.',
        'Um código da API não muda de significado. Nomes antigos de campos continuam aceitos.',
      ),
    ],
  },
  {
    id: 'maquinas',
    title: 'Para máquinas',
    blocks: [
      list(
        '[OpenAPI 3.1](/api/openapi.json): gera clientes e importa em Postman ou Insomnia.',
        '[llms.txt](/llms.txt): esta documentação em Markdown, para assistentes.',
      ),
    ],
  },
];

/** An example of the format that all refusals have. */
export const errorExample = json('Um erro', {
  success: false,
  message: 'O valor mínimo para depósito é R$ 1,50.',
  error: { code: 'AMOUNT_TOO_SMALL', message: 'O valor mínimo para depósito é R$ 1,50.' },
  requestId: '1d0c3f86-7a52-4e6b-9f14-8b2a5c7d3e90',
});
