/**
 * An Idempotency-Key that follows from a text, so that the same charges have the same key after a reload, in another tab
 * or on another computer. It need not resist anybody: who could forge it could as well send another key. The browser's
 * own digests do not exist on plain http.
 */
export function contentKey(text: string): string {
  const lanes = new Uint32Array([0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]);
  const factors = [0x01000193, 0x27d4eb2f, 0x165667b1, 0x9e3779b1];
  for (let at = 0; at < text.length; at += 1)
    for (let lane = 0; lane < lanes.length; lane += 1)
      lanes[lane] = Math.imul((lanes[lane] ?? 0) ^ text.charCodeAt(at), factors[lane] ?? 1);
  return `lote-${text.length.toString(16)}-${[...lanes].map((value) => value.toString(16).padStart(8, '0')).join('')}`;
}
