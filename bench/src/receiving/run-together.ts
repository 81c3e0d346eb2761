import type { Figure } from './figures.ts';
import { fileOf } from './file-of.ts';
import type { Round } from './judge-round.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import { LONE_PAYMENT, OVERLOAD } from './options.ts';
import { prepare } from './prepare-round.ts';
import { restSilentReceiver } from './rest-silent-receiver.ts';
import {
  type LatencyRound,
  lonePayments,
  measureLatencies,
  wantedForLatencies,
} from './run-latency-round.ts';
import { measureBeside, type RoundOptions, wantedFor } from './run-round.ts';
import { sumOf, verifyRound } from './verify-round.ts';
import { warmUp } from './warm-up.ts';

const parts = [LONE_PAYMENT, OVERLOAD];

/**
 * Runs the figures, the lone payment and the crowds on one stand with one warmed-up gateway. That is cheap, but its times
 * mean nothing, since the work left by one measurement continues during the next.
 */
export async function runTogether(
  options: RoundOptions,
): Promise<{ readonly round: Round; readonly latencies: LatencyRound }> {
  const { stand, figures, plan } = options;
  const files = await prepare(stand, plan.merchants, [
    ...figures.map((figure) => wantedFor(figure, plan)),
    ...wantedForLatencies(plan, parts),
  ]);
  const gateway = await stand.startGateway();
  const warm = await warmUp(stand, gateway, lonePayments(plan), files, plan);
  const measure = async (figure: Figure): Promise<Measured> => {
    if (figure.kind === 'settle' && figure.receiver === 'prompt') await restSilentReceiver(stand);
    return measureFigure(stand, gateway, figure, fileOf(files, figure.name), plan.figureSeconds);
  };
  const measured = await measureBeside(options, measure);
  const { lone, overload, acknowledged } = await measureLatencies({ stand, plan, parts }, gateway, files);
  await gateway.stop();
  const others = sumOf([...warm, ...measured]);
  const faults = await verifyRound(stand, {
    payments: others.payments + acknowledged.payments,
    charges: others.charges + acknowledged.charges,
  });
  return {
    round: { figures: measured, faults },
    latencies: { lone, overload, faults: lone?.faults ?? [] },
  };
}
