import type { ReadyState } from '../../application/ports/readiness.ts'

/** The settings of the status listener's thread. */
export interface StatusThreadSettings {
  readonly host: string
  readonly port: number
  /** The Bearer token that /_metrics requires; undefined requires none. */
  readonly metricsToken: string | undefined
  /** How long the process may be silent, in milliseconds, before it counts as not live. */
  readonly silent_ms_max: number
  /** How long the process may take to make its metrics. After that the thread serves the last ones. Default: 2 s. */
  readonly metrics_ms_max?: number | undefined
}

/** From the process to the thread. */
export type ToThread =
  | { readonly kind: 'state'; readonly state: ReadyState }
  | { readonly kind: 'metrics'; readonly text: string; readonly contentType: string }

/** From the thread to the process. */
export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'not listening'; readonly code: string; readonly message: string }
  | { readonly kind: 'metrics' }
