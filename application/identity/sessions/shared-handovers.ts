import { z } from 'zod'
import type { SessionHandovers } from '../../ports/session-handovers.ts'
import type { Signals } from '../../ports/signals.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'

/** Never changes: processes of different versions exchange handovers. */
const purpose = 'session handovers'

const hash_length = 43
/** Far more than a sealed token needs. */
const sealedLength_max = 1024
/** The use that the address is sealed for, in addition to the two sessions. */
const addressUse = 'address'

const tokenHash = z
  .string()
  .length(hash_length)
  .regex(/^[\w-]+$/)

/**
 * The payload of the signal kind `handover`. The hashes are the public ids of sessions; the token and the address are sealed.
 * Processes of an earlier version send no address.
 */
const handoverMessage = z.object({
  fromTokenHash: tokenHash,
  toTokenHash: tokenHash,
  sealedToken: z.base64().max(sealedLength_max),
  sealedAddress: z.base64().max(sealedLength_max).optional(),
})

/** Handovers between processes: expected at one, passed on at all others. */
export interface SharedHandovers extends SessionHandovers {
  /**
   * Passes on handovers expected at any process from now on, this one included, until the returned function is called. The
   * signals report handovers that cannot be read or opened, and drop them.
   */
  passOn(handovers: SessionHandovers): () => void
}

/**
 * Sends handovers as signals, so that every Gateway with connections of the ending session can give them the new token. The token
 * and the address are sealed for these two sessions, with a key derived from PERSONAL_DATA_KEY. So listeners on the signals can
 * neither read nor forge them. A Gateway that does not receive the signal in time tells its clients that their session has ended.
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
