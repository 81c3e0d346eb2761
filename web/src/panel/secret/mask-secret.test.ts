import { expect, test } from 'vitest';
import { maskSecret } from './secret-well.tsx';

test('a masked secret keeps only its prefix and its last four characters', () => {
  expect(maskSecret('jgd_0123456789abcdef4f2a')).toBe('jgd_••••••••4f2a');
  expect(maskSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe('whsec_••••••••LaSw');
  expect(maskSecret('0123456789')).toBe('••••••••6789');
});
