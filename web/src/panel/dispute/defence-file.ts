/** Converts a file from the gateway into a Blob. */
export function blobFrom({ type, content }: { type: string; content: string }): Blob {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type });
}

const kilobytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/** `840 kB`, `1,2 MB`. */
export function formatSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${kilobytes.format(Math.max(1, bytes / 1000))}\u00a0kB`
    : `${megabytes.format(bytes / 1_000_000)}\u00a0MB`;
}
