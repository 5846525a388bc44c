import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

export type AccountState = { readonly status: 'absent' } | ({ readonly status: 'registered' } & Account)

export interface Account {
  readonly id: AccountId
  readonly username: string
  readonly discriminator: number
  readonly globalName: string | null
  readonly email: string | null
  readonly emailVerified: boolean
  readonly passwordHash: string | null
  readonly dateOfBirth: string | null
  readonly locale: string
  readonly acls: readonly string[]
  readonly registeredAt: Timestamp
  /** Hashes of the tokens of live sessions. */
  readonly sessions: readonly string[]
}
