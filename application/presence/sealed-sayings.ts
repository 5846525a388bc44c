import { z } from 'zod'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { CustomStatus } from '../../domain/user-settings/settings.ts'
import type { PresentSession } from '../ports/presence.ts'
import { sealedBox } from '../secrets/sealed-box.ts'

/** Never changes: processes of different versions exchange them. */
const purpose = 'custom statuses of sessions'

/** Far more than a sealed Identify needs. */
export const sealedSaying_length_max = 8192

/** The sender has validated it as a custom status. */
const saying = z
  .object({
    text: z.string().nullable(),
    expiresAt: z.custom<Timestamp>((value) => typeof value === 'string').nullable(),
    emojiId: z.string().nullable(),
    emojiName: z.string().nullable(),
  })
  .nullable()

/**
 * The custom statuses of sessions on their way between Gateways. They are personal, so each is sealed for its account and
 * session.
 */
export interface SealedSayings {
  /** Base64; undefined for a session without a custom status. */
  seal(account: AccountId, session: PresentSession): string | undefined
  /** The session's custom status. Undefined, and reported, if this instance did not seal it for that session. */
  open(account: AccountId, sessionId: string, sealed: string): CustomStatus | null | undefined
}

/** Seals with a key derived from PERSONAL_DATA_KEY. */
export function sealedSayings(personalDataKey: Uint8Array, onError: (error: unknown) => void): SealedSayings {
  const box = sealedBox(personalDataKey, purpose)
  return {
    seal: (account, { id, customStatus }) =>
      customStatus === undefined ? undefined : box.seal([account, id], JSON.stringify(customStatus)).toString('base64'),
    open(account, sessionId, sealed) {
      try {
        return saying.parse(JSON.parse(box.open([account, sessionId], Buffer.from(sealed, 'base64'))))
      } catch (error) {
        onError(error)
        return undefined
      }
    },
  }
}
