import { randomUUID } from 'node:crypto'
import { serveJson, type JsonServer } from '../stores/json-server.ts'
import { testClock, type TestClock } from '../stores/test-clock.ts'
import { publisherApi, storeBError, type VoidedEntry } from './publisher-api.ts'
import { pushAudience, pushEmail, pushSigner, rsaKeys, type PushSigner } from './push.ts'
import { packageName, storeBProducts, type StoreBSale } from './sales.ts'

const period_ms = 30 * 86_400_000
const clientEmail = 'service@example.iam.gserviceaccount.com'

export type NewStoreBSale = Partial<Omit<StoreBSale, 'token'>> & Pick<StoreBSale, 'productId'>

/** A local store B: its API, its server of tokens, and the keys of its queue, which signs pushes. */
export interface StoreBDouble extends JsonServer {
  readonly clock: TestClock
  readonly push: PushSigner
  /** The value of STORE_B that sets a server up for this double. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What the store has voided; refunds are added. */
  readonly voided: VoidedEntry[]
  /** How many access tokens the store has given. */
  readonly tokensGiven: () => number
  sell(sale: NewStoreBSale): StoreBSale
  /** Ends every access token. */
  endTokens(): void
}

export async function startStoreB({ clock = testClock(), port = 0 } = {}): Promise<StoreBDouble> {
  const { publicKey, privateKey } = rsaKeys('service')
  const sales = new Map<string, StoreBSale>()
  const voided: VoidedEntry[] = []
  const accessTokens = new Map<string, number>()
  const push = pushSigner(clock)
  const url = (): string => served.url
  const api = publisherApi({ sales, voided, accessTokens, clientEmail, publicKey, clock, push, url })
  const served = await serveJson(api, (status) => storeBError(status).body, port)
  return Object.assign(served, {
    clock,
    push,
    voided,
    settings: {
      client_email: clientEmail,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      packages: [packageName],
      products: storeBProducts,
      push: { audience: pushAudience, email: pushEmail, jwks_url: `${served.url}/certs` },
      api_url: served.url,
      token_url: `${served.url}/token`,
    },
    tokensGiven: () => accessTokens.size,
    endTokens: () => {
      for (const token of accessTokens.keys()) accessTokens.set(token, 0)
    },
    sell: (given: NewStoreBSale) => {
      const sale = saleOf(given, clock.now())
      sales.set(sale.token, sale)
      return sale
    },
  })
}

function saleOf({ productId, ...given }: NewStoreBSale, now_ms: number): StoreBSale {
  return {
    token: randomUUID(),
    productId,
    basePlanId: productId.startsWith('gift') ? undefined : 'monthly-plan',
    orderId: `GPA.${randomUUID()}`,
    expires_ms: now_ms + period_ms,
    acknowledged: false,
    consumed: false,
    canceled: false,
    ended: false,
    answer: {},
    line: {},
    ...given,
  }
}
