import { z } from 'zod'
import type { SessionHandovers } from '../../ports/session-handovers.js'
import type { Signals } from '../../ports/signals.js'
import { sealedBox } from '../../secrets/sealed-box.js'

/** Kept forever: processes of different versions tell each other. */
const purpose = 'session handovers'

const hash_length = 43
/** Far above a sealed token. */
const sealedLength_max = 1024
/** What the address is sealed for, besides the two sessions. */
const addressUse = 'address'

const tokenHash = z
  .string()
  .length(hash_length)
  .regex(/^[\w-]+$/)

/**
 * What goes over the signal kind `handover`. The hashes are the public ids of sessions; the token and the address are sealed. A
 * process of an earlier version tells no address.
 */
const handoverMessage = z.object({
  fromTokenHash: tokenHash,
  toTokenHash: tokenHash,
  sealedToken: z.base64().max(sealedLength_max),
  sealedAddress: z.base64().max(sealedLength_max).optional(),
})

/** Between processes: told at one, and passed on at every other. */
export interface SharedHandovers extends SessionHandovers {
  /**
   * Passes on what is told from now on at whatever process, this one too, until the returned function is called. What can't be
   * read or opened is reported by the signals, and passed on to nobody.
   */
  passOn(handovers: SessionHandovers): () => void
}

/**
 * Tells handovers over signals, so that whichever Gateway has connections of the session that ends can tell them the new token.
 * The token and the address are sealed with a key that follows from PERSONAL_DATA_KEY and for these two sessions, so who listens
 * to the signals reads neither and makes none up. A Gateway that does not hear it in time tells its clients that their session is gone.
 */
export function sharedHandovers(signals: Signals, personalDataKey: Uint8Array): SharedHandovers {
  const box = sealedBox(personalDataKey, purpose)
  return {
    expect({ fromTokenHash, toTokenHash, token, address }) {
      const sessions = [fromTokenHash, toTokenHash]
      const sealedToken = box.seal(sessions, token).toString('base64')
      const sealedAddress =
        address === null ? undefined : box.seal([...sessions, addressUse], address).toString('base64')
      signals.publish('handover', { fromTokenHash, toTokenHash, sealedToken, sealedAddress })
    },
    passOn: (handovers) =>
      signals.subscribe('handover', (payload) => {
        const { fromTokenHash, toTokenHash, sealedToken, sealedAddress } = handoverMessage.parse(payload)
        const sessions = [fromTokenHash, toTokenHash]
        const token = box.open(sessions, Buffer.from(sealedToken, 'base64'))
        const address =
          sealedAddress === undefined ? null : box.open([...sessions, addressUse], Buffer.from(sealedAddress, 'base64'))
        handovers.expect({ fromTokenHash, toTokenHash, token, address })
      }),
  }
}
