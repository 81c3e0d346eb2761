/** What an operator should put right: its name is told to anybody, the sentence to the log alone. */
export type Warning = { readonly name: string; readonly text: string };
