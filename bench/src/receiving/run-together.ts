import type { Figure } from './figures.ts';
import type { Round } from './judge-round.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import { LONE_PAYMENT, OVERLOAD } from './options.ts';
import { preparedFileOf, prepareRound } from './prepare-round.ts';
import {
  type LatencyRound,
  lonePaymentWork,
  measureLatencies,
  plannedLatencyWork,
} from './run-latency-round.ts';
import { measureBetweenControls, plannedWorkOf, type RoundOptions } from './run-round.ts';
import { countAcknowledged, verifyRound } from './verify-round.ts';
import { openSilentReceiverBreaker, warmUp } from './warm-up.ts';

const parts = [LONE_PAYMENT, OVERLOAD];

/**
 * Runs the figures, the lone payments and the crowds on one test rig with one warmed-up gateway. That is cheap, but the
 * measured times mean nothing, since work that one measurement leaves unfinished continues during the next.
 */
export async function runTogether(
  options: RoundOptions,
): Promise<{ readonly round: Round; readonly latencies: LatencyRound }> {
  const { rig, figures, plan } = options;
  const files = await prepareRound(rig, plan.merchants, [
    ...figures.map((figure) => plannedWorkOf(figure, plan)),
    ...plannedLatencyWork(plan, parts),
  ]);
  const gateway = await rig.startGateway();
  const warmUpResults = await warmUp(rig, gateway, lonePaymentWork(plan), files, plan);
  const measure = async (figure: Figure): Promise<Measured> => {
    if (figure.kind === 'settle' && figure.receiver === 'prompt') await openSilentReceiverBreaker(rig);
    return measureFigure(rig, gateway, figure, preparedFileOf(files, figure.name), plan.figureSeconds);
  };
  const measured = await measureBetweenControls(options, measure);
  const { lone, overload, acknowledged } = await measureLatencies({ rig, plan, parts }, gateway, files);
  await gateway.stop();
  const counts = countAcknowledged([...warmUpResults, ...measured]);
  const faults = await verifyRound(rig, {
    payments: counts.payments + acknowledged.payments,
    charges: counts.charges + acknowledged.charges,
  });
  return {
    round: { figures: measured, faults },
    latencies: { lone, overload, faults: lone?.faults ?? [] },
  };
}
