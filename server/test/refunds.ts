import { paymentRefunds, type Refund, refundPayment } from '@jangada/contract';
import type { ApiAnswer, TestGateway } from './gateway.ts';
import { type GivenMerchant, parseSuccess } from './given.ts';

/** Requests a refund by API key, by default of all that is left. */
export function requestRefundByApi(
  gateway: TestGateway,
  { apiKey }: Pick<GivenMerchant, 'apiKey'>,
  paymentId: string,
  body: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  return gateway.api('POST', `/pix/${paymentId}/refund`, body, { apiKey, headers });
}

/** A refund that the gateway accepted. */
export async function givenRefund(
  gateway: TestGateway,
  merchant: Pick<GivenMerchant, 'apiKey'>,
  paymentId: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Refund> {
  return parseSuccess(refundPayment.response, await requestRefundByApi(gateway, merchant, paymentId, body));
}

export async function readRefunds(
  gateway: TestGateway,
  { apiKey }: Pick<GivenMerchant, 'apiKey'>,
  paymentId: string,
) {
  return parseSuccess(
    paymentRefunds,
    await gateway.api('GET', `/pix/${paymentId}/refunds`, undefined, { apiKey }),
  );
}
