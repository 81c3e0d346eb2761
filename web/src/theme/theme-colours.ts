/** The colour of the browser or phone UI around the page: each theme's base-100, as `<meta>` takes it. */
export const themeColours = { corporate: '#ffffff', dark: '#0d161c' } as const;
