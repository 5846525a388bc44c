import { generateKeyPairSync, randomInt, randomUUID } from 'node:crypto'
import { serveJson, type JsonServer } from '../stores/json-server.ts'
import { testClock, type TestClock } from '../stores/test-clock.ts'
import { certificatesBelow, newRoot, type Authority, type StoreACertificates } from './certificates.ts'
import { settingsOf, type Credentials } from './credentials.ts'
import { appId, bundleId, isSubscription, renewalOf, transactionOf, type Sale } from './sales.ts'
import { refusal, serverApi, type PastNotification } from './server-api.ts'
import { signAsStoreA, type SigningFaults } from './sign.ts'

const period_ms = 30 * 86_400_000

/** A local store A: its Server API in both worlds, and its signatures. */
export interface StoreADouble extends JsonServer {
  readonly clock: TestClock
  readonly root: Authority
  readonly certificates: StoreACertificates
  /** The value of STORE_A that sets a server up for this double. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The account token that an application has set with the store, by original transaction. */
  readonly accountTokens: ReadonlyMap<string, string>
  sell(sale: NewSale): Sale
  /** What the customer's app hands over. */
  signedTransaction(sale: Sale, changes?: object, faults?: SigningFaults): Promise<string>
  signedRenewal(sale: Sale, changes?: object): Promise<string>
  sign(payload: object, faults?: SigningFaults): Promise<string>
  /** A signed notification, kept in the history too. `data` replaces members of its data. */
  notify(type: string, sale: Sale | undefined, also?: NotificationChanges): Promise<string>
  /** Forgets a purchase. */
  forget(sale: Sale): void
}

export type NewSale = Partial<Omit<Sale, 'originalTransactionId'>> & Pick<Sale, 'productId'>

export interface NotificationChanges {
  readonly subtype?: string
  /** Members of the payload beside its type, or instead of them. */
  readonly payload?: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, unknown>>
  /** Whether the store believes that it arrived. */
  readonly delivered?: boolean
  readonly faults?: SigningFaults
}

export async function startStoreA({ clock = testClock(), port = 0 } = {}): Promise<StoreADouble> {
  const root = await newRoot()
  const certificates = await certificatesBelow(root)
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sales = new Map<string, Sale>()
  const accountTokens = new Map<string, string>()
  const history: PastNotification[] = []
  const credentials: Credentials = { issuer_id: randomUUID(), key_id: 'KEY1234567', publicKey: keys.publicKey }

  const sign = (payload: object, faults?: SigningFaults) => signAsStoreA(payload, certificates, faults)
  const signedTransaction: StoreADouble['signedTransaction'] = (sale, changes, faults) =>
    sign({ ...transactionOf(sale, clock.now(), accountTokens), ...changes }, faults)
  const signedRenewal: StoreADouble['signedRenewal'] = (sale, changes) =>
    sign({ ...renewalOf(sale, clock.now()), ...changes })

  const api = serverApi({ sales, accountTokens, history, credentials, clock, signedTransaction, signedRenewal })
  const served = await serveJson(api, (status) => refusal(status, status * 10_000).body, port)
  return Object.assign(served, {
    clock,
    root,
    certificates,
    settings: settingsOf(served.url, credentials, keys.privateKey, certificates),
    accountTokens,
    signedTransaction,
    signedRenewal,
    sign,
    sell: (given: NewSale) => {
      const sale = saleOf(given, clock.now())
      sales.set(sale.originalTransactionId, sale)
      return sale
    },
    forget: ({ originalTransactionId }: Sale) => void sales.delete(originalTransactionId),
    notify: async (type: string, sale: Sale | undefined, also: NotificationChanges = {}) => {
      const signed = sale && {
        signedTransactionInfo: await signedTransaction(sale),
        ...(isSubscription(sale) && { signedRenewalInfo: await signedRenewal(sale) }),
      }
      const signedPayload = await sign(notificationOf(type, sale, signed, also, clock.now()), also.faults)
      history.push({ signedPayload, type, at_ms: clock.now(), delivered: also.delivered ?? true })
      return signedPayload
    },
  })
}

function saleOf({ productId, world = 'Production', renewal = {}, status, transaction }: NewSale, now_ms: number): Sale {
  const expires = isSubscription({ productId }) && { expiresDate: now_ms + period_ms }
  return {
    originalTransactionId: String(randomInt(2 ** 47)),
    productId,
    world,
    renewal,
    status,
    transaction: { purchaseDate: now_ms, ...expires, ...transaction },
  }
}

function notificationOf(
  notificationType: string,
  sale: Sale | undefined,
  signed: object | undefined,
  { subtype, data, payload }: NotificationChanges,
  signedDate: number,
): object {
  const environment = sale?.world ?? 'Production'
  const app = { environment, bundleId, ...(environment === 'Production' && { appAppleId: appId }) }
  return {
    notificationType,
    notificationUUID: randomUUID(),
    version: '2.0',
    signedDate,
    ...(subtype && { subtype }),
    data: { ...app, ...signed, ...data },
    ...payload,
  }
}
