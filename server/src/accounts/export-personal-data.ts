import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { createExportQueue } from '../http/export-queue.ts';
import type { FileResponse } from '../http/file-response.ts';
import type { Caller } from '../http/route.ts';
import { holdsOwnAccount, requirePassword } from '../identity/index.ts';

const maxConcurrentExports = 4;
const notificationsPerPage = 1000;
/** A UUID before all others, from which the first page of notifications starts. */
const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Creates the export operation, with one queue for all exports of personal data. An export is read from the database
 * while it is sent, and only a few may be read at a time.
 */
export function createPersonalExports(deps: Pick<Deps, 'db' | 'clock'>) {
  const startExport = createExportQueue(maxConcurrentExports);

  /**
   * Exports the caller's personal data (LGPD, art. 18) as one JSON object. Money movements are only summarised, since
   * the statement is a separate file. Refused with PASSWORD_REQUIRED unless the password was given recently, and with
   * OVERLOADED while another export of the account is running.
   */
  return async (caller: Caller): Promise<FileResponse> => {
    await requirePassword(deps, caller, undefined);
    return startExport(caller.userId, async () => ({
      contentType: 'application/json; charset=utf-8',
      fileName: 'dados-pessoais.json',
      content: writeExport(deps.db, caller.userId, deps.clock.now()),
    }));
  };
}

const noticeText =
  'Dados pessoais que este gateway guarda sobre você. Valores em centavos, taxas em centésimos de por cento. Os movimentos de dinheiro estão no extrato, em GET /api/authed/statement/export/csv.';

async function* writeExport(db: Db, userId: number, now: Date): AsyncGenerator<string> {
  yield `{\n"aviso": ${JSON.stringify(noticeText)},\n"gerado_em": ${JSON.stringify(now)}`;
  for await (const [name, rows] of readSections(db, userId))
    yield `,\n${JSON.stringify(name)}: ${JSON.stringify(rows)}`;
  yield ',\n"notificacoes": [';
  let separator = '';
  for (let lastId = lowestId, hasMore = true; hasMore; ) {
    const page = await readNotificationsAfter(db, userId, lastId, notificationsPerPage);
    for (const row of page) {
      yield `${separator}\n${JSON.stringify(row)}`;
      separator = ',';
    }
    lastId = page.at(-1)?.id ?? lastId;
    hasMore = page.length === notificationsPerPage;
  }
  yield ']\n}\n';
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The sections of the export, by their names in the file. Each statement takes the account's id and returns rows as
 * they are stored, without hashes and encrypted secrets. For an administrator's entry in the audit log, the reason and
 * the changed values are included only if the account's owner was notified of them.
 */
const sections: Readonly<Record<string, (id: number) => ReturnType<typeof sql<Row>>>> = {
  conta: (id) => sql`
    select users.id, username, name, email, document, doc_type, role, approved, api_active, avatar, created_at, updated_at,
           password_changed_at, closing_requested_at, closing_reason, frozen_at,
           in_rate, out_rate, fix_in_cents, fix_out_cents, crypto_rate, reserve_enabled, reserve_rate, reserve_days
    from users where id = ${id}`,
  participacoes: (id) => sql`
    select merchant_id as conta, role, refund_limit_cents, withdrawal_limit_cents, added_at
    from members where user_id = ${id} order by added_at`,
  membros: (id) => sql`
    select user_id as pessoa, role, refund_limit_cents, withdrawal_limit_cents, added_at
    from members where merchant_id = ${id} and user_id <> ${id} order by added_at`,
  convites: (id) => sql`
    select email, role, refund_limit_cents, withdrawal_limit_cents, created_at, expires_at
    from member_invitations where merchant_id = ${id} order by created_at`,
  foto: (id) => sql`
    select id, created_at, encode(content, 'base64') as webp_base64 from avatars where merchant_id = ${id}`,
  paginas_de_pagamento: (id) => sql`
    select display_name, colour, encode(logo, 'base64') as logo_webp_base64, updated_at
    from merchant_brands where merchant_id = ${id}`,
  sessoes: (id) => sql`
    select id, created_at, last_seen_at, expires_at, user_agent, address, factor_at
    from sessions where user_id = ${id} order by created_at`,
  navegadores_conhecidos: (id) => sql`
    select last_used_at from known_devices where user_id = ${id} order by last_used_at`,
  aplicativo_autenticador: (id) => sql`
    select created_at, confirmed_at from totp_factors where user_id = ${id}`,
  chaves_de_acesso: (id) => sql`
    select id, name, transports, created_at, last_used_at from passkeys where user_id = ${id} order by created_at`,
  codigos_de_recuperacao: (id) => sql`
    select count(*) as total, count(used_at) as usados from recovery_codes where user_id = ${id}`,
  chave_de_api: (id) => sql`
    select masked_key, created_at, last_used_at from api_keys where merchant_id = ${id}`,
  chaves_por_sistema: (id) => sql`
    select name, masked_key, scopes, allowed_addresses, created_at, expires_at, last_used_at, last_used_address, revoked_at
    from scoped_keys where merchant_id = ${id} order by created_at`,
  segredos_de_webhook: (id) => sql`
    select id, created_at, expires_at from webhook_secrets where merchant_id = ${id} order by created_at`,
  saques: (id) => sql`
    select pin_set_at, held_until, held_because, api_enabled, api_changed_at
    from withdrawal_controls where merchant_id = ${id}`,
  destinos_de_saque: (id) => sql`
    select pix_key, key_type, label, created_at
    from withdrawal_destinations where merchant_id = ${id} order by created_at`,
  verificacoes_de_identidade: (id) => sql`
    select sent.id, status, reason, submitted_at, decided_at, removed_at,
           coalesce(json_agg(json_build_object('lado', side, 'largura', width, 'altura', height, 'bytes', size))
             filter (where side is not null), '[]') as imagens
    from kyc_submissions sent
      left join kyc_pictures picture on picture.merchant_id = sent.merchant_id and picture.submission_id = sent.id
    where sent.merchant_id = ${id} group by sent.merchant_id, sent.id order by submitted_at`,
  aparelhos_com_push: (id) => sql`
    select id, user_agent, created_at, refreshed_at
    from push_subscriptions where merchant_id = ${id} order by created_at`,
  push_recusado: (id) => sql`select kind from push_opt_outs where merchant_id = ${id}`,
  emails_enviados: (id) => sql`
    select kind, recipient, subject, created_at, sent_at from mails where user_id = ${id} order by created_at`,
  registro_de_auditoria: (id) => sql`
    select audit_log.id, at, action,
           case when knows_why then reason end as reason,
           case when knows_what then before end as before,
           case when knows_what then after end as after,
           case when actor_id = ${id} then 'você' when actor_id = 0 then 'sistema'
                when actor.role = 'USER' then 'membro da conta' else 'administração' end as por
    from audit_log
      join users actor on actor.id = actor_id
      cross join lateral (
        select actor_id = ${id} or action in ('kyc approved', 'kyc rejected') as knows_why,
               actor_id = ${id} or action in ('kyc approved', 'kyc rejected', 'user updated', 'balance adjusted')
                 or action ~ '^(member|invitation) ' as knows_what
      ) as owner
    where subject_id = ${id} order by audit_log.id`,
  dinheiro: (id) => sql`
    select pending_count as cobrancas_pendentes, paid_count as cobrancas_pagas, expired_count as cobrancas_vencidas,
           refunded_count as cobrancas_estornadas, error_count as cobrancas_com_erro,
           completed_withdrawals_count as saques_concluidos, failed_withdrawals_count as saques_nao_realizados,
           (select count(*) from refunds where merchant_id = ${id}) as estornos,
           (select count(*) from disputes where merchant_id = ${id}) as disputas
    from merchant_counters where merchant_id = ${id}`,
};

/** The sections about the account rather than the person, who gets them only while they hold it. */
const accountSections: ReadonlySet<string> = new Set([
  'membros',
  'convites',
  'paginas_de_pagamento',
  'chave_de_api',
  'chaves_por_sistema',
  'segredos_de_webhook',
  'saques',
  'destinos_de_saque',
  'registro_de_auditoria',
  'dinheiro',
]);

async function* readSections(db: Db, id: number): AsyncGenerator<[string, readonly Row[]]> {
  const isHolder = await holdsOwnAccount(db, id);
  for (const [name, statement] of Object.entries(sections))
    if (isHolder || !accountSections.has(name)) yield [name, (await statement(id).execute(db)).rows];
}

/** Returns the notifications after the one with id `after`, in the order of their ids, which is that of creation. */
async function readNotificationsAfter(
  db: Db,
  merchantId: number,
  after: string,
  limit: number,
): Promise<readonly (Row & { readonly id: string })[]> {
  const { rows } = await sql<Row & { readonly id: string }>`
    select id, title, body, data, created_at, read_at from notifications
    where merchant_id = ${merchantId} and id > ${after}::uuid order by id limit ${limit}
  `.execute(db);
  return rows;
}
