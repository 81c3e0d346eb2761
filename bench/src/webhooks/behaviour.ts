/** How an endpoint responds: with 204, with 500, or never. */
export type ReceiverBehaviour = 'well' | 'failing' | 'hanging';

/** Of a hundred endpoints one hangs and five fail, spread among the healthy ones. */
export function behaviourOf(endpoint: number): ReceiverBehaviour {
  if (endpoint % 100 === 0) return 'hanging';
  return endpoint % 20 === 7 ? 'failing' : 'well';
}
