import { webhookSecrets } from '../../../application/communities/webhooks/webhook-tokens.ts'
import { createHash } from 'node:crypto'
import { giftSecrets } from '../../../application/identity/gifts/gift-codes.ts'
import { noStores } from '../../../application/identity/purchases/no-stores.ts'
import type { Ports } from '../../../application/ports.ts'
import { storeSecrets } from '../../../application/identity/purchases/take-notification.ts'
import { sealedBox } from '../../../application/secrets/sealed-box.ts'

/** The ports of purchases and gifts, without a store. */
export const ofStores: Pick<Ports, 'giftBox' | 'webhookBox' | 'jobs' | 'storeBox' | 'storeHash' | 'stores'> = {
  giftBox: sealedBox(new Uint8Array(32), giftSecrets),
  webhookBox: sealedBox(new Uint8Array(32), webhookSecrets),
  storeBox: sealedBox(new Uint8Array(32), storeSecrets),
  jobs: { add: () => Promise.resolve() },
  storeHash: (text) => createHash('sha256').update(`store ${text}`).digest('hex'),
  stores: noStores,
}
