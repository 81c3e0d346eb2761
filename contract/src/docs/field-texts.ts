/**
 * The meaning of each field, as the documentation prints it. If several keys match a field, the first of them in this
 * order applies:
 * - `endpoint/name`: a path parameter of one call
 * - `endpoint<path`: a field of the body or query of one call
 * - `endpoint:path`: a field anywhere in one call
 * - `parent.field`: a field within a parent of this name, in any call
 * - `field`: a field of this name, in any call
 */
export const fieldTexts: Readonly<Record<string, string>> = {
  // Charges
  id: 'O id na Jangada.',
  amount: 'Valor cobrado, em reais: `25.9` são R$ 25,90.',
  expires_in: 'Validade em segundos: 900 são 15 minutos, 1800 são 30, 3600 são 1 hora, 86400 são 24 horas.',
  callback_url: 'Endereço https que recebe os webhooks desta cobrança.',
  external_id: 'Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar.',
  metadata:
    'Textos seus, por nome: até 20 nomes de até 40 caracteres, cada texto com até 500. Voltam nas consultas e nos webhooks.',
  'createPayment:description':
    'O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante.',
  'getPaymentStatus:description':
    'O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante.',
  'listPayments:data.description':
    'O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante.',
  'cancelPayment:description':
    'O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante.',
  success_url: 'Endereço https a que a página de pagamento leva depois de paga.',
  checkout_url: 'A página de pagamento desta cobrança: envie-a a quem paga. Não precisa de login.',
  receipt_url: 'O comprovante, para quem pagou. Nulo antes do pagamento.',
  payment_link_id: 'O link de pagamento por que veio. Nulo se não veio de um.',
  counter_code_id: 'O QR Code de balcão por que veio. Nulo se não veio de um.',
  image: 'O QR Code, um PNG como data URI. Nulo quando você pediu `image: false`.',
  'createPayment<image': 'Com `false`, a resposta vem sem a imagem do QR Code e é menor.',
  text: 'O Pix copia e cola. `text` e `content` são iguais.',
  content: 'O Pix copia e cola.',
  status: 'O estado. Veja a [tabela de estados](#estados-pagamento).',
  fee: 'Tarifa, em reais.',
  account_name: 'Vem quando é de uma conta própria: o nome que você deu a ela.',
  fee_billed:
    'Vem, com `true`, quando você recebe em conta própria: o valor cai inteiro nela, e a tarifa vai na fatura do mês.',
  credited_amount:
    'Em reais, o que entra no saldo: o valor já sem a tarifa. Numa conta própria entra o valor inteiro, e a tarifa é cobrada depois.',
  reserved_amount:
    'A parte do valor líquido que vai para a reserva quando o pagamento chega, e entra no saldo dias depois. Zero numa conta própria.',
  created_at: 'Quando foi criado.',
  updated_at: 'Quando mudou pela última vez.',
  paid_at: 'Quando foi pago. Nulo antes disso.',
  expires_at: 'Até quando o código pode ser pago.',
  refunded_amount: 'Soma do que já foi devolvido, em reais.',
  end_to_end_id: 'O id do Pix no Banco Central. Nulo antes do pagamento.',
  payer: 'Quem pagou. Nulo antes do pagamento, e quando o banco não informa.',
  'payer.name': 'Nome de quem pagou.',
  'payer.document': 'Documento de quem pagou; de um CPF, só os dígitos do meio.',
  cancelled_at: 'Quando você cancelou a cobrança. Nulo se não cancelou.',

  // Lists
  data: 'O que foi encontrado.',
  next: 'O valor a enviar na chamada seguinte para continuar. Nulo no fim.',
  'listPayments:next': 'O `before` da página seguinte, mais antiga. Nulo na última.',
  'listEvents:next':
    'O `after` da próxima chamada, também quando `has_more` é `false`. Guarde-o. Nulo enquanto não há eventos.',
  'listPaymentLinks:next':
    'O `before` da página seguinte, mais antiga. Nulo na última: com `status`, uma página curta ou vazia pode não ser a última.',
  'listWebhookDeliveries:next': 'O `before` da página seguinte, mais antiga. Nulo na última.',
  has_more: 'Se já há mais para ler.',
  'listEvents:has_more':
    'Se já há mais para ler. Com `type`, uma página curta ou vazia pode não ser a última: siga enquanto for `true`.',
  'listWebhookDeliveries:has_more':
    'Se há entregas mais antigas. Com `type` ou `endpoint`, uma página curta ou vazia pode não ser a última: siga enquanto for `true`.',
  limit: 'Quantos, no máximo, em uma página.',
  'listWebhookEndpoints:limit': 'Quantos endereços uma conta pode ter.',
  before: 'Continua depois deste ponto: o `next` da página anterior.',
  after: 'O último evento que você já leu. Sem ele, a leitura começa no mais antigo guardado.',
  from: 'Desde este dia, no horário de Brasília.',
  to: 'Até este dia, inclusive, no horário de Brasília.',
  metadata_name: 'Um nome de `metadata`; com `metadata_value`, acha as cobranças com esse texto.',
  metadata_value: 'O texto inteiro que está nesse nome de `metadata`.',
  'listPayments<payment_link_id': 'Só as cobranças que vieram deste link de pagamento.',
  'listPayments<counter_code_id': 'Só os pagamentos que vieram por este QR Code de balcão.',
  'listPayments:status':
    'Só as cobranças neste estado. Uma que acabou de vencer já aparece como `expired`, e ainda é achada por `pending` até o banco confirmar, em geral em um minuto.',

  // Payment links and counter codes
  title: 'O que está à venda, como título da página.',
  'listPaymentLinks:data.title': 'O que está à venda, como título da página.',
  max_payments: 'Quantos pagamentos o link aceita. Nulo: quantos vierem.',
  ends_at: 'Até quando o link aceita pagamentos. Nulo: sem fim.',
  active: '`false` quando você o desligou.',
  payments: 'Quantos pagamentos já foram feitos por ele.',
  received: 'A soma deles em reais, sem descontar tarifas nem estornos.',
  version: 'O número da versão: envie o que leu ao alterar.',
  name: 'Um nome para você reconhecer.',
  print_url: 'A página para imprimir.',
  'listPaymentLinks:data.description': 'O que quem paga lê abaixo do título.',
  'listPaymentLinks:data.amount': 'Valor em reais. Nulo: quem paga digita.',
  'listPaymentLinks:data.url': 'A página do link: envie-a a quem paga.',
  'listPaymentLinks:data.state':
    '`active` recebe; `off` foi desligado; `ended` passou do fim; `sold_out` chegou ao limite de pagamentos.',
  'createPaymentLink:description': 'O que quem paga lê abaixo do título.',
  'createPaymentLink:amount': 'Valor em reais. Nulo: quem paga digita.',
  'createPaymentLink:url': 'A página do link: envie-a a quem paga.',
  'createPaymentLink:state':
    '`active` recebe; `off` foi desligado; `ended` passou do fim; `sold_out` chegou ao limite de pagamentos.',
  'getPaymentLink:description': 'O que quem paga lê abaixo do título.',
  'getPaymentLink:amount': 'Valor em reais. Nulo: quem paga digita.',
  'getPaymentLink:url': 'A página do link: envie-a a quem paga.',
  'getPaymentLink:state':
    '`active` recebe; `off` foi desligado; `ended` passou do fim; `sold_out` chegou ao limite de pagamentos.',
  'updatePaymentLink:description': 'O que quem paga lê abaixo do título.',
  'updatePaymentLink:amount': 'Valor em reais. Nulo: quem paga digita.',
  'updatePaymentLink:url': 'A página do link: envie-a a quem paga.',
  'updatePaymentLink:state':
    '`active` recebe; `off` foi desligado; `ended` passou do fim; `sold_out` chegou ao limite de pagamentos.',
  'listCounterCodes:data.amount': 'Valor em reais que está no código. Nulo: quem paga digita.',
  'createCounterCode:amount': 'Valor em reais que está no código. Nulo: quem paga digita.',
  'getCounterCode:amount': 'Valor em reais que está no código. Nulo: quem paga digita.',
  'updateCounterCode:amount': 'Valor em reais que está no código. Nulo: quem paga digita.',
  'listCounterCodes:data.text': 'O Pix copia e cola a imprimir, que não vence.',
  'createCounterCode:text': 'O Pix copia e cola a imprimir, que não vence.',
  'getCounterCode:text': 'O Pix copia e cola a imprimir, que não vence.',
  'updateCounterCode:text': 'O Pix copia e cola a imprimir, que não vence.',
  'listPaymentLinks:status': '`active`: os que aceitam pagamentos; `ended`: os outros.',
  'listCounterCodes:status': '`active`: os ligados; `ended`: os desligados.',

  // Timeline
  'data.at': 'Quando aconteceu.',
  'data.kind': 'O que aconteceu.',
  'data.title': 'O mesmo, em uma frase.',
  'data.facts': 'Nomes e valores para procurar mais.',
  'facts.label': 'O nome.',
  'facts.value': 'O valor.',
  'data.ok': '`false` quando algo deu errado.',

  // Refunds
  'refundPayment/id': 'O id da cobrança a devolver.',
  'refundPayment<id':
    'O nome que você dá a este estorno. Repetir a chamada com o mesmo nome é o mesmo estorno, nunca outro. De 1 a 64 letras sem acento, dígitos, `-` ou `_`.',
  'refundPayment<amount': 'Valor a devolver, em reais. Sem ele, devolve tudo o que falta.',
  'refundPayment:amount': 'Valor devolvido, em reais.',
  'listRefunds/id': 'O id da cobrança.',
  reason: 'O motivo, para os seus registros.',
  refund_id: 'O nome que você deu ao estorno em `id`. Nulo se não deu.',
  payment_id: 'O id da cobrança.',
  'refundPayment:status': 'Veja a [tabela de estados](#estados-estorno).',
  'refunds.status': 'Veja a [tabela de estados](#estados-estorno).',
  'refunds.amount': 'Valor devolvido, em reais.',
  origin: 'Quem pediu: pelo painel, pela API, o operador, ou o banco por conta própria.',
  error: 'Por que falhou ou espera, em uma frase. Nulo quando está tudo certo.',
  awaits_approval:
    'Verdadeiro enquanto espera a aprovação de outra pessoa da conta, o que `error` então diz.',
  rtr_id: 'O id da devolução no banco. Nulo até ele informar.',
  completed_at: 'Quando terminou. Nulo antes disso.',
  refunds: 'Os estornos deste pagamento.',
  refunding_amount: 'O que está a caminho de volta agora, em reais.',
  refundable_amount: 'O que ainda pode ser devolvido, em reais.',
  refundable_until: 'Até quando o banco aceita um estorno deste pagamento.',
  blocked_because: 'Por que não pode ser estornado agora. Nulo quando pode.',

  // Withdrawals
  'apiWithdraw:amount': 'O que sai do saldo, **em centavos**: `10000` são R$ 100,00.',
  'apiWithdraw:fee': 'Tarifa, **em centavos**. A chave recebe `amount` menos `fee`.',
  'apiWithdraw:status': 'Veja a [tabela de estados](#estados-saque).',
  pixKey: 'A chave Pix de um destino salvo no painel.',
  keyType: 'O tipo da chave.',
  callbackUrl: 'Endereço https que recebe os webhooks deste saque.',
  message: 'O mesmo, em uma frase.',
  withdrawal_id: 'O id do saque.',
  'apiGetWithdrawal/id': 'O `withdrawal_id` do saque.',
  'apiGetWithdrawal:status': 'Veja a [tabela de estados](#estados-saque).',
  'apiGetWithdrawal:amount': 'O que saiu do saldo, **em centavos**.',
  'apiGetWithdrawal:fee': 'Tarifa, **em centavos**. A chave recebe `amount` menos `fee`.',
  'apiGetWithdrawal:end_to_end_id': 'O id do Pix no Banco Central. Nulo até o banco o informar.',
  'apiListWithdrawals<status': 'Só os saques neste estado.',
  'apiListWithdrawals:next': 'O `before` da página seguinte, mais antiga. Nulo na última.',
  'apiListWithdrawals:data.status': 'Veja a [tabela de estados](#estados-saque).',
  'apiListWithdrawals:data.amount': 'O que saiu do saldo, **em centavos**.',
  'apiListWithdrawals:data.fee': 'Tarifa, **em centavos**. A chave recebe `amount` menos `fee`.',
  'apiListWithdrawals:data.end_to_end_id': 'O id do Pix no Banco Central. Nulo até o banco o informar.',
  returned_amount: 'Soma do que voltou ao saldo depois de pago, **em centavos**.',
  pix_key: 'A chave Pix que recebe.',
  pix_key_type: 'O tipo da chave.',

  // The balance
  available:
    'O que pode ser sacado ou estornado agora, em reais: a soma de `at_operator` e `at_own_bank` se você recebe em conta própria, senão `at_operator`.',
  at_operator: 'O que pode ser sacado da conta do operador, em reais.',
  at_own_bank:
    'O que entrou nas suas contas próprias e não saiu por aqui, em reais. O gateway não vê o que mais acontece nelas, e por isso o valor pode ser negativo.',
  reserved: 'O que fica em reserva por alguns dias antes de ser liberado, em reais.',
  blocked: 'O que disputas abertas bloqueiam, em reais.',
  in_transit: 'Saques e estornos pedidos que o banco ainda não concluiu, em reais.',
  owed: 'O que falta a disputas, em reais: sai do próximo dinheiro que entrar.',

  // Events and webhooks
  type: 'O tipo do evento. Veja a [tabela](#tipos-de-evento).',
  'data.id': 'O id.',
  'listEvents:data.id': 'O id do evento: o `webhook-id` das entregas dele.',
  'listEvents:data.data': 'O corpo que os webhooks deste evento levam.',
  'getEvent:data': 'O corpo que os webhooks deste evento levam.',
  'getEvent:id': 'O id do evento: o `webhook-id` das entregas dele.',
  endpoints: 'Os endereços cadastrados.',
  url: 'O endereço https que recebe os eventos.',
  description: 'Para você reconhecer o endereço.',
  events: 'Os tipos que este endereço recebe. Vazio: todos, também os que vierem a existir.',
  state: '`on` recebe; `off` está desligado.',
  off_reason:
    'Por que está desligado: você (`merchant`), resposta 410 (`gone`) ou dias de falhas (`failing`).',
  off_at: 'Quando foi desligado.',
  failing_since: 'Desde quando só falha. Nulo enquanto está tudo certo.',
  failures: 'Quantas tentativas seguidas falharam.',
  last_delivered_at: 'A última entrega que deu certo, com um minuto de margem.',
  secret: 'O segredo que assina as entregas deste endereço. Guarde-o agora.',
  success: 'Sempre `true`.',
  endpoint: 'O id de um endereço; `callback` são os endereços dados em cobranças e saques.',
  subject: 'O id de uma cobrança, de um saque ou de uma disputa.',
  deliveries: 'As entregas.',
  event_id: 'O `webhook-id`: o mesmo em todas as entregas do evento.',
  'testWebhookEndpoint:subject_id': 'O id do endereço testado.',
  subject_id: 'O id da cobrança, do saque ou da disputa de que o evento fala.',
  endpoint_id: 'O endereço cadastrado. Nulo: foi à `callback_url` da cobrança ou do saque.',
  'listWebhookDeliveries:type': 'Só deste tipo de evento.',
  'listWebhookDeliveries:state': 'Só neste estado.',
  'listWebhookDeliveries:deliveries.state':
    '`waiting` será tentada; `held` espera o endereço ser ligado; `delivered` foi entregue; `failed` não é mais tentada.',
  'listWebhookDeliveries:deliveries.url': 'Para onde foi.',
  'getWebhookDelivery:state':
    '`waiting` será tentada; `held` espera o endereço ser ligado; `delivered` foi entregue; `failed` não é mais tentada.',
  'getWebhookDelivery:url': 'Para onde foi.',
  'testWebhookEndpoint:state': 'Começa em `waiting`; consulte a entrega para ver o resultado.',
  'testWebhookEndpoint:url': 'Para onde vai.',
  'resendWebhookDelivery:state': 'Começa em `waiting`; consulte a entrega para ver o resultado.',
  'resendWebhookDelivery:url': 'Para onde vai.',
  attempts: 'Quantas tentativas já foram feitas.',
  last_status: 'O status HTTP da última resposta. Nulo se não houve resposta.',
  last_error: 'Por que não houve resposta.',
  next_attempt_at: 'Quando será a próxima tentativa. Nulo se não haverá.',
  resent: 'Se foi reenviada à mão.',
  finished_at: 'Quando foi entregue, ou deixou de ser tentada.',
  body: 'O corpo enviado, byte a byte. Nulo se o evento já não é guardado.',
  log: 'Cada tentativa.',
  number: 'A primeira tentativa é 1.',
  at: 'Quando.',
  duration_ms: 'Quanto a resposta demorou, em milissegundos.',
  'log.status': 'O status HTTP da resposta.',
  'log.error': 'Por que não houve resposta, em uma palavra.',
  error_text: 'O mesmo, em uma frase.',
  headers: 'Os cabeçalhos enviados.',
  answer: 'O começo da resposta do seu sistema.',
  ids: 'As entregas a reenviar, de 1 a 100. Envie só `ids`; ou, sem ele, `endpoint`, `from` e `to`.',
  'resendWebhookDeliveries<endpoint':
    'O endereço cujas entregas se reenviam; `callback` são os dados em cobranças e saques.',
  'resendWebhookDeliveries:resent': 'Quantas estão a caminho de novo.',
  'resendWebhookDeliveries:has_more': 'Se o período tem mais: repita com `last_at` em `from`.',
  'resendWebhookDeliveries:from': 'Desde este momento, ou desde o começo deste dia no horário de Brasília.',
  'resendWebhookDeliveries:to': 'Até este momento, ou até o fim deste dia no horário de Brasília.',
  'resendWebhookDeliveries:state': 'Só as que falharam, ou só as entregues.',
  skipped: 'Quantas não foram: desconhecidas, de um endereço desligado, ou de um evento já esquecido.',
  last_at:
    'Quando foi criada a última que foi vista: o `from` com que continuar. Nulo quando nada foi visto, e com `ids`.',
  'webhookDoctor:headers': 'Os cabeçalhos que chegaram: um objeto, ou o texto com as linhas `nome: valor`.',
  'webhookDoctor:body':
    'O corpo exatamente como chegou. Mais fundo ou com mais campos do que qualquer webhook, é recusado com `INVALID_BODY`.',
  'webhookDoctor:endpoint':
    'O endereço a que se destinava. Sem ele, todos os segredos da conta são tentados.',
  computed: 'A assinatura a que o seu código chegou: assim se descobre o que ele fez de errado.',
  made_by:
    'Quem fez isto no painel. Só vem em uma sessão do painel: uma chave de API nunca recebe o nome de uma pessoa.',
  'made_by.id': 'O id da pessoa.',
  'made_by.name': 'O nome da pessoa.',
  member: 'Se a pessoa ainda é membro da conta.',
  ok: 'Se a assinatura confere agora.',
  verdict: 'A causa que melhor explica.',
  findings: 'Tudo o que foi notado.',
  code: 'A causa, em uma palavra.',
  'findings.message': 'O que está errado.',
  hint: 'Como consertar.',
};
