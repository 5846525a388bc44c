import { z } from 'zod'
import type { AccountId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { CustomStatus } from '../../domain/user-settings/settings.js'
import type { PresentSession } from '../ports/presence.js'
import { sealedBox } from '../secrets/sealed-box.js'

/** Kept forever: processes of different versions tell each other. */
const purpose = 'custom statuses of sessions'

/** Far above what a sealed Identify comes to. */
export const sealedSaying_length_max = 8192

/** It was read as a custom status where it was said. */
const saying = z
  .object({
    text: z.string().nullable(),
    expiresAt: z.custom<Timestamp>((value) => typeof value === 'string').nullable(),
    emojiId: z.string().nullable(),
    emojiName: z.string().nullable(),
  })
  .nullable()

/** What sessions say of themselves, as it goes between Gateways: personal, and so sealed for this session of this account. */
export interface SealedSayings {
  /** Base64; undefined for a session that says nothing. */
  seal(account: AccountId, session: PresentSession): string | undefined
  /** What the session says; undefined, and reported, where this instance has not sealed it for that session. */
  open(account: AccountId, sessionId: string, sealed: string): CustomStatus | null | undefined
}

/** Seals with a key that follows from PERSONAL_DATA_KEY. */
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
