export { type Merchant, readMerchant } from './merchant-terms.ts';
