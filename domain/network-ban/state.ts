import type { Timestamp } from '../kernel/timestamp.js'
import type { NetworkBanned } from './events.js'

/** Whether a network is banned; one whose ban has ended is `banned` until it is lifted or banned anew. */
export type NetworkBanState = { readonly status: 'free' } | ({ readonly status: 'banned' } & NetworkBanned)

/** Whether a ban holds at an instant. */
export function holds({ expiresAt }: Pick<NetworkBanned, 'expiresAt'>, now: Timestamp): boolean {
  return expiresAt === null || now < expiresAt
}
