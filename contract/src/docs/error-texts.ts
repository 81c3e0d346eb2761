import type { ErrorCode } from '../errors.ts';

/**
 * The advice on each error in the API documentation: Portuguese sentences with the Markdown of `Line`. Codes that no
 * documented call returns have no advice.
 */
export const errorTexts: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_BODY:
    'Corrija o corpo. Quando o JSON é válido, `details.fields` nomeia os campos. Números vão sem aspas: `10`, e não `"10"`. Não repita igual.',
  FIELD_NOT_EDITABLE: 'Tire do corpo os campos em `details.fields`: esta chamada não os altera.',
  INVALID_QUERY: 'Corrija os parâmetros da URL: `details.fields` nomeia quais.',
  UNSUPPORTED_MEDIA_TYPE: 'Envie o cabeçalho `content-type: application/json`.',
  BODY_TOO_LARGE: 'Envie menos: o corpo tem no máximo 64 KiB.',
  UNAUTHENTICATED:
    'Envie a chave no cabeçalho `x-api-key`: a chamada veio sem ela. Em `authorization` a chave não vale.',
  INVALID_API_KEY: 'Confira a chave: foi revogada, trocada ou copiada pela metade. Não repita com a mesma.',
  API_KEY_REQUIRED: 'A conta ainda não tem chave de API. Gere uma no painel, na página *Chaves de API*.',
  API_KEY_INACTIVE: 'Fale com o suporte: a chave existe, mas foi desativada.',
  API_KEY_EXPIRED: 'Troque a chave na página *Chaves de API*. Da próxima vez, troque antes do vencimento.',
  KEY_SCOPE_MISSING: 'Use uma chave com o escopo em `details.scope`, ou dê esse escopo à chave no painel.',
  KEY_ADDRESS_NOT_ALLOWED:
    'Chame de um dos endereços da chave, ou inclua o IP em `details.address` na lista dela.',
  MEMBER_ROLE_MISSING:
    'Só acontece em uma sessão do painel: a mensagem diz que papel pode. Peça-o a um dono da conta, ou use uma chave de API.',
  MEMBERSHIP_ENDED: 'Só acontece em uma sessão do painel: volte para uma conta de que você é membro.',
  ACCOUNT_SWITCHED:
    'Só acontece em uma sessão do painel que manda o cabeçalho x-account: recarregue a página.',
  MEMBER_DAY_LIMIT: 'Só acontece em uma sessão do painel: a mensagem diz quanto resta hoje a quem pediu.',
  ACCOUNT_NOT_APPROVED: 'Conclua a verificação de identidade no painel.',
  ACCOUNT_FROZEN: 'Fale com o suporte: nada mais é aceito até a conta ser liberada.',
  PASSWORD_REQUIRED:
    'Só acontece em chamadas feitas pelo painel: confirme a senha. Chamadas com a chave de API não pedem senha.',
  STEP_UP_REQUIRED: 'Só no painel: confirme com o segundo fator. Com a chave de API a chamada não o pede.',
  NOT_FOUND: 'Confira o endereço da chamada: nada responde nele.',
  METHOD_NOT_ALLOWED: 'Use um dos métodos do cabeçalho `Allow`.',
  PAYMENT_NOT_FOUND: 'Confira o id: é o `id` que a criação devolveu, de uma cobrança desta conta.',
  CHARGE_ALREADY_PAID:
    'A cobrança já foi paga e não pode mais ser cancelada. Para devolver o valor, faça um estorno.',
  CHARGE_ENDED:
    'Não é preciso cancelar: a cobrança já expirou, ou o banco não chegou a criá-la. Repetir um cancelamento que deu certo responde 200.',
  AMOUNT_INVALID:
    'Envie um número maior que zero, em reais com até duas casas: `25.9`, e não `25.905`. Saques são em centavos inteiros.',
  AMOUNT_TOO_SMALL: 'Cobre pelo menos R$ 1,50.',
  AMOUNT_TOO_LARGE: 'Divida a cobrança, ou fale com o operador sobre o limite.',
  AMOUNT_BELOW_FEE: 'Cobre mais do que a tarifa da conta.',
  DUE_TERMS_INVALID: 'O texto diz qual campo não combina com o vencimento ou com o valor.',
  INVALID_CALLBACK_URL: 'Use um endereço https público. Veja [que endereços valem](#enderecos).',
  INVALID_SUCCESS_URL:
    'Use um endereço https, com até 2.000 caracteres. No sandbox vale também http na própria máquina.',
  FEES_OVERDUE: 'Pague a fatura vencida no painel, na página *Tarifas*, e repita a chamada.',
  BANK_NOT_CONNECTED: 'Conecte e ative uma conta no painel, na página *Banco*, e repita a chamada.',
  SUBSCRIPTION_NOT_FOUND: 'Confira o id da assinatura, em `GET /subscriptions`.',
  SUBSCRIPTION_INVALID: 'Corrija os campos em `fields`.',
  SUBSCRIPTION_ENDED: 'Nada a fazer: crie outra assinatura se for o caso.',
  RECURRING_NOT_SUPPORTED:
    'Fale com o operador do gateway: o banco da conta precisa oferecer Pix Automático.',
  DEBIT_ACCOUNT_MISSING:
    'Abra a conta na página *Banco* do painel, informe agência, número e tipo em *Pix Automático*, e repita a chamada.',
  CYCLE_NOT_FOUND: 'Confira o número do ciclo, em `GET /subscriptions/{id}/cycles`.',
  CYCLE_TOO_LATE: 'Espere o fim do ciclo, ou estorne o pagamento depois.',
  CHARGE_OF_SUBSCRIPTION: 'Cancele o ciclo ou a assinatura.',
  CUSTOMER_NOT_FOUND: 'Confira o id do cliente, em `GET /customers`.',
  CUSTOMER_EXISTS:
    'Procure o cliente por `search` (o documento) ou `external_id` em `GET /customers`, e use o que já existe.',
  CUSTOMER_ARCHIVED: 'Reative o cliente (`archived: false`) ou cobre outro.',
  CHARGE_BATCH_NOT_FOUND: 'Confira o id do lote, em `GET /pix/batches`.',
  ALREADY_CHARGED:
    'Tire as linhas que `error.details.fields` nomeia, ou envie o lote sem `refuse_repeated` para cobrá-las de novo.',
  PAYMENT_LINK_NOT_FOUND: 'Confira o id do link, em `GET /payment-links`.',
  LINK_END_INVALID: 'Envie um momento no futuro em `ends_at`, ou nulo para um link sem fim.',
  COUNTER_CODE_NOT_FOUND: 'Confira o id do QR Code, em `GET /counter-codes`.',
  COUNTER_CODES_NOT_AT_OWN_BANK: 'Use um link de pagamento, que cria cobranças na sua conta.',
  STALE_VERSION: 'Leia de novo, confira o que mudou, e envie a alteração com a `version` que leu.',
  IDEMPOTENCY_KEY_INVALID: 'Use de 1 a 255 caracteres visíveis, sem espaços nem acentos.',
  IDEMPOTENCY_CONFLICT: 'A chave já foi usada com outro corpo. Use uma chave nova para um pedido novo.',
  IDEMPOTENCY_IN_PROGRESS: 'Espere um instante e repita igual: a primeira chamada ainda não terminou.',
  PAYMENT_PROCESSING_ERROR: 'Repita com a mesma `Idempotency-Key`. A cobrança não é criada duas vezes.',
  REFUND_NOT_SUPPORTED: 'O banco deste gateway não devolve Pix pela API.',
  REFUND_NOT_PAID: 'Só um pagamento em `paid` pode ser estornado. Consulte o estado.',
  PIX_NOT_FOUND: 'Confira o id: é o que `GET /api/held-pix` e o evento `pix.held` trazem.',
  SUSPENSE_SETTLED: 'Consulte `GET /api/held-pix`: o Pix já foi aceito, ou já volta a quem pagou.',
  REFUND_TOO_LATE: 'O prazo do Banco Central, 90 dias, terminou. Combine outra forma com quem pagou.',
  REFUND_EXCEEDS_PAYMENT: 'Consulte `refundable_amount` em `GET /pix/{id}/refunds` e peça até esse valor.',
  REFUND_ID_REUSED: 'Use outro `id`: este já é de um estorno com outros dados.',
  PAYMENT_IN_DISPUTE: 'Espere o fim da disputa. Ela aparece no painel, em Disputas.',
  DISPUTE_SHORTFALL: 'Espere novos pagamentos cobrirem o valor em disputa.',
  INSUFFICIENT_BALANCE:
    'Peça um valor menor, ou espere até haver saldo. Nos dois casos, use uma `Idempotency-Key` nova.',
  WITHDRAWALS_UNAVAILABLE: 'O banco deste gateway não envia Pix.',
  BANK_ACCOUNT_SUSPENDED:
    'Veja no painel, na página *Banco*, por que a conta está suspensa e quem pode reativá-la.',
  MONEY_AT_OWN_BANK: 'Não há o que sacar por aqui: o que você recebeu já está na sua conta bancária.',
  WITHDRAWAL_MINIMUM: 'Saque pelo menos R$ 5,00 (`500`).',
  WITHDRAWAL_TOO_SMALL: 'Saque mais do que a tarifa.',
  WITHDRAWAL_TOO_LARGE: 'Divida o saque.',
  WITHDRAWAL_DAY_LIMIT: 'Espere o dia seguinte, ou peça menos.',
  WITHDRAWAL_NIGHT_LIMIT: 'Espere até as 6h, ou peça menos.',
  WITHDRAWALS_PAUSED: 'Tente mais tarde: o operador suspendeu os envios. O saldo está seguro.',
  WITHDRAWALS_HELD:
    'Espere até a hora em `details.until`. Os saques ficam suspensos por 24 horas depois que o PIN ou o e-mail muda, a senha esquecida é redefinida, o titular muda, ou o suporte remove o segundo fator, e por 72 horas depois que ele recupera o acesso de um dono.',
  WITHDRAWAL_NOT_FOUND: 'Confira o id: é o `withdrawal_id` que o pedido devolveu, de um saque desta conta.',
  WITHDRAWAL_PENDING:
    'Espere o saque em andamento terminar (webhook, ou `GET /withdraw/{id}`) e peça de novo, com uma `Idempotency-Key` nova.',
  WITHDRAWAL_PROCESSING_ERROR: 'Repita com a mesma `Idempotency-Key`. O saque não é feito duas vezes.',
  PIX_KEY_INVALID: 'Confira `pixKey` e `keyType`.',
  PIX_KEY_NOT_OWN: 'Saque para uma chave do CPF ou CNPJ desta conta.',
  PIX_KEY_OF_GATEWAY: 'Saque para outra chave: esta é do próprio gateway.',
  PIN_LOCKED: 'Espere: houve PINs errados demais no painel.',
  APPROVERS_TOO_FEW:
    'Fale com um dono da conta: a política de aprovação pede mais pessoas do que há. Depois repita a chamada.',
  API_WITHDRAWALS_OFF: 'Ligue o saque pela API no painel, em Saque pela API.',
  DESTINATION_NOT_SAVED: 'Salve a chave Pix como destino no painel, em Saque pela API.',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'Confira o id do endereço, em `GET /webhooks/endpoints`.',
  WEBHOOK_ENDPOINT_LIMIT: 'Remova um endereço que não usa mais.',
  WEBHOOK_ENDPOINT_OFF: 'Ligue o endereço antes.',
  WEBHOOK_DELIVERY_NOT_FOUND: 'Confira o id da entrega, em `GET /webhooks/deliveries`.',
  WEBHOOK_EVENT_FORGOTTEN: 'Consulte a cobrança ou o saque: eventos são guardados por 30 dias.',
  EVENT_NOT_FOUND: 'Confira o id: eventos são guardados por 30 dias.',
  EVENT_CURSOR_UNKNOWN: 'Leia do começo, sem `after`, e ignore o que já tratou.',
  PERIOD_INVALID: 'Envie `from` antes de `to`, com até um ano entre eles.',
  RATE_LIMITED: 'Espere os segundos em `Retry-After` e repita.',
  OVERLOADED: 'Espere os segundos em `Retry-After` e repita com a mesma `Idempotency-Key`.',
  UNAVAILABLE:
    'Espere os segundos em `Retry-After` e repita com a mesma `Idempotency-Key`: o pedido pode ter sido aceito, e não é feito duas vezes.',
  INTERNAL: 'Repita com a mesma `Idempotency-Key`. Se continuar, envie o `requestId` ao suporte.',
};
