import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { growsTo } from '../../../../domain/kernel/grows-to.ts'
import type { Caller } from '../../../caller.ts'
import { Refused } from '../../../commands/refused.ts'
import { unlessLate } from '../../../concurrency/pauses.ts'
import { Unavailable } from '../../../failures/unavailable.ts'
import type { ReadingNeeds } from '../../../images/read-image.ts'
import type { WebhookRecord } from '../../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../../ports.ts'
import { storedAvatar } from '../webhook-images.ts'

type Needs = ReadingNeeds & Pick<Ports, 'limits' | 'linkPreviews'>

/** The hash of the picture at an address, stored for a webhook; undefined if it is not there in time. */
export type AskedPictures = (caller: Caller, webhook: WebhookRecord, url: string) => Promise<string | undefined>

/** How long a message waits for a picture. What comes later is there for the next message. */
const wait_ms_max = 3000
/** The sweep of images leaves what was stored within this time. */
const pictureLife_ms = 24 * 3_600_000
const failureLife_ms = 300_000
const pictures_max = 10_000

/** Null: there is no picture that can be read. */
interface Asked {
  readonly asking: Promise<string | null>
  hash?: string | null
}

/**
 * The pictures that messages of webhooks ask to be shown with. Each address is asked once a day for a webhook, and once in five minutes
 * while it gives no picture; the process remembers the last ten thousand (rules/webhooks#pictures-of-one-message).
 */
export function askedPictures(ports: Needs): AskedPictures {
  const known = new LRUCache<string, Asked>({ ...growsTo(pictures_max), ttl: pictureLife_ms })
  const ask = (key: string, caller: Caller, webhook: WebhookRecord, url: string): Asked => {
    const asked: Asked = { asking: pictureAt(ports, caller, webhook, url) }
    known.set(key, asked)
    asked.asking.then(
      (hash) => {
        asked.hash = hash
        known.set(key, asked, { ttl: hash === null ? failureLife_ms : pictureLife_ms })
      },
      () => known.delete(key),
    )
    return asked
  }
  return async (caller, webhook, url) => {
    const key = createHash('sha256').update(`${webhook.id} ${url}`).digest('base64url')
    const asked = known.get(key) ?? ask(key, caller, webhook, url)
    try {
      await unlessLate(asked.asking, wait_ms_max)
    } catch (error) {
      if (!(error instanceof Unavailable) && !(error instanceof Refused)) throw error
    }
    return asked.hash ?? undefined
  }
}

/**
 * Fetches and stores a picture; null for one that cannot be read, is too large or is listed. Rejects with Unavailable, and refuses with
 * RATE_LIMITED, where it may be there in a moment.
 */
async function pictureAt(ports: Needs, caller: Caller, webhook: WebhookRecord, url: string): Promise<string | null> {
  const bytes = await ports.linkPreviews.picture(url)
  if (!bytes) return null
  const asking = { asker: caller, accountId: webhook.creatorId }
  try {
    return await storedAvatar(ports, asking, webhook.id, bytes)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code !== 'RATE_LIMITED') return null
    throw error
  }
}
