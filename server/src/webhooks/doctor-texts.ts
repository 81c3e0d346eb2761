import type { DoctorFinding, DoctorVerdict } from '@jangada/contract';

type FindingText = { readonly message: string; readonly hint: string };

/** What the webhook doctor answers for each verdict: what is wrong, and how to mend it. */
const texts: Readonly<Record<DoctorVerdict, FindingText>> = {
  valid: {
    message: 'A assinatura confere.',
    hint: 'Um verificador correto aceita este webhook. Se o seu recusa, envie aqui também a assinatura que ele calculou (computed).',
  },
  'header-missing': {
    message: 'Falta um dos cabeçalhos webhook-id, webhook-timestamp e webhook-signature.',
    hint: 'Veja se um proxy ou o framework os retira antes do seu código.',
  },
  'header-misspelt': {
    message: 'Um cabeçalho chegou com outro nome.',
    hint: 'Os nomes são webhook-id, webhook-timestamp e webhook-signature, sem prefixo e com hífen. Em PHP e CGI eles aparecem como HTTP_WEBHOOK_ID: converta antes de verificar.',
  },
  'id-changed': {
    message: 'O webhook-id foi mudado no caminho: maiúsculas, minúsculas ou espaços.',
    hint: 'Assine com o webhook-id exatamente como chegou; não o normalize.',
  },
  'timestamp-not-a-number': {
    message: 'O webhook-timestamp não é um número.',
    hint: 'Ele é inteiro, em segundos desde 1970. Não o converta em data antes de verificar.',
  },
  'timestamp-in-milliseconds': {
    message: 'O webhook-timestamp está em milissegundos.',
    hint: 'Use-o como chegou, em segundos. O relógio do JavaScript conta milissegundos: divida por 1000 para comparar.',
  },
  'timestamp-old': {
    message: 'O webhook-timestamp tem mais de 5 minutos.',
    hint: 'Ao repetir à mão um webhook antigo isto é esperado: peça um reenvio. Se acabou de chegar, acerte o relógio do seu servidor (NTP).',
  },
  'timestamp-in-future': {
    message: 'O webhook-timestamp está mais de 5 minutos no futuro.',
    hint: 'Acerte o relógio do seu servidor (NTP), e confira que o valor não foi mudado.',
  },
  'timestamp-changed': {
    message: 'A assinatura é de outro momento deste mesmo evento: o webhook-timestamp foi trocado.',
    hint: 'Cada tentativa tem o seu webhook-timestamp: use o que veio junto com a assinatura.',
  },
  'signature-malformed': {
    message: 'O webhook-signature não contém uma assinatura.',
    hint: 'Ele é uma lista separada por espaços, cada item como v1,<base64 de 32 bytes>. Confira que não foi cortado.',
  },
  'signature-without-version': {
    message: 'A assinatura está sem o v1, do começo.',
    hint: 'Passe o cabeçalho inteiro ao verificador. Se comparar à mão, tire o v1, só na comparação.',
  },
  'signature-hex': {
    message: 'A assinatura do cabeçalho está em hexadecimal.',
    hint: 'A Jangada a envia em base64. Algo no caminho a converteu.',
  },
  'body-empty': {
    message: 'O corpo está vazio.',
    hint: 'O framework já leu o corpo: guarde os bytes antes de interpretar o JSON (express.raw, request.body em Django, php://input).',
  },
  'body-bom': {
    message: 'O corpo começa com um BOM (U+FEFF), que não foi enviado.',
    hint: 'Leia o corpo como bytes, sem passar por um arquivo ou editor que acrescenta o BOM.',
  },
  'body-trailing-newline': {
    message: 'O corpo tem espaços ou quebras de linha a mais no começo ou no fim.',
    hint: 'Verifique os bytes como chegaram. Ao copiar à mão, não deixe uma linha no fim.',
  },
  'body-charset': {
    message: 'O corpo foi lido em outra codificação: os acentos mudaram.',
    hint: 'O corpo é UTF-8. Não o decodifique como Latin-1 (ISO-8859-1) nem o recodifique.',
  },
  'body-line-endings': {
    message: 'As quebras de linha do corpo foram mudadas.',
    hint: 'Leia o corpo em modo binário.',
  },
  'body-reserialised': {
    message: 'O JSON é o mesmo, mas não os bytes: ele foi interpretado e escrito de novo.',
    hint: 'Verifique a assinatura sobre o corpo cru, antes do JSON.parse. Em Express: express.raw({ type: "application/json" }) nesta rota.',
  },
  'body-changed': {
    message: 'O corpo não é o que foi enviado neste evento.',
    hint: 'Compare com o corpo no registro da entrega: um campo foi mudado, acrescentado ou retirado.',
  },
  'secret-of-account': {
    message: 'O segredo é o da conta, que assina os callbacks, e não o deste endereço.',
    hint: 'Cada endereço cadastrado tem o seu segredo: veja-o em Webhooks. O da conta vale só para callback_url.',
  },
  'secret-of-endpoint': {
    message: 'O segredo é o de outro endereço desta conta.',
    hint: 'Use o segredo do endereço que recebeu este webhook. Na conta, callback_url usa o segredo da conta.',
  },
  'secret-rotated': {
    message: 'O segredo já foi trocado.',
    hint: 'Passe ao segredo novo: o antigo assina junto só por 24 horas depois da troca.',
  },
  'computed-right': {
    message: 'A assinatura que o seu código calculou está certa.',
    hint: 'O erro está na comparação: compare com cada item do cabeçalho, sem o v1, e em tempo constante.',
  },
  'computed-hex': {
    message: 'O seu código calculou a assinatura em hexadecimal ou em base64 de URL.',
    hint: 'Escreva o HMAC em base64 comum: digest("base64") em Node, base64.b64encode(h.digest()) em Python.',
  },
  'computed-secret-not-decoded': {
    message: 'O seu código usou o texto do segredo como chave.',
    hint: 'Tire o whsec_ e decodifique o resto de base64: a chave são esses 32 bytes.',
  },
  'computed-without-id': {
    message: 'O seu código deixou o webhook-id fora do que assina.',
    hint: 'O conteúdo assinado é webhook-id + "." + webhook-timestamp + "." + corpo.',
  },
  'computed-without-timestamp': {
    message: 'O seu código deixou o webhook-timestamp fora do que assina.',
    hint: 'O conteúdo assinado é webhook-id + "." + webhook-timestamp + "." + corpo.',
  },
  'computed-body-only': {
    message: 'O seu código assinou só o corpo.',
    hint: 'O conteúdo assinado é webhook-id + "." + webhook-timestamp + "." + corpo.',
  },
  'computed-body-parsed': {
    message: 'O seu código assinou o JSON escrito de novo, e não o corpo como chegou.',
    hint: 'Guarde os bytes do corpo antes do JSON.parse e assine esses bytes.',
  },
  'computed-wrong': {
    message: 'A assinatura que o seu código calculou não vem de nenhum segredo desta conta.',
    hint: 'Confira que o segredo está inteiro na configuração, sem aspas nem espaços, e que o algoritmo é HMAC-SHA256.',
  },
  unknown: {
    message: 'Nenhum segredo desta conta fez esta assinatura.',
    hint: 'Se os cabeçalhos e o corpo estão como chegaram, este webhook não veio da Jangada: não acredite nele.',
  },
};

export function findingOf(code: DoctorVerdict): DoctorFinding {
  return { code, ...texts[code] };
}
