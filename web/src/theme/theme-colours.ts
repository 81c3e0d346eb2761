/**
 * The colour that `<meta name="theme-color">` gives to the browser's own controls around the page, for each theme. It
 * is the theme's colour `base-100`.
 */
export const themeColours = { corporate: '#ffffff', dark: '#0d161c' } as const;
