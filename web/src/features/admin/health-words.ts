// The Portuguese words for the health of the system.

import type { SystemHealth } from '@jangada/contract';

/** The Portuguese names of the queues of the gateway. Each name says what waits in the queue. */
const queueNames = new Map([
  ['notices', 'Avisos do banco'],
  ['webhooks', 'Webhooks aos lojistas'],
  ['messages', 'Mensagens às telas'],
  ['withdrawals', 'Saques a enviar'],
  ['withdrawal look-ups', 'Saques a consultar no banco'],
  ['refunds', 'Estornos'],
  ['disputes', 'Disputas a acompanhar'],
  ['mails', 'E-mails'],
  ['pushes', 'Notificações push'],
  ['jobs', 'Tarefas agendadas'],
]);

/** The Portuguese name of a queue. The name of a queue that this version does not know is shown as received. */
export function queueName(name: string): string {
  return queueNames.get(name) ?? name;
}

const warningSentences = new Map([
  ['payouts-stopped', 'Os envios estão parados.'],
  ['open-items', 'Há itens em aberto na conciliação.'],
  ['bank-balance-unknown', 'O banco não diz o saldo: nada é enviado até que diga.'],
  ['bank-balance-unwatched', 'O banco não informa o saldo: ele não é vigiado.'],
  [
    'database-read-only',
    'O banco de dados não aceita gravações: é uma réplica, ou foi posto em modo de leitura.',
  ],
  ['database-full', 'O disco do banco de dados está cheio.'],
  ['bank-certificate-ends', 'O certificado do banco termina em menos de 30 dias: renove-o.'],
  ['works-as-owner', 'O gateway trabalha como dono do banco de dados: use o papel da aplicação.'],
  ['fsync-off', 'O PostgreSQL não espera o disco (fsync está desligado).'],
  ['full-page-writes-off', 'O PostgreSQL pode perder páginas numa queda (full_page_writes está desligado).'],
  ['synchronous-commit-off', 'O PostgreSQL confirma antes de gravar (synchronous_commit está desligado).'],
  ['mail-off', 'Nenhum e-mail sai: falta SMTP_URL.'],
  ['admin-email-missing', 'As empresas não sabem para onde enviar documentos: falta ADMIN_EMAIL.'],
]);

/** A warning of the gateway as a sentence. A warning that this version does not know is shown as received. */
export function warningSentence(name: string): string {
  return warningSentences.get(name) ?? name;
}

/** The state of the system in one sentence. */
export function healthSentence(health: SystemHealth | undefined): string {
  if (health === undefined) return 'O que roda, o que espera e o que precisa de você.';
  if (isSystemDown(health)) return 'Algo não responde.';
  return health.warnings.length === 0 ? 'Tudo responde.' : 'Tudo responde, e há o que olhar.';
}

/** True when the database or the bank (`psp`) does not respond, or the background work has stopped. */
export function isSystemDown({ database, work, psp }: SystemHealth): boolean {
  return database !== 'ok' || work !== 'ok' || psp.state === 'unavailable';
}
