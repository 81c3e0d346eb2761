import { desk } from './desk.ts';
import { entrance } from './entrance.ts';
import { merchantAccount } from './merchant-account.ts';
import { merchantMoney } from './merchant-money.ts';
import { merchantSales } from './merchant-sales.ts';
import { bank, payers } from './payers.ts';
import type { Screen } from './screen.ts';

/** Every screen and dialog of the product, in each of its states. */
export const catalogue: readonly Screen[] = [
  ...entrance,
  ...merchantMoney,
  ...merchantSales,
  ...merchantAccount,
  ...payers,
  ...bank,
  ...desk,
];
