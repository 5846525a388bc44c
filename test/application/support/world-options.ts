import type { Allowances } from '../../../application/ports/allowances.ts'
import type { InstancePolicy } from '../../../domain/instance/policy.ts'
import type { OpenIdProvider } from '../../../application/ports/openid-provider.ts'
import type { Ports } from '../../../application/ports.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { LimitValues } from '../../../domain/limits/limit-keys.ts'

/** What a double must know of the process that uses it. */
export interface ActingProcess {
  /** Call it before each change: throws if the process is dead. */
  act(): void
  now(): Timestamp
}

export interface WorldOptions {
  /** Replaces default limits; read each time. */
  readonly limits?: Partial<LimitValues>
  readonly instance?: Partial<Ports['instance']>
  /** Replaces sections of a fresh instance's policy. */
  readonly policy?: Partial<InstancePolicy>
  readonly allowances?: Allowances
  /** No provider answers unless a test is about one. */
  readonly openIdProvider?: OpenIdProvider
  /** Whether the instance has a mail server; false by default. */
  readonly canSendMail?: boolean
  /** The stores and the queue; without them nothing is sold, and no job is kept. */
  readonly shops?: (process: ActingProcess) => Pick<Ports, 'jobs' | 'stores'>
  /** How far the read models lag behind the events, in milliseconds. */
  readonly lag_ms?: number
}
