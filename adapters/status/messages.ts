import type { ReadyState } from '../../application/ports/readiness.js'

/** What the thread of the status listener is started with. */
export interface StatusThreadSettings {
  readonly host: string
  readonly port: number
  /** What /_metrics asks for behind Bearer; nothing where it is undefined. */
  readonly metricsToken: string | undefined
  /** How long the process may say nothing, in milliseconds, before it is not live. */
  readonly silent_ms_max: number
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
