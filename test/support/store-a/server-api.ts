import type { JsonAnswer, StoreRequestSeen } from '../stores/json-server.ts'
import type { TestClock } from '../stores/test-clock.ts'
import { isOurs, type Credentials } from './credentials.ts'
import { appId, bundleId, statusOf, type Sale, type StoreAWorld } from './sales.ts'

/** Entries of a page of the notification history. */
export const historyPage_max = 20

export interface PastNotification {
  readonly signedPayload: string
  readonly type: string
  readonly at_ms: number
  readonly delivered: boolean
}

/** What the store has, and signs with. */
export interface StoreABooks {
  readonly sales: ReadonlyMap<string, Sale>
  readonly accountTokens: Map<string, string>
  readonly history: readonly PastNotification[]
  readonly credentials: Credentials
  readonly clock: TestClock
  readonly signedTransaction: (sale: Sale) => Promise<string>
  readonly signedRenewal: (sale: Sale) => Promise<string>
}

/** The Server API of store A, in both worlds. */
export function serverApi(books: StoreABooks) {
  return async (seen: StoreRequestSeen): Promise<JsonAnswer> => {
    const { world, resource, id } = placeOf(seen)
    if (!(await isOurs(seen, books.credentials, books.clock))) return { status: 401 }
    if (resource === 'POST notifications/history') return historyPage(books, seen)
    const sale = id === undefined ? undefined : books.sales.get(id)
    if (sale?.world !== world) return refusal(404, 4_040_010)
    if (resource === 'PUT transactions/appAccountToken') return setAccountToken(books, sale, seen.text)
    if (resource === 'GET transactions')
      return { status: 200, body: { signedTransactionInfo: await books.signedTransaction(sale) } }
    return resource === 'GET subscriptions' ? statuses(books, sale) : { status: 404 }
  }
}

async function statuses({ clock, signedTransaction, signedRenewal }: StoreABooks, sale: Sale): Promise<JsonAnswer> {
  const entry = {
    originalTransactionId: sale.originalTransactionId,
    status: statusOf(sale, clock.now()),
    signedTransactionInfo: await signedTransaction(sale),
    signedRenewalInfo: await signedRenewal(sale),
  }
  const data = [{ subscriptionGroupIdentifier: '1', lastTransactions: [entry] }]
  return { status: 200, body: { environment: sale.world, bundleId, appAppleId: appId, data } }
}

function setAccountToken({ accountTokens }: StoreABooks, sale: Sale, text: string): JsonAnswer {
  const { appAccountToken: token } = JSON.parse(text) as { appAccountToken?: unknown }
  const isUuid = typeof token === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(token)
  if (!isUuid) return refusal(400, 4_000_183)
  if (sale.transaction['inAppOwnershipType'] === 'FAMILY_SHARED') return refusal(400, 4_000_185)
  accountTokens.set(sale.originalTransactionId, token)
  return { status: 200 }
}

function historyPage({ history }: StoreABooks, { text, query }: StoreRequestSeen): JsonAnswer {
  const asked = JSON.parse(text) as Partial<Record<string, unknown>>
  const found = history
    .filter(({ type }) => [undefined, type].includes(asked['notificationType'] as string | undefined))
    .filter(({ delivered }) => asked['onlyFailures'] !== true || !delivered)
    .filter(({ at_ms }) => Number(asked['startDate']) <= at_ms && at_ms <= Number(asked['endDate']))
  const from = Number(query.get('paginationToken') ?? 0)
  const next = from + historyPage_max
  const notificationHistory = found.slice(from, next).map(({ signedPayload }) => ({ signedPayload }))
  const hasMore = next < found.length
  return { status: 200, body: { notificationHistory, hasMore, ...(hasMore && { paginationToken: String(next) }) } }
}

function placeOf({ method, path }: StoreRequestSeen) {
  const [, prefix, , , collection = '', id, part] = path.split('/')
  const world: StoreAWorld = prefix === 'sandbox' ? 'Sandbox' : 'Production'
  if (collection === 'notifications') return { world, resource: `${method} notifications/${id ?? ''}`, id: undefined }
  return { world, resource: `${method} ${[collection, part].filter(Boolean).join('/')}`, id }
}

/** An error as the store writes it. */
export function refusal(status: number, errorCode: number): JsonAnswer {
  return { status, body: { errorCode, errorMessage: 'The double refuses this.' } }
}
