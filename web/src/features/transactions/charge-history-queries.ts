import { listRefunds, parsePaymentRefunds, paymentTimeline } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callRaw } from '../../api/client.ts';

/** The refunds of a payment. Beyond the specification: fails if the provider lacks the call. */
export const refundsQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['refunds', paymentId],
    queryFn: async ({ signal }) =>
      parsePaymentRefunds(await callRaw(listRefunds, { params: { id: paymentId }, signal })),
  });

/** The events of a charge. Beyond the specification: fails if the provider lacks the call. */
export const timelineQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['timeline', paymentId],
    queryFn: ({ signal }) => call(paymentTimeline, { params: { id: paymentId }, signal }),
  });
