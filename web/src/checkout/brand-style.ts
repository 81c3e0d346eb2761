/**
 * A merchant's colour as page styles: for the main button and the tile of initials, with white or black text, whichever
 * has the better contrast. One of the two always has a contrast of at least 4.5.
 */
export function brandStyle(colour: string): string {
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new RangeError(`Not a colour: ${colour}`);
  return `:root{--brand:${colour};--brand-content:${inkOn(colour)}}`;
}

export function inkOn(colour: string): '#ffffff' | '#000000' {
  const light = luminance(colour);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
