// Made from the migrated database by tools/db-types.ts; a test keeps it true.
import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text, read as parsed JSON. */
type Json = ColumnType<unknown, string, string>;

export type DB = {
  abandoned_charges: {
    merchant_id: number;
    charge_id: string;
    connection_id: number;
    txid: string;
    abandoned_at: Date;
    expires_at: Date;
    next_check_at: Date | null;
  };
  account_handovers: {
    merchant_id: number;
    offered_by: number;
    offered_to: number;
    created_at: Date;
    expires_at: Date;
  };
  api_keys: {
    merchant_id: number;
    key_hash: Buffer;
    sealed_key: Buffer;
    masked_key: string;
    created_at: Date;
    last_used_at: Date | null;
    created_by: number | null;
  };
  approval_history: {
    merchant_id: number;
    seq: Generated<number>;
    kind: string;
    request_id: string | null;
    user_id: number | null;
    key_id: string | null;
    pix_key: string | null;
    mark: Buffer | null;
    at: Date;
  };
  approval_requests: {
    merchant_id: number;
    id: string;
    kind: string;
    subject: string;
    document: string;
    status: Generated<string>;
    made_by: number | null;
    unusual: Generated<string[]>;
    reason: string | null;
    created_at: Date;
    expires_at: Date;
    ended_at: Date | null;
    ended_by: number | null;
    history_seq: number | null;
  };
  approvals: {
    merchant_id: number;
    request_id: string;
    user_id: number;
    key_id: string;
    proof: Json;
    approved_at: Date;
  };
  audit_chain: {
    position: number;
    entry_id: number;
    mac: Buffer;
  };
  audit_head: {
    only_row: Generated<boolean>;
    entries: number;
    last_mac: Buffer;
    mac: Buffer;
  };
  audit_log: {
    id: Generated<number>;
    at: Date;
    actor_id: number;
    action: string;
    subject_id: number;
    reason: string | null;
    before: Json;
    after: Json;
  };
  avatars: {
    merchant_id: number;
    id: string;
    content: Buffer;
    created_at: Date;
  };
  balance_comparison: {
    only_row: Generated<boolean>;
    compared_at: Date;
    difference_cents: number | null;
  };
  bank_balance: {
    only_row: Generated<boolean>;
    read_at: Date;
    balance_cents: number | null;
    known_cents: number | null;
    known_at: Date | null;
    needed_cents: number;
    below_since: Date | null;
  };
  bank_connections: {
    id: Generated<number>;
    merchant_id: number;
    bank: string;
    pix_key: string;
    state: string;
    created_at: Date;
    updated_at: Date;
    name: Generated<string>;
    position: Generated<number>;
    sealed_key: Buffer | null;
    sealed_credentials: Buffer | null;
    new_sealed_credentials: Buffer | null;
    client_id_start: string | null;
    certificate_holder: string | null;
    certificate_fingerprint: string | null;
    certificate_expires_at: Date | null;
    certificate_warned_days: number | null;
    api_url: string | null;
    token_url: string | null;
    suspended_by: string | null;
    suspended_reason: string | null;
    broken_since: Date | null;
    broken_reason: string | null;
    is_broken_told: Generated<boolean>;
    last_answer_at: Date | null;
    check_started_at: Date | null;
    check_ended_at: Date | null;
    check_passed: boolean | null;
    check_steps: Json | null;
    retiring_since: Date | null;
    is_check_claimed: Generated<boolean>;
  };
  bank_hints: {
    kind: string;
    reference: string;
    last_received_at: Date;
    times_received: Generated<number>;
    attempts: Generated<number>;
    due_at: Date;
    connection_id: Generated<number>;
  };
  bank_looks: {
    connection_id: number;
    kind: string;
    due_at: Date;
    active_until: Date | null;
    failures: Generated<number>;
  };
  bank_movements: {
    id: string;
    kind: string;
    amount_cents: number;
    description: Generated<string>;
    happened_at: Date;
    recorded_at: Date;
    recorded_by: number;
  };
  charge_metadata: {
    merchant_id: number;
    name: string;
    value: string;
    charge_id: string;
  };
  charge_options: {
    merchant_id: number;
    charge_id: string;
    description: string | null;
    success_url: string | null;
    payment_link_id: string | null;
    counter_code_id: string | null;
    page_id: string | null;
    created_by: number | null;
    payer_name: string | null;
    payer_document: string | null;
  };
  charge_runs: {
    merchant_id: number;
    after_id: string;
    charges: number;
  };
  charges: {
    merchant_id: number;
    id: string;
    txid: string;
    status: string;
    amount_cents: number;
    in_rate: number;
    fix_in_cents: number;
    reserve_rate: number;
    reserve_days: number;
    fee_cents: number;
    reserve_cents: number;
    expires_at: Date;
    callback_url: string | null;
    br_code: Generated<string>;
    end_to_end_id: string | null;
    paid_at: Date | null;
    refunded_cents: Generated<number>;
    refunding_cents: Generated<number>;
    cancelled_at: Date | null;
    next_check_at: Date | null;
    external_id: string | null;
    metadata: Json | null;
    request_id: string | null;
    made_with: string | null;
    created_at: Date;
    updated_at: Date;
    connection_id: Generated<number>;
    due_date: string | null;
  };
  counter_codes: {
    merchant_id: number;
    id: string;
    txid: string;
    name: string;
    amount_cents: number | null;
    active: boolean;
    version: Generated<number>;
    payments: Generated<number>;
    received_cents: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  dispute_files: {
    merchant_id: number;
    dispute_id: string;
    id: string;
    place: number;
    name: string;
    type: string;
    size: number;
    sealed_content: Buffer;
    created_at: Date;
  };
  dispute_list_position: {
    read_until: Date;
    read_at: Date;
    connection_id: Generated<number>;
  };
  disputes: {
    merchant_id: number;
    id: string;
    bank_dispute_id: string;
    protocol: Generated<string>;
    charge_id: string | null;
    end_to_end_id: string;
    status: string;
    bank_status: string;
    reason: Generated<string>;
    disputed_cents: number;
    claimed_cents: number;
    blocked_cents: Generated<number>;
    shortfall_cents: Generated<number>;
    returned_cents: Generated<number>;
    deadline_at: Date;
    defence: string | null;
    defended_at: Date | null;
    defence_sent_at: Date | null;
    warned_hours: number | null;
    due_at: Date | null;
    opened_at: Date;
    updated_at: Date;
    resolved_at: Date | null;
    connection_id: Generated<number>;
  };
  due_terms: {
    merchant_id: number;
    charge_id: string;
    terms: Json;
    original_cents: number;
    fine_cents: number | null;
    interest_cents: number | null;
    rebate_cents: number | null;
    discount_cents: number | null;
  };
  ended_charges: {
    merchant_id: number;
    status: string;
    charge_id: string;
  };
  events: {
    merchant_id: number;
    subject_id: string;
    id: string;
    type: string;
    body: string;
    callback_url: string | null;
    created_at: Date;
    epoch: number;
    tx: Generated<string>;
    seq: Generated<number>;
  };
  factor_challenges: {
    challenge_hash: Buffer;
    purpose: string;
    user_id: number | null;
    session_hash: Buffer | null;
    webauthn_challenge: string | null;
    attempts: Generated<number>;
    expires_at: Date;
  };
  fee_statement_charges: {
    merchant_id: number;
    txid: string;
    statement_id: string;
    br_code: Generated<string>;
    created_at: Date;
    expires_at: Date;
  };
  fee_statement_days: {
    merchant_id: number;
    statement_id: string;
    day: string;
    fee_count: number;
    amount_cents: number;
  };
  fee_statements: {
    merchant_id: number;
    id: string;
    month: string;
    number: string;
    amount_cents: number;
    fee_count: number;
    closed_at: Date;
    due_on: string;
    state: Generated<string>;
    paid_at: Date | null;
    end_to_end_id: string | null;
    paid_reference: string | null;
    told: Generated<string>;
  };
  gateway: {
    only_row: Generated<boolean>;
    mode: string;
    psp: string;
    pix_key: string;
    secret_check: Buffer;
    server: Generated<string>;
    data_directory: Generated<string>;
    payouts_stopped_because: string | null;
    compare_with_bank_at: Date | null;
    server_change_unreported: Generated<boolean>;
    feed_epoch: Generated<number>;
    created_at: Date;
  };
  idempotency_keys: {
    merchant_id: number;
    route: string;
    key: string;
    body_hash: Buffer;
    lease_until: Date;
    resource_id: string | null;
    status: number | null;
    answer: Json | null;
    created_at: Date;
  };
  known_devices: {
    user_id: number;
    device_hash: Buffer;
    last_used_at: Date;
  };
  kyc_pictures: {
    merchant_id: number;
    submission_id: string;
    side: string;
    sealed_thumbnail: Buffer;
    width: number;
    height: number;
    size: number;
  };
  kyc_submissions: {
    merchant_id: number;
    id: string;
    status: string;
    reason: string | null;
    submitted_at: Date;
    decided_at: Date | null;
    decided_by: number | null;
    remove_at: Date | null;
    removed_at: Date | null;
  };
  kyc_uploads: {
    merchant_id: number;
    submission_id: string;
    ends_at: Date;
  };
  ledger_balances: {
    merchant_id: number;
    available_cents: Generated<number>;
    reserved_cents: Generated<number>;
    blocked_cents: Generated<number>;
    in_transit_cents: Generated<number>;
    suspense_cents: Generated<number>;
    receivable_cents: Generated<number>;
    psp_cents: Generated<number>;
    fees_cents: Generated<number>;
    adjustments_cents: Generated<number>;
    shortfall_cents: Generated<number>;
    connection_id: Generated<number>;
    fees_due_cents: Generated<number>;
  };
  ledger_days: {
    merchant_id: number;
    day: string;
    available_change_cents: Generated<number>;
    available_in_cents: Generated<number>;
    reserved_change_cents: Generated<number>;
    reserved_in_cents: Generated<number>;
    blocked_change_cents: Generated<number>;
    blocked_in_cents: Generated<number>;
    connection_id: Generated<number>;
  };
  ledger_entries: {
    merchant_id: number;
    posted_at: Date;
    event: string;
    reference: string;
    available_cents: Generated<number>;
    reserved_cents: Generated<number>;
    blocked_cents: Generated<number>;
    in_transit_cents: Generated<number>;
    suspense_cents: Generated<number>;
    receivable_cents: Generated<number>;
    psp_cents: Generated<number>;
    fees_cents: Generated<number>;
    adjustments_cents: Generated<number>;
    connection_id: Generated<number>;
    fees_due_cents: Generated<number>;
  };
  live_tickets: {
    ticket_hash: Buffer;
    session_hash: Buffer;
    expires_at: Date;
  };
  mail_links: {
    id: string;
    user_id: number;
    purpose: string;
    email: string | null;
    created_at: Date;
    expires_at: Date;
  };
  mails: {
    id: string;
    user_id: number;
    kind: string;
    recipient: string;
    subject: string;
    body: string | null;
    link_id: string | null;
    attempts: Generated<number>;
    due_at: Date | null;
    sent_at: Date | null;
    error: string | null;
    created_at: Date;
  };
  member_invitations: {
    merchant_id: number;
    id: string;
    email: string;
    role: string;
    refund_limit_cents: number | null;
    withdrawal_limit_cents: number | null;
    invited_by: number;
    created_at: Date;
    expires_at: Date;
  };
  members: {
    merchant_id: number;
    user_id: number;
    role: string;
    refund_limit_cents: number | null;
    withdrawal_limit_cents: number | null;
    added_at: Date;
    added_by: number | null;
    holder: Generated<boolean>;
  };
  merchant_brands: {
    merchant_id: number;
    display_name: string | null;
    colour: string | null;
    logo_id: string | null;
    logo: Buffer | null;
    updated_at: Date;
  };
  merchant_counters: {
    merchant_id: number;
    pending_count: Generated<number>;
    paid_count: Generated<number>;
    expired_count: Generated<number>;
    refunded_count: Generated<number>;
    error_count: Generated<number>;
    gross_received_cents: Generated<number>;
    net_received_cents: Generated<number>;
    refunded_cents: Generated<number>;
    pending_withdrawals_count: Generated<number>;
    pending_withdrawals_cents: Generated<number>;
    completed_withdrawals_count: Generated<number>;
    completed_withdrawals_cents: Generated<number>;
    failed_withdrawals_count: Generated<number>;
    last_transaction_at: Date | null;
    open_run_after: Generated<string>;
    open_run_count: Generated<number>;
  };
  merchant_days: {
    merchant_id: number;
    day: string;
    received_cents: Generated<number>;
    received_count: Generated<number>;
  };
  notification_marks: {
    merchant_id: number;
    read_until: string;
  };
  notifications: {
    merchant_id: number;
    id: string;
    title: string;
    body: string;
    data: Json;
    created_at: Date;
    read_at: Date | null;
  };
  open_charges: {
    merchant_id: number;
    charge_id: string;
    next_check_at: Date | null;
    connection_id: Generated<number>;
  };
  open_items: {
    id: string;
    kind: string;
    reference: string;
    merchant_id: Generated<number>;
    detail: Json;
    opened_at: Date;
    seen_at: Date;
    closed_at: Date | null;
    closed_by: number | null;
    evidence: string | null;
    connection_id: Generated<number>;
  };
  outbox: {
    id: Generated<number>;
    payload: string | null;
    merchant_ids: number[];
  };
  passkeys: {
    user_id: number;
    id: string;
    credential_id: Buffer;
    public_key: Buffer;
    sign_count: number;
    transports: Generated<string[]>;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  password_recoveries: {
    id: string;
    email: string;
    created_at: Date;
  };
  payment_links: {
    merchant_id: number;
    id: string;
    slug: string;
    title: string;
    description: string | null;
    amount_cents: number | null;
    max_payments: number | null;
    ends_at: Date | null;
    success_url: string | null;
    active: boolean;
    version: Generated<number>;
    payments: Generated<number>;
    received_cents: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  payout_list_position: {
    read_until: Date;
    connection_id: Generated<number>;
  };
  person_holds: {
    user_id: number;
    held_until: Date;
    held_because: string;
  };
  psp_inbox: {
    id: Generated<number>;
    received_at: Date;
    notices: Json;
    size: number;
    state: Generated<string>;
    attempts: Generated<number>;
    due_at: Date;
    outcome: string | null;
    finished_at: Date | null;
    connection_id: Generated<number>;
  };
  push_deliveries: {
    merchant_id: number;
    subscription_id: string;
    notification_id: string;
    kind: string;
    due_at: Date;
  };
  push_opt_outs: {
    merchant_id: number;
    kind: string;
  };
  push_subscriptions: {
    merchant_id: number;
    id: string;
    endpoint_hash: Buffer;
    sealed_subscription: Buffer;
    session_hash: Buffer | null;
    user_agent: Generated<string>;
    created_at: Date;
    refreshed_at: Date;
    failing_since: Date | null;
    failures: Generated<number>;
    paused_until: Date | null;
  };
  received_pix: {
    end_to_end_id: string;
    merchant_id: number;
    charge_id: string | null;
    outcome: string;
    reason: string | null;
    txid: string | null;
    pix_key: string | null;
    amount_cents: number;
    paid_at: Date;
    received_at: Date;
    payer_name: string | null;
    payer_document: string | null;
    connection_id: Generated<number>;
  };
  received_pix_list_position: {
    read_until: Date;
    finished_at: Date;
    connection_id: Generated<number>;
  };
  reconciled_days: {
    day: string;
    compared_at: Date | null;
    received_cents: Generated<number>;
    returned_cents: Generated<number>;
    sent_cents: Generated<number>;
    differences: Generated<number>;
    lease_until: Date | null;
    comparison_progress: Json | null;
    connection_id: Generated<number>;
  };
  recovery_codes: {
    user_id: number;
    code_hash: Buffer;
    used_at: Date | null;
  };
  refunds: {
    merchant_id: number;
    id: string;
    charge_id: string | null;
    end_to_end_id: string;
    external_id: string | null;
    requested_cents: number | null;
    bank_refund_id: string;
    rtr_id: string | null;
    origin: string;
    status: string;
    amount_cents: number;
    reason: Generated<string>;
    error_code: string | null;
    error: string | null;
    due_at: Date | null;
    send_count: Generated<number>;
    lookup_count: Generated<number>;
    not_found_count: Generated<number>;
    first_sent_at: Date | null;
    last_sent_at: Date | null;
    unknown_since: Date | null;
    created_at: Date;
    updated_at: Date;
    completed_at: Date | null;
    returned_at: Date | null;
    connection_id: Generated<number>;
    requested_by: number | null;
    stored_at: Generated<Date>;
  };
  reserve_claims: {
    merchant_id: number;
    dispute_id: string;
    charge_id: string;
    taken_cents: number;
    given_back_cents: Generated<number>;
  };
  reserves: {
    merchant_id: number;
    charge_id: string;
    amount_cents: number;
    claimed_cents: Generated<number>;
    due_at: Date;
    released_at: Date | null;
  };
  schema_migrations: {
    name: string;
    checksum: string;
    applied_at: Generated<Date>;
  };
  scoped_keys: {
    merchant_id: number;
    id: string;
    name: string;
    key_hash: Buffer;
    masked_key: string;
    scopes: string[];
    allowed_addresses: string[];
    created_at: Date;
    expires_at: Date | null;
    expiry_set_at: Date | null;
    last_used_at: Date | null;
    last_used_address: string | null;
    expiry_told_at: Date | null;
    revoked_at: Date | null;
    successor: string | null;
    created_by: number | null;
  };
  sessions: {
    token_hash: Buffer;
    id: Generated<string>;
    user_id: number;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    password_at: Date;
    factor_at: Date | null;
    user_agent: Generated<string>;
    address: Generated<string>;
    account_id: number | null;
    is_support: Generated<boolean>;
  };
  step_ups: {
    token_hash: Buffer;
    session_hash: Buffer;
    expires_at: Date;
  };
  stopped_connections: {
    connection_id: number;
    stopped_because: string;
    compare_at: Date;
  };
  support_access: {
    merchant_id: number;
    allowed_by: number;
    allowed_at: Date;
    expires_at: Date;
  };
  suspense_proposals: {
    end_to_end_id: string;
    action: string;
    merchant_id: number | null;
    reason: string;
    proposed_by: number;
    proposed_at: Date;
  };
  throttles: {
    key: string;
    window_ends_at: Date;
    attempts: number;
  };
  totp_factors: {
    user_id: number;
    sealed_secret: Buffer;
    created_at: Date;
    confirmed_at: Date | null;
    last_step: Generated<number>;
  };
  unposted_pix: {
    end_to_end_id: string;
  };
  users: {
    id: Generated<number>;
    username: string;
    name: string;
    email: string;
    document: string;
    doc_type: string;
    role: Generated<string>;
    admin_root: number | null;
    avatar: Generated<string>;
    approved: Generated<boolean>;
    api_active: Generated<boolean>;
    api_held: Generated<boolean>;
    password_hash: string;
    password_changed_at: Date | null;
    in_rate: Generated<number>;
    out_rate: Generated<number>;
    fix_in_cents: Generated<number>;
    fix_out_cents: Generated<number>;
    crypto_rate: Generated<number>;
    reserve_enabled: Generated<boolean>;
    reserve_rate: Generated<number>;
    reserve_days: Generated<number>;
    frozen_at: Date | null;
    frozen_because: string | null;
    closing_requested_at: Date | null;
    closing_reason: string | null;
    search_text: Generated<string>;
    version: Generated<number>;
    created_at: Date;
    updated_at: Date;
    merchant_kind: Generated<string>;
    identity_review_since: Date | null;
    staff_since: Date | null;
    staff_by: number | null;
  };
  webhook_cursors: {
    merchant_id: number;
    receiver: string;
    epoch: number;
    tx: string;
    seq: number;
  };
  webhook_deliveries: {
    merchant_id: number;
    id: string;
    type: string;
    subject_id: string;
    url: string;
    receiver: string;
    body: string | null;
    state: Generated<string>;
    due_at: Date;
    created_at: Date;
    finished_at: Date | null;
    attempts: Generated<Json>;
  };
  webhook_endpoints: {
    merchant_id: number;
    id: string;
    url: string;
    description: Generated<string>;
    events: Generated<string[]>;
    state: Generated<string>;
    off_reason: string | null;
    off_at: Date | null;
    on_since: Date;
    created_at: Date;
  };
  webhook_health: {
    merchant_id: number;
    receiver: string;
    last_delivered_at: Date | null;
    failing_since: Date | null;
    failures: Generated<number>;
    last_failed_at: Date | null;
    timeouts: Generated<number>;
    paused_until: Date | null;
    warned_at: Date | null;
  };
  webhook_leases: {
    merchant_id: number;
    holder: string;
    until: Date;
  };
  webhook_secrets: {
    merchant_id: number;
    receiver: string;
    id: string;
    sealed_secret: Buffer;
    created_at: Date;
    expires_at: Date | null;
  };
  withdrawal_controls: {
    merchant_id: number;
    pin_hash: string | null;
    pin_set_at: Date | null;
    wrong_pins: Generated<number>;
    pin_locks: Generated<number>;
    pin_locked_until: Date | null;
    held_until: Date | null;
    held_because: string | null;
    api_enabled: Generated<boolean>;
    api_changed_at: Date | null;
  };
  withdrawal_destinations: {
    merchant_id: number;
    pix_key: string;
    key_type: string;
    label: Generated<string>;
    created_at: Date;
  };
  withdrawal_returns: {
    merchant_id: number;
    withdrawal_id: string;
    rtr_id: string;
    amount_cents: number;
    returned_at: Date;
    booked_at: Date;
    connection_id: Generated<number>;
  };
  withdrawals: {
    merchant_id: number;
    id: string;
    id_envio: string;
    status: string;
    operator_hold_reason: string | null;
    origin: string;
    amount_cents: number;
    fee_cents: number;
    key_type: string;
    pix_key: string;
    callback_url: string | null;
    end_to_end_id: string | null;
    error_code: string | null;
    error: string | null;
    returned_cents: Generated<number>;
    due_at: Date | null;
    send_count: Generated<number>;
    lookup_count: Generated<number>;
    not_found_count: Generated<number>;
    first_sent_at: Date | null;
    last_sent_at: Date | null;
    unknown_since: Date | null;
    created_at: Date;
    updated_at: Date;
    completed_at: Date | null;
    connection_id: Generated<number>;
    requested_by: number | null;
    stored_at: Generated<Date>;
  };
  write_checks: {
    only_row: Generated<boolean>;
    written_at: Date;
  };
};
