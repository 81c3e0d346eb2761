/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Address of the API with its prefix; `/api` when absent. */
  readonly VITE_API_URL?: string;
  /** Address of the live channel; below the API when absent. */
  readonly VITE_WS_URL?: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}

/** Printed by build/api-docs-plugin.ts. */
declare module 'virtual:api-docs' {
  export const printedDocs: import('./features/api-docs/fill-docs.ts').PrintedDocs;
}
