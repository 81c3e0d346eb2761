// Sample payment links, counter codes (printed codes that can be paid repeatedly) and brands, for tests of screens.
import type { Brand, CounterCode, PaymentLink } from '@jangada/contract';

export const paymentLink: PaymentLink = {
  id: '7d9d6d0e-2b5f-4d7b-9a8e-0f3c5b1a2e44',
  url: 'https://pix.example.com/link/k7TzQ9vB2mXw8RfL',
  title: 'Camiseta Jangada',
  description: 'Algodão, do P ao GG.',
  amount: 89.9,
  max_payments: 100,
  ends_at: null,
  success_url: 'https://loja.example/obrigado',
  active: true,
  state: 'active',
  payments: 12,
  received: 1078.8,
  created_at: '2026-11-20T15:00:00.000Z',
  updated_at: '2026-11-20T15:00:00.000Z',
  version: 3,
};

export const counterCode: CounterCode = {
  id: '2f1e4c8a-91b7-4a53-8d0e-6b7c9a1f3d22',
  name: 'Caixa 1',
  amount: null,
  active: true,
  text: '00020126BRCODE-DO-BALCAO',
  print_url: 'https://pix.example.com/balcao/00000007k3TzQ9vB2mXw8RfLp',
  payments: 1,
  received: 25.9,
  created_at: '2026-11-20T15:00:00.000Z',
  updated_at: '2026-11-20T15:00:00.000Z',
  version: 1,
};

export const noBrand: Brand = { display_name: null, colour: null, logo: null };
