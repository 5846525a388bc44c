import type { StoreAKey, StoreReading } from '../../../application/ports/stores.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import type { StoreEnvironment } from '../../../domain/store-purchase/purchase-facts.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreASetup } from '../store-settings.ts'
import { environmentOf, requireSlot } from './check-transaction.ts'
import {
  renewalPayload,
  subscriptionStatuses,
  transactionInfo,
  transactionPayload,
  type TransactionPayload,
} from './payloads.ts'
import { giftFacts, saidAt, secretsOf, subscriptionFacts, type ReadSubscription } from './purchase-facts.ts'
import type { VerifySigned } from './signed-data.ts'
import type { AskStoreA } from './store-a-api.ts'

interface Parts {
  readonly setup: StoreASetup
  readonly ask: AskStoreA
  readonly verify: VerifySigned
}

/** Calls with the purchase's environment; production, then the sandbox, where it is not known. */
export async function inEnvironmentOf<Value>(
  key: Pick<StoreAKey, 'environment'>,
  act: (environment: StoreEnvironment) => Promise<Value>,
): Promise<Value> {
  if (key.environment !== null) return act(key.environment)
  try {
    return await act('production')
  } catch (error) {
    if (!(error instanceof StoreFailed) || error.failure.kind !== 'not found') throw error
    return act('sandbox')
  }
}

/** Reads a purchase of store A. Throws StoreFailed. */
export function purchaseReader(parts: Parts) {
  return (key: StoreAKey): Promise<StoreReading> =>
    inEnvironmentOf(key, (environment) =>
      key.kind === 'gift' ? readGift(parts, key, environment) : readSubscription(parts, key, environment),
    )
}

async function readGift(parts: Parts, key: StoreAKey, environment: StoreEnvironment): Promise<StoreReading> {
  const { bundleId, originalTransactionId } = key
  const path = `/inApps/v1/transactions/${encodeURIComponent(originalTransactionId)}`
  const answer = await parts.ask({ environment, bundleId, method: 'GET', path, reply: transactionInfo })
  const transaction = await verifiedTransaction(parts, key, environment, answer.signedTransactionInfo)
  const slot = requireSlot(parts.setup, transaction, 'gift')
  return {
    key: { ...key, environment },
    facts: giftFacts(transaction, slot, environment),
    secrets: secretsOf(transaction, undefined),
    asOf: saidAt(transaction, undefined),
  }
}

async function readSubscription(parts: Parts, key: StoreAKey, environment: StoreEnvironment): Promise<StoreReading> {
  const read = await latestOf(parts, key, environment)
  const { transaction, renewal } = read
  const slot = requireSlot(parts.setup, transaction, 'subscription')
  return {
    key: { ...key, environment },
    facts: subscriptionFacts(read, slot, environment),
    secrets: secretsOf(transaction, renewal),
    asOf: saidAt(transaction, renewal),
  }
}

/** Of the entries with the purchase's original transaction, the one that expires last. */
async function latestOf(parts: Parts, key: StoreAKey, environment: StoreEnvironment): Promise<ReadSubscription> {
  const { bundleId, originalTransactionId } = key
  const path = `/inApps/v1/subscriptions/${encodeURIComponent(originalTransactionId)}`
  const answer = await parts.ask({ environment, bundleId, method: 'GET', path, reply: subscriptionStatuses })
  if (answer.bundleId !== bundleId) throw new StoreFailed('rejected', 'invalid_app_identifier')
  if (environmentOf(answer.environment) !== environment) throw new StoreFailed('rejected', 'invalid_environment')
  const entries = answer.data
    .flatMap(({ lastTransactions }) => lastTransactions)
    .filter((entry) => entry.originalTransactionId === originalTransactionId)
  const read: ReadSubscription[] = []
  for (const { status, signedTransactionInfo, signedRenewalInfo } of entries) {
    const transaction = await verifiedTransaction(parts, key, environment, signedTransactionInfo)
    const renewal = signedRenewalInfo ? await verifiedRenewal(parts, key, environment, signedRenewalInfo) : undefined
    if (transaction.expiresDate) read.push({ status, transaction, renewal })
  }
  const [latest] = read.toSorted((one, other) => endOf(other) - endOf(one))
  if (!latest) throw new StoreFailed('rejected', 'missing_transaction')
  return latest
}

function endOf({ transaction: { expiresDate } }: ReadSubscription): number {
  return expiresDate ? msOf(expiresDate) : 0
}

async function verifiedTransaction(
  { verify }: Parts,
  { bundleId, originalTransactionId }: StoreAKey,
  environment: StoreEnvironment,
  signed: string,
): Promise<TransactionPayload> {
  const transaction = await verify(signed, transactionPayload)
  if (transaction.bundleId !== bundleId) throw new StoreFailed('rejected', 'invalid_app_identifier')
  requireSame(transaction, originalTransactionId, environment)
  return transaction
}

async function verifiedRenewal(
  { verify }: Parts,
  { originalTransactionId }: StoreAKey,
  environment: StoreEnvironment,
  signed: string,
) {
  const renewal = await verify(signed, renewalPayload)
  requireSame(renewal, originalTransactionId, environment)
  return renewal
}

/** What is signed in an answer belongs to the environment and the purchase that were asked for. */
function requireSame(
  signed: Pick<TransactionPayload, 'originalTransactionId' | 'environment'>,
  originalTransactionId: string,
  environment: StoreEnvironment,
): void {
  if (environmentOf(signed.environment) !== environment) throw new StoreFailed('rejected', 'invalid_environment')
  if (signed.originalTransactionId !== originalTransactionId) throw new StoreFailed('rejected', 'other_transaction')
}
