import { expect, test } from 'vitest';
import { parseAdminUser, parseAdminUsers, parsePendingKyc } from './read-admin.ts';

const item = {
  user: { id: 7, name: 'Ana Lima', email: 'ana@loja.test' },
  document: {
    number: '52998224725',
    type: 'cpf',
    createdAt: '2026-11-21T12:00:00.000Z',
    front_side: '/9j/4A',
  },
};

test('verifications are read from a bare list and from a page, with displayable pictures', () => {
  const read = parsePendingKyc([item]);
  expect(read).toMatchObject({ total: 1, items: [{ userId: '7', docType: 'CPF', submission: null }] });
  expect(read.items[0]?.thumbnails).toEqual({
    document_front: 'data:image/jpeg;base64,/9j/4A',
    document_back: '',
    selfie: '',
  });
  const webp = { ...item, document: { ...item.document, selfie: 'UklGRg' } };
  const page = parsePendingKyc({ items: [webp], total: 31, page: 1, limit: 20 });
  expect(page).toMatchObject({ total: 31, limit: 20 });
  expect(page.items[0]?.thumbnails.selfie).toBe('data:image/webp;base64,UklGRg');
});

test('a user without fees, version and the like is read, and what is missing is 0, false or unknown', () => {
  const bare = { id: '1', name: 'Ana', username: 'ana', balance: 10.5, api_active: true };
  expect(parseAdminUser(bare)).toMatchObject({
    balanceCents: 1050,
    apiActive: true,
    version: null,
    kyc: null,
    frozenAt: null,
    taxes: { pix: { in: 0, fixOut: 0 }, reserve: { enabled: false, liberationTime: 0 } },
  });
  expect(parseAdminUsers({ users: [bare], total: 9 }).total).toBe(9);
  expect(parseAdminUsers([bare]).items).toHaveLength(1);
  expect(() => parseAdminUsers('none')).toThrow();
});
