/** The gateway's settings, parsed once. Amounts in integer cents. */
export type Config = {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly trustProxy: readonly string[];
  readonly dataDir: string;
  /** Undefined: the gateway starts its own PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly migrationDatabaseUrl: string | undefined;
  readonly mode: 'sandbox' | 'live';
  readonly psp: PspConfig;
  readonly pixKey: string;
  readonly merchantCity: string;
  /** Banco Sandbox's address as a browser reaches it; undefined when live. */
  readonly bankUrl: string | undefined;
  readonly sandboxPublic: boolean;
  readonly role: 'all' | 'web' | 'worker';
  readonly adminEmail: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly webhookAllowCidrs: readonly string[];
  readonly limits: {
    readonly chargeMax: number;
    readonly withdrawalMax: number;
    readonly withdrawalDay: number;
    readonly withdrawalNight: number;
    readonly gatewayDay: number;
    /** Sum of an operator's balance adjustments a day. */
    readonly adjustmentDay: number;
  };
};

/** How the bank is reached. */
export type PspConfig = {
  readonly name: 'sandbox' | 'efi' | 'bacen';
  /** Base of API Pix, with its version: `http://127.0.0.1:3001/v2`. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Client certificate for mTLS: PEM certificate and key, or PKCS#12. */
  readonly tls?: {
    readonly cert?: Buffer;
    readonly key?: Buffer;
    readonly pfx?: Buffer;
    readonly passphrase?: string;
    readonly ca?: Buffer;
  };
  /** Source addresses whose notices are taken; empty: any. */
  readonly webhookCidrs: readonly string[];
  /** Header by which a trusted proxy says that the bank's client certificate was verified: `name: value`. */
  readonly webhookProofHeader?: { readonly name: string; readonly value: string };
  readonly webhookMtlsPort?: number;
};
