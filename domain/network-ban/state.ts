import { hasEnded, type Timestamp } from '../kernel/timestamp.ts'
import type { NetworkBanned } from './events.ts'

/** Whether a network is banned. After an expiry the status stays `banned` until the ban is lifted or replaced. */
export type NetworkBanState = { readonly status: 'free' } | ({ readonly status: 'banned' } & NetworkBanned)

/** Whether a ban is in force at an instant. */
export function holds({ expiresAt }: Pick<NetworkBanned, 'expiresAt'>, now: Timestamp): boolean {
  return expiresAt === null || !hasEnded(expiresAt, now)
}
