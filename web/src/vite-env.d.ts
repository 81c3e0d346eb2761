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

/** Written by build/checkout-plugin.ts: the stylesheet itself, and where script and font are. */
declare module 'virtual:checkout-files' {
  export const stylesheet: string;
  export const script: string;
  export const font: string;
}

/** Written by build/service-worker-plugin.ts: the page without a network, and the policy that it needs. */
declare module 'virtual:offline-page' {
  export const html: string;
  export const policy: string;
}
