import { eventTypes, eventTypeTexts } from '../event.ts';
import { WEBHOOK_LIMITS } from '../webhook-endpoint.ts';
import { exampleIds, paidEvent } from './example-calls.ts';
import { json, list, note, type Section, steps, table, text } from './page.ts';
import { receiverSamples } from './webhook-samples.ts';

/** The guide to webhooks. It is a chapter of the documentation page, and is also printed as docs/webhooks.md. */
export const webhooksGuide: readonly Section[] = [
  {
    id: 'como-chegam',
    title: 'Como chegam',
    blocks: [
      text(
        'Quando o estado de uma cobrança, de um estorno, de um saque ou de uma disputa muda, a Jangada envia um `POST` com JSON ao seu sistema. Você não precisa perguntar o estado a todo instante; a consulta de cobranças, estornos e [saques](#apiGetWithdrawal) continua valendo e diz o mesmo. Disputas se acompanham por webhooks, pelo [feed de eventos](#listEvents) e no painel.',
      ),
      list(
        '**Endereço da cobrança ou do saque**: `callback_url` em `POST /api/pix/new`, `callbackUrl` em `POST /api/withdraw` (as duas chamadas aceitam as duas grafias). Recebe os eventos daquela cobrança ou daquele saque, assinados com o segredo da conta.',
        `**Endereços cadastrados**: até ${WEBHOOK_LIMITS.endpoints} por conta, em [\`POST /api/webhooks/endpoints\`](#createWebhookEndpoint). Recebem os eventos de tudo o que acontece na conta, também no painel, de todos os tipos ou só dos que você escolher. Cada um tem o seu segredo.`,
      ),
      text(
        'Os dois podem ser usados juntos. `refund.failed` e os eventos de disputas só vão a endereços cadastrados. O mesmo evento está em [`GET /api/events`](#listEvents) por 30 dias: um webhook perdido não é dinheiro perdido.',
      ),
    ],
  },
  {
    id: 'tipos-de-evento',
    title: 'Tipos de evento',
    blocks: [
      table(
        'Tipos de evento',
        ['`type`', 'quando'],
        eventTypes.map((type) => [`\`${type}\``, eventTypeTexts[type]]),
      ),
      text(
        '[Enviar teste](#testWebhookEndpoint) manda um `webhook.test` ao endereço testado, com `type`, `id`, `endpointId`, `message` e `created_at`. Nada se moveu: ele não está em `GET /api/events`.',
      ),
      text('Campos e tipos novos podem aparecer: ignore os que não conhece.'),
    ],
  },
  {
    id: 'corpo-pagamento',
    title: 'Corpo de um pagamento',
    blocks: [
      text(
        '`id` e `paymentId` são o mesmo: o `id` que `POST /api/pix/new` devolveu. `amount` é o valor cobrado, em reais. `external_id` e `metadata` vêm quando você os deu. Datas são ISO 8601 em UTC.',
      ),
      note(
        'Uma cobrança que expirou ainda pode ser paga por um Pix que estava a caminho. O dinheiro não se perde: ela passa a `paid`, e você recebe um `payment.paid` depois do `payment.expired`. Prepare o seu sistema para isso.',
      ),
      text(
        'De cada estorno concluído chega um `payment.refunded`, com o `webhook-id` próprio. `refunded_amount` é a soma do que já foi devolvido, em reais; `refund` é este estorno, com o nome que você lhe deu em `refund_id` (ou `null`). Enquanto falta uma parte, `status` continua `paid`; quando tudo foi devolvido, é `refunded`. Um estorno que o banco recusou vem como `refund.failed`, e `refund.error` diz por quê.',
      ),
    ],
    samples: [
      json('payment.paid', paidEvent),
      json('payment.refunded', {
        ...paidEvent,
        type: 'payment.refunded',
        refunded_amount: 10.5,
        refund: { id: '9e4d2b71-5f3a-4c0d-b8a6-3c7e1f2d9b50', refund_id: 'devolucao-7', amount: 10.5 },
        updated_at: '2026-11-22T15:30:41.102Z',
      }),
      json('refund.failed', {
        type: 'refund.failed',
        id: exampleIds.payment,
        paymentId: exampleIds.payment,
        refund: {
          id: '9e4d2b71-5f3a-4c0d-b8a6-3c7e1f2d9b50',
          refund_id: 'devolucao-7',
          status: 'failed',
          amount: 10.5,
          error: 'O banco recusou o estorno.',
        },
        created_at: '2026-11-22T15:30:41.102Z',
        updated_at: '2026-11-22T15:30:44.870Z',
      }),
    ],
  },
  {
    id: 'corpo-saque',
    title: 'Corpo de um saque',
    blocks: [
      text(
        '`id` e `withdrawalId` são o `withdrawal_id` que `POST /api/withdraw` devolveu. **Valores de saque são inteiros, em centavos**: `amount` é o que saiu do saldo, `fee` a tarifa, e a chave recebe a diferença.',
      ),
      text(
        'Um Pix enviado ainda pode voltar, quando a conta de destino o devolve. Então chega outro aviso, com `returned_amount`, a soma em centavos do que voltou ao saldo. Quando tudo voltou, é um `withdrawal.error` com `status` `ERROR`, depois do `withdrawal.paid`; enquanto só uma parte voltou, é outro `withdrawal.paid`. A tarifa não volta. `error` diz por que um saque falhou ou voltou, em uma frase.',
      ),
    ],
    samples: [
      json('withdrawal.paid', {
        type: 'withdrawal.paid',
        id: '7c0e7d2e-8a1b-4a55-9a6e-0f4a6c1f2b3d',
        withdrawalId: '7c0e7d2e-8a1b-4a55-9a6e-0f4a6c1f2b3d',
        status: 'PAID',
        amount: 10_000,
        fee: 80,
        created_at: '2026-11-22T14:00:00.000Z',
        updated_at: '2026-11-22T14:00:02.310Z',
      }),
    ],
  },
  {
    id: 'corpo-disputa',
    title: 'Corpo de uma disputa',
    blocks: [
      text(
        'Uma disputa (MED) é uma contestação feita por quem pagou, no banco dele. `blocked_amount` é o que fica bloqueado do saldo enquanto ela está aberta, `returned_amount` o que o banco já devolveu a quem pagou. A defesa é enviada no painel, até `deadline`. Valores em reais; `status` é `open`, `lost`, `won` ou `cancelled`.',
      ),
    ],
    samples: [
      json('dispute.opened', {
        type: 'dispute.opened',
        id: 'c2f8a0d4-61b3-4e97-a5d8-0b9e7c3f1a26',
        disputeId: 'c2f8a0d4-61b3-4e97-a5d8-0b9e7c3f1a26',
        paymentId: exampleIds.payment,
        end_to_end_id: 'E60701190202611221403a1b2c3d4e5f',
        status: 'open',
        amount: 25.9,
        blocked_amount: 25.9,
        returned_amount: 0,
        deadline: '2026-12-02T14:00:00.000Z',
        created_at: '2026-11-25T09:12:00.000Z',
        updated_at: '2026-11-25T09:12:00.000Z',
      }),
    ],
  },
  {
    id: 'corpo-conta',
    title: 'Corpo de uma conta bancária',
    blocks: [
      text(
        'Quem recebe em conta própria é avisado quando o banco dela deixa de responder ou recusa as credenciais por cinco minutos de tentativas, e quando volta. `since` diz desde quando, e `reason` o que falhou. As cobranças abertas nessa conta continuam valendo: o que for pago aparece quando o banco voltar.',
      ),
    ],
    samples: [
      json('connection.broken', {
        type: 'connection.broken',
        id: '7',
        connectionId: '7',
        bank: 'efi',
        bank_name: 'Efí',
        pix_key: 'loja@example.com',
        since: '2026-11-25T09:12:00.000Z',
        reason: 'O banco recusou as credenciais (401).',
        created_at: '2026-11-20T14:00:00.000Z',
        updated_at: '2026-11-25T09:17:10.000Z',
      }),
    ],
  },
  {
    id: 'corpo-fatura',
    title: 'Corpo de uma fatura de tarifas',
    blocks: [
      text(
        'Quem recebe em conta própria paga as tarifas por mês. `fee_statement.closed` avisa que o mês fechou, `fee_statement.paid` que a fatura foi paga. `due_on` é o último dia para pagar sem atraso, `fees` quantos pagamentos e saques ela cobra. Valores em reais; `status` é `open` ou `paid`.',
      ),
    ],
    samples: [
      json('fee_statement.closed', {
        type: 'fee_statement.closed',
        id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d3',
        statementId: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d3',
        number: '202611-42',
        month: '2026-11',
        status: 'open',
        amount: 187.4,
        fees: 212,
        due_on: '2026-12-10',
        end_to_end_id: null,
        created_at: '2026-12-01T03:11:00.000Z',
        updated_at: '2026-12-01T03:11:00.000Z',
      }),
    ],
  },
  {
    id: 'responder',
    title: 'Como responder',
    blocks: [
      text(
        'Responda com um status de 200 a 299 em até 10 segundos; aos 15 a conexão é encerrada. O corpo da resposta não importa. Guarde o evento e responda logo; o trabalho demorado vem depois.',
      ),
      list(
        'O **mesmo evento pode chegar mais de uma vez**. O cabeçalho `webhook-id` identifica o evento e é igual em todas as tentativas e em todos os reenvios: guarde os que já tratou.',
        'A **ordem não é garantida**. Na dúvida, pergunte o estado em `GET /api/pix/status/{id}` ou `GET /api/withdraw/{id}`.',
        'Redirecionamentos não são seguidos.',
      ),
    ],
  },
  {
    id: 'assinatura',
    title: 'Conferir a assinatura',
    blocks: [
      text(
        'Qualquer um pode enviar um `POST` ao seu endereço. Confira a assinatura antes de acreditar. Ela segue o padrão [Standard Webhooks](https://www.standardwebhooks.com), que tem bibliotecas prontas para muitas linguagens.',
      ),
      table(
        'Cabeçalhos de um webhook',
        ['cabeçalho', 'conteúdo'],
        [
          ['`webhook-id`', 'o evento, igual em todas as tentativas'],
          ['`webhook-timestamp`', 'quando esta tentativa foi feita, em segundos desde 1970'],
          ['`webhook-signature`', 'uma ou mais assinaturas `v1,…`, separadas por espaço; basta uma conferir'],
        ],
      ),
      text('Confira sempre sobre o **corpo como chegou**, byte a byte, antes de interpretar o JSON:'),
      steps(
        'tire o `whsec_` do segredo e decodifique o resto de base64: essa é a chave;',
        'junte `webhook-id`, `.`, `webhook-timestamp`, `.` e o corpo;',
        'calcule o HMAC-SHA256 disso com a chave, em base64;',
        'compare, em tempo constante, com cada assinatura depois de `v1,`;',
        'recuse se `webhook-timestamp` estiver a mais de 5 minutos do seu relógio. Ele traz sempre a hora real do envio, também no modo sandbox.',
      ),
      text(
        'Não confere e você não sabe por quê? Cole os cabeçalhos e o corpo no [doutor de webhooks](#webhookDoctor): ele diz o que está errado.',
      ),
    ],
    samples: [{ kind: 'samples', label: 'Receber e conferir webhooks', samples: receiverSamples }],
  },
  {
    id: 'segredo',
    title: 'O segredo',
    blocks: [
      text(
        'O segredo começa com `whsec_`. O da conta está no painel, na página *Chaves de API*. O de um endereço cadastrado vem na resposta que o cria, uma vez. Ver um segredo de novo, no painel, pede a senha.',
      ),
      text(
        'Os dois podem ser trocados. Durante 24 horas cada entrega leva duas assinaturas, a do novo e a do antigo: troque no seu sistema nesse tempo, sem perder nada.',
      ),
    ],
  },
  {
    id: 'tentativas',
    title: 'Novas tentativas',
    blocks: [
      text(
        'Sem resposta 2xx a Jangada tenta de novo: depois de 5 e de 30 segundos, de 2, 10 e 30 minutos, de 1, 2, 4, 8 e 12 horas. São 11 tentativas em pouco mais de um dia. O cabeçalho `Retry-After` da sua resposta pode alongar a espera em até 12 horas, nunca encurtá-la; 3 dias depois do evento nada mais é tentado.',
      ),
      list(
        'Um status **410** encerra as tentativas daquele evento e **desliga o endereço cadastrado**. Você é avisado, e pode ligá-lo de novo.',
        `Um endereço que só falha há ${WEBHOOK_LIMITS.warnAfterMinutes} minutos é avisado por e-mail e no painel, uma vez por dia; depois de ${WEBHOOK_LIMITS.offAfterDays} dias só de falhas, é desligado.`,
        `Enquanto um endereço está desligado nada lhe é enviado; só o que já estava a caminho quando você o desligou, removeu ou mudou ainda pode chegar, por alguns segundos. O que aconteceu nos últimos ${WEBHOOK_LIMITS.heldDays} dias é enviado quando ele é ligado.`,
        'Qualquer entrega dos últimos 30 dias pode ser [reenviada](#resendWebhookDelivery), também a que deu certo; [muitas de uma vez](#resendWebhookDeliveries), até 20 chamadas por minuto.',
        'Há no máximo quatro entregas ao mesmo tempo para o mesmo endereço (esquema, nome e porta), e 32 por conta. Um endereço que três vezes seguidas não responde a tempo descansa um minuto, e mais a cada nova falha, até dez; os eventos esperam.',
      ),
    ],
  },
  {
    id: 'enderecos',
    title: 'Que endereços valem',
    blocks: [
      text(
        'Um endereço é `https`, na porta 443 ou 8443, com um nome que leve à internet pública. Endereços privados e locais são recusados com `INVALID_CALLBACK_URL`, e o destino é conferido de novo a cada envio. No modo sandbox também vale `http` para a própria máquina (`http://localhost:4000/pix`). O operador da Jangada pode liberar outras redes.',
      ),
    ],
  },
];
