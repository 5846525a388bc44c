import { openLogger } from '../../adapters/telemetry/open-logger.ts'
import {
  purchaseLedger,
  purchasesEverLinked,
  secondsOf,
} from '../../application/administration/stores/purchase-ledger.ts'
import type { Stores } from '../../application/ports/stores.ts'
import type { Aggregates } from '../../application/ports.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { shownPurchase } from '../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../domain/store-purchase/state.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { actAsOperator, noTargetId } from '../operator/act-as-operator.ts'
import { comparePurchase, type PurchaseComparison } from '../operator/compare-purchase.ts'
import { eventText, fingerprint, grantedText, spanText } from '../operator/ledger-text.ts'
import { haveApplied, haveRead, requireQueue } from '../operator/queued-readings.ts'
import { everyPurchase, purchaseToldOf, purchaseWithId, type SeenPurchase } from '../operator/scan-purchases.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { openInstanceStores } from '../../process/roles/open-instance-stores.ts'
import { refuseWithoutServed, servedSettings } from '../../process/settings/served-settings.ts'
import { readSettings } from '../../process/settings/settings.ts'
import type { Store } from '../../process/store.ts'
import { accountNamed } from './account-named.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'
import { actorText } from './printed-events.ts'

type Print = (line: string) => void

/** The name of a purchase's stream: a keyed hash. */
const hashPattern = /^[\da-f]{64}$/

/**
 * Prints the ledger of a purchase, or of every purchase that an account was ever linked to: what the store said, and who was given
 * which seconds. Secrets are shown by the fingerprints of their keyed hashes.
 */
export async function storeShow(who: string, print: Print): Promise<void> {
  await besideServer(async (store) => {
    const aggregates = aggregatesOf(store)
    const purchases = await purchasesNamed(who, store, aggregates)
    if (purchases.length === 0) print(`Account ${who} was never linked to a purchase.`)
    for (const purchase of purchases) await printLedger(store, aggregates, purchase, print)
  })
}

/**
 * Has the worker read the purchase again that a notification told of, with an entry in the admin audit log. Rejects for one that
 * is neither in the queue nor named by history.
 */
export async function storeReplay(notification: string, print: Print): Promise<void> {
  await changeBesideServer({ print }, async (store) => {
    await requireQueue(store)
    const applied = await haveApplied(store, notification)
    const purchase = applied === undefined ? await purchaseToldOf(store.stored, notification) : undefined
    if (applied === undefined && purchase === undefined)
      throw new Error(`Notification ${notification} is not in the queue, and nothing in history follows from it`)
    const isDone = await actAsOperator(store, {
      action: 'replay_store_notification',
      target: { type: 'store_notification', id: notification },
      run: async () => (purchase === undefined ? applied === true : haveRead(store, [purchase])),
    })
    print(isDone ? `What notification ${notification} told of was read again.` : noWorker)
  })
}

export interface ReconcileOptions {
  readonly dryRun?: boolean
}

/**
 * Compares every purchase with its store and prints what differs. Unless it is a dry run, the worker then reads those purchases
 * again, with an entry in the admin audit log. Rejects if no store is set up.
 */
export async function storeReconcile({ dryRun = false }: ReconcileOptions, print: Print): Promise<void> {
  const compared = await besideServer(async (store) => {
    const stores = await storesOf(store)
    await refuseWithoutReadModels(store)
    if (!dryRun) await requireQueue(store)
    return { stores, differing: await printDifferences(store, stores, print) }
  })
  if (dryRun) print('This was a dry run: nothing was written, and the stores were told nothing.')
  else if (compared.differing.length > 0)
    await changeBesideServer({ print }, (store) => readAgain(store, compared.stores, compared.differing, print))
}

/** The stores of the server, asked with the command's own credentials. */
async function storesOf(store: Store): Promise<Stores> {
  await refuseWithoutServed(store, ['STORE_A', 'STORE_B'])
  const { hosted, sandbox } = await servedSettings(store)
  const settings = { hosted, stores: { ...readSettings(process.env).stores, sandbox } }
  const stores = openInstanceStores({ settings, logger: openLogger('warn', process.stderr) })
  if (!stores.storeA.settings.enabled && !stores.storeB.settings.enabled)
    throw new Error('No store is set up: STORE_A or STORE_B, and HOSTED=true')
  return stores
}

function aggregatesOf(store: Store): Aggregates {
  return openAggregates({ store: store.events, snapshots: store.snapshots })
}

/** The ids of purchases that an operator names: by themselves, or by an account. */
async function purchasesNamed(who: string, store: Store, aggregates: Aggregates): Promise<readonly string[]> {
  if (hashPattern.test(who)) return [who]
  const id = parseSnowflake(who)
  if (!id.ok) return purchasesEverLinked(store.events, await accountNamed(who, store, aggregates))
  const { state } = await aggregates.account.load(accountId(id.id))
  if (state.status !== 'absent') return purchasesEverLinked(store.events, accountId(id.id))
  const purchase = await purchaseWithId(store.stored, who)
  if (purchase === undefined) throw new Error(`There is no account and no purchase ${who}`)
  return [purchase]
}

async function printLedger(store: Store, aggregates: Aggregates, purchase: string, print: Print): Promise<void> {
  const { state } = await aggregates.storePurchase.load(purchase)
  if (state.status === 'absent') throw new Error(`There is no purchase ${purchase}`)
  const { entries, kept } = await purchaseLedger(store.events, purchase)
  for (const line of headOf(state)) print(line)
  for (const { recorded, event, granted } of entries) {
    print(`  ${recorded.metadata.at}  ${eventText(event)}  (by ${actorText(recorded.metadata.actor)})`)
    for (const line of granted ? grantedText(granted) : []) print(`      ${line}`)
  }
  for (const [account, { paid, gift_ms }] of kept) {
    print(
      `  In sum account ${account} has ${secondsOf(paid)} s of paid time and ${gift_ms / 1000} s of gift time from it.`,
    )
    for (const span of paid) print(`      ${spanText(span)}`)
  }
}

function headOf(purchase: StorePurchase): readonly string[] {
  const { purchaseId, provider, reading, owner, storeKey } = purchase
  const { state, revokedAt, revocationReason } = shownPurchase(purchase)
  const facts = reading?.facts
  const back = revokedAt === null ? '' : `, taken back at ${revokedAt} (${revocationReason ?? 'no reason given'})`
  return [
    `Purchase ${purchaseId}: ${provider}, ${facts ? `${facts.slot}, ${facts.productId} of ${facts.appId}, ${facts.environment}` : 'never read'}`,
    `  stream store_purchase-${purchase.purchase}`,
    `  now ${state}${back}, ${owner === null ? 'of nobody' : `of account ${owner}`}; paid until ${facts?.expiresAt ?? 'no end'}`,
    `  secrets: key ${storeKey === null ? 'destroyed' : fingerprint(purchase.purchase)}`,
  ]
}

/** Prints the purchases that differ from what their store says, and gives them. */
async function printDifferences(store: Store, stores: Stores, print: Print): Promise<readonly SeenPurchase[]> {
  const differing: SeenPurchase[] = []
  const counts = { same: 0, differs: 0, 'no answer': 0, forgotten: 0 }
  for await (const each of everyPurchase(store.stored)) {
    const compared = await comparePurchase(store, stores, each.purchase)
    counts[compared.outcome] += 1
    printComparison(each, compared, print)
    if (compared.outcome === 'differs') differing.push(each)
  }
  print(
    `${counts.same} as their store says, ${counts.differs} that differ, ${counts['no answer']} without an answer, ${counts.forgotten} that cannot be asked for any more.`,
  )
  return differing
}

function printComparison({ purchaseId }: SeenPurchase, compared: PurchaseComparison, print: Print): void {
  if (compared.outcome === 'no answer') print(`Purchase ${purchaseId}: its store gives no answer`)
  if (compared.outcome !== 'differs') return
  print(`Purchase ${purchaseId} would change:`)
  for (const { stream, text } of compared.events.map(foretold)) print(`  ${stream}: ${text}`)
}

function foretold({ stream, type, data }: Extract<PurchaseComparison, { outcome: 'differs' }>['events'][number]) {
  // What a reading writes are events of purchases, gifts and accounts.
  return { stream, text: eventText({ type, data } as Parameters<typeof eventText>[0]) }
}

async function readAgain(
  store: Store,
  stores: Stores,
  purchases: readonly SeenPurchase[],
  print: Print,
): Promise<void> {
  const named = purchases.map(({ purchase }) => purchase)
  const isDone = await actAsOperator(store, {
    action: 'reconcile_stores',
    target: { type: 'instance', id: noTargetId },
    run: () => haveRead(store, named),
    metadata: () => ({ purchase_count: String(purchases.length) }),
  })
  if (!isDone) return print(noWorker)
  for (const { purchase, purchaseId } of purchases) {
    const { outcome } = await comparePurchase(store, stores, purchase)
    print(
      outcome === 'same' ? `Purchase ${purchaseId} was brought up to date.` : `Purchase ${purchaseId} still differs.`,
    )
  }
}

const noWorker = 'It is queued: a worker does it as soon as one runs.'
