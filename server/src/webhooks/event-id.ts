const subjectIn = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/** The id of what happened to a charge, a withdrawal or a dispute: the same whoever tells it, so it is told once. */
export function eventIdOf(subjectId: string, what: string): string {
  return `evt_${subjectId.replaceAll('-', '')}_${what}`;
}

/** What an event, or a delivery of it, is about; undefined: there is no such event. */
export function subjectOf(eventId: string): string | undefined {
  return subjectIn.exec(eventId)?.slice(1).join('-');
}

/** The event of a delivery: what stands before the point in its id. */
export function eventOf(deliveryId: string): string {
  return deliveryId.split('.', 1)[0] ?? deliveryId;
}
