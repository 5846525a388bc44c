import type { JobPayloads, Jobs } from '../../../application/ports/jobs.ts'
import type { StoreAnswer, StoreKey, StoreReading, Stores } from '../../../application/ports/stores.ts'
import { noStores } from '../../../application/identity/purchases/no-stores.ts'
import { msOf, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import {
  kindOf,
  type PurchaseFacts,
  type PurchaseSlot,
  type StoreProvider,
} from '../../../domain/store-purchase/purchase-facts.ts'
import type { ActingProcess } from './world-options.ts'

/** A purchase as its store has it. */
export interface Sale {
  readonly provider: StoreProvider
  /** The store's own key; also what its customer submits. */
  readonly key: string
  readonly slot: PurchaseSlot
  /** The token of the subscription that it replaces. */
  readonly replaces: string | null
  orderId: string
  accountToken: string | null
  /** Null for a gift. */
  expiresAt: Timestamp | null
  graceEndsAt: Timestamp | null
  isCanceled: boolean
  revokedAt: Timestamp | null
  /** How often the store was told that it was delivered. */
  delivered_count: number
}

/** Both stores and the queue of jobs in memory. They outlive the process. */
export interface MemoryShops {
  readonly open: (process: ActingProcess) => { readonly stores: Stores; readonly jobs: Jobs }
  sell(sale: Partial<Sale> & Pick<Sale, 'provider' | 'key' | 'slot'>): Sale
  /** Whether the stores answer. */
  answers: boolean
  /** The jobs that wait, by their keys. */
  readonly jobs: Map<string, { readonly task: keyof JobPayloads; readonly payload: unknown }>
}

export const shopApp = 'org.example.chat'

/** Makes both stores, which have sold nothing. */
export function memoryShops(): MemoryShops {
  const sales = new Map<string, Sale>()
  const jobs: MemoryShops['jobs'] = new Map()
  let readings_count = 0
  const self: MemoryShops = {
    answers: true,
    jobs,
    sell: (given) => {
      const sale = { ...freshSale, orderId: `order 1 of ${given.key}`, ...given }
      sales.set(sale.key, sale)
      return sale
    },
    open: (process) => {
      const of = (key: StoreKey): Sale | undefined =>
        sales.get(key.provider === 'store_a' ? key.originalTransactionId : key.purchaseToken)
      const change = async (key: StoreKey, how: (sale: Sale) => boolean): Promise<StoreAnswer<null>> => {
        process.act()
        const sale = of(key)
        if (!self.answers) return failed('unavailable')
        return sale && how(sale) ? { ok: true, value: null } : failed('rejected')
      }
      const read = async (key: StoreKey): Promise<StoreAnswer<StoreReading>> => {
        if (!self.answers) return failed('unavailable')
        const sale = of(key)
        if (!sale) return failed('not found')
        readings_count += 1
        // No two readings are of the same instant.
        const asOf = timestamp(msOf(process.now()) + readings_count)
        return { ok: true, value: { key: keyOf(sale), facts: factsOf(sale, process.now()), ...said(sale), asOf } }
      }
      return { stores: storesOver(sales, read, change), jobs: jobsIn(jobs, process) }
    },
  }
  return self
}

const freshSale = {
  replaces: null,
  accountToken: null,
  expiresAt: null,
  graceEndsAt: null,
  isCanceled: false,
  revokedAt: null,
  delivered_count: 0,
}

function jobsIn(jobs: MemoryShops['jobs'], { act }: ActingProcess): Jobs {
  return {
    add: async (task, payload, { key = `job ${jobs.size}` } = {}) => {
      act()
      if (!jobs.has(key)) jobs.set(key, { task, payload })
    },
  }
}

type Change = (key: StoreKey, how: (sale: Sale) => boolean) => Promise<StoreAnswer<null>>

function storesOver(sales: ReadonlyMap<string, Sale>, read: Stores['read'], change: Change): Stores {
  const deliver = (key: StoreKey) =>
    change(key, (sale) => {
      if (sale.delivered_count > 0) return false
      sale.delivered_count += 1
      return true
    })
  const cancel = (key: StoreKey) => change(key, (sale) => (sale.isCanceled = true))
  const [subscription, gift] = ['monthly', 'gift_1_month'] as const
  return {
    ...noStores,
    read,
    storeA: {
      ...noStores.storeA,
      settings: { enabled: true, bundleIds: [shopApp], products: [] },
      verifyTransaction: async (signed) => {
        const sale = sales.get(signed)
        const key = sale && keyOf(sale)
        if (!sale || key?.provider !== 'store_a') return failed('rejected')
        const known = { ...key, environment: 'production' } as const
        return {
          ok: true,
          value: { key: known, productId: sale.slot, slot: sale.slot, signedAt: timestamp(0) },
        }
      },
      setAccountToken: (key, token) => change(key, (sale) => Boolean((sale.accountToken = token))),
    },
    storeB: {
      ...noStores.storeB,
      settings: {
        enabled: true,
        packageNames: [shopApp],
        products: [subscription, gift].map((slot) => ({ productId: slot, basePlanId: null, slot })),
      },
      acknowledge: deliver,
      consume: deliver,
      cancel,
    },
  }
}

const failed = (kind: 'not found' | 'rejected' | 'unavailable') =>
  ({ ok: false, failure: { kind, detail: 'double' } }) as const

/** How a purchase is asked for. */
export function keyOf({ provider, key, slot }: Sale): StoreKey {
  const kind = kindOf(slot)
  return provider === 'store_b'
    ? { provider, packageName: shopApp, kind, purchaseToken: key }
    : { provider, environment: 'production', bundleId: shopApp, kind, originalTransactionId: key }
}

const said = ({ orderId, accountToken, replaces }: Sale): Pick<StoreReading, 'secrets'> => ({
  secrets: {
    latestTransactionId: orderId,
    accountToken,
    linkedPurchaseToken: replaces,
    expired: { purchaseToken: null, accountToken: null },
  },
})

/** What the store says of a sale at an instant. */
export function factsOf(sale: Sale, now: Timestamp): PurchaseFacts {
  const { provider, slot, expiresAt, graceEndsAt, isCanceled, revokedAt, delivered_count } = sale
  const isGift = kindOf(slot) === 'gift'
  const state = isGift ? (revokedAt === null ? 'purchased' : 'refunded') : subscriptionState(sale, now)
  return {
    appId: shopApp,
    productId: slot,
    basePlanId: null,
    slot,
    environment: 'production',
    state,
    grants: ['active', 'canceled', 'grace', 'purchased'].includes(state),
    storeState: null,
    expiresAt,
    graceEndsAt: state === 'grace' ? graceEndsAt : null,
    autoRenew: isGift ? null : !isCanceled,
    startedAt: null,
    purchasedAt: null,
    revokedAt,
    revocationReason: null,
    ownershipType: null,
    region: null,
    acknowledged: provider === 'store_a' || delivered_count > 0,
    quantity: 1,
  }
}

function subscriptionState({ expiresAt, graceEndsAt, isCanceled, revokedAt }: Sale, now: Timestamp) {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt > now) return isCanceled ? 'canceled' : 'active'
  return graceEndsAt !== null && graceEndsAt > now ? 'grace' : 'expired'
}
