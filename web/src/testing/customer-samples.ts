// A sample customer and sample reminders, for tests of screens.
import type { Customer, ReminderSettings } from '@jangada/contract';

export const customer: Customer = {
  id: '01997d6d-0e2b-7d4d-9a8e-0f3c5b1a2e44',
  name: 'Maria Souza',
  document: '529.982.247-25',
  email: 'maria@example.com',
  phone: '+5581999998888',
  address: { street: 'Rua da Aurora, 10', city: 'Recife', state: 'PE', zip_code: '50050000' },
  note: null,
  external_id: 'aluno-1',
  page_url: 'https://pix.example.com/c/00000007k3TzQ9vB2mXw8RfLpk3TzQ',
  reminders_stopped_at: null,
  archived_at: null,
  created_at: '2026-11-20T15:00:00.000Z',
  updated_at: '2026-11-20T15:00:00.000Z',
  version: 3,
};

export const reminders: ReminderSettings = {
  active: false,
  days: [-3, 0, 3],
  subject: 'Lembrete: {valor} com vencimento em {vencimento}',
  text: 'Olá, {nome}!\n\nPara pagar com Pix:\n{link}',
  failed_debits: {
    active: false,
    subject: 'Não conseguimos debitar {valor}',
    text: 'Olá, {nome}!\n\nPara pagar com Pix:\n{link}',
    warns: false,
    warning_subject: 'O banco vai tentar de novo debitar {valor}',
    warning_text: 'Olá, {nome}!\n\nO banco tenta de novo em {tentativa}:\n{link}',
  },
  authorization_requests: {
    active: false,
    subject: 'Falta autorizar o Pix Automático de {assinatura}',
    text: 'Olá, {nome}!\n\nFalta só você autorizar, uma única vez, no app do seu banco:\n{link}',
  },
  version: 0,
};
