const subjectIn = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/** The id of an event of a charge, a withdrawal or a dispute: deterministic, so that the event is emitted once. */
export function eventIdOf(subjectId: string, what: string): string {
  return `evt_${subjectId.replaceAll('-', '')}_${what}`;
}

/** The subject of an event or of its delivery; undefined if the id is not an event's. */
export function subjectOf(eventId: string): string | undefined {
  return subjectIn.exec(eventId)?.slice(1).join('-');
}

/** The event id of a delivery: the part of its id before the first dot. */
export function eventOf(deliveryId: string): string {
  return deliveryId.split('.', 1)[0] ?? deliveryId;
}
