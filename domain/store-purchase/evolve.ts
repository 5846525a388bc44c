import type { AccountId } from '../ids/ids.ts'
import type { StorePurchaseEvent, StorePurchaseRead, StorePurchaseRefunded, StorePurchaseSeen } from './events.ts'
import type { PurchaseFacts } from './purchase-facts.ts'
import type { PurchaseReading, StorePurchase, StorePurchaseState } from './state.ts'

/** The purchase after an event. */
export function evolve(state: StorePurchaseState, event: StorePurchaseEvent): StorePurchaseState {
  if (event.type === 'StorePurchaseSeen') return { status: 'seen', ...seen(event.data) }
  if (state.status === 'absent') return state
  const after = { ...state, ...evolveSeen(state, event) }
  return changesOthers(event) ? { ...after, changes_count: state.changes_count + 1 } : after
}

/** Whether accounts or gifts may have to follow. */
export function changesOthers({ type, data }: Pick<StorePurchaseEvent, 'type' | 'data'>): boolean {
  if ('facts' in data) return Object.keys(data.facts).length > 0 || 'latestOrder' in data.hashes
  return !['StorePurchaseSeen', 'StorePurchaseFulfilled', 'StorePurchaseSettled'].includes(type)
}

function seen({ purchase, purchaseId, provider, storeKey, seenAt }: StorePurchaseSeen): StorePurchase {
  return {
    purchase,
    purchaseId,
    provider,
    storeKey,
    seenAt,
    changedAt: seenAt,
    reading: null,
    owner: null,
    linkedAt: null,
    releasedAt: null,
    releasedTokens: [],
    supersededBy: null,
    voided: null,
    gift: null,
    fulfilledAt: null,
    sentBack: null,
    leaving: [],
    changes_count: 0,
    settled_count: 0,
    isRefunded: false,
  }
}

function evolveSeen(
  state: StorePurchase,
  event: Exclude<StorePurchaseEvent, { readonly type: 'StorePurchaseSeen' }>,
): Partial<StorePurchase> {
  switch (event.type) {
    case 'StorePurchaseRead':
      return { reading: readingAfter(state.reading, event.data), changedAt: event.data.readAt }
    case 'StorePurchaseLinked': {
      const { accountId: owner, linkedAt } = event.data
      const leaving = left(state.leaving, event.data.before).filter((former) => former !== owner)
      return { owner, linkedAt, leaving, changedAt: linkedAt }
    }
    case 'StorePurchaseReleased': {
      const { accountId, tokenHash, ownTokenHash, releasedAt } = event.data
      const tokens = [tokenHash, ownTokenHash].filter((token) => typeof token === 'string')
      const releasedTokens = [...new Set([...state.releasedTokens, ...tokens])]
      const leaving = left(state.leaving, accountId)
      return { owner: null, linkedAt: null, releasedAt, releasedTokens, leaving, changedAt: releasedAt }
    }
    case 'StorePurchaseSuperseded':
      return { supersededBy: event.data.by, changedAt: event.data.supersededAt }
    case 'StorePurchaseVoided':
      return { voided: { orderHash: event.data.orderHash, at: event.data.voidedAt } }
    case 'StorePurchaseCodeMinted':
      return { gift: event.data.gift, changedAt: event.data.mintedAt }
    case 'StorePurchaseFulfilled':
      return { fulfilledAt: event.data.fulfilledAt, changedAt: event.data.fulfilledAt }
    case 'StorePurchaseRefunded':
      return refunded(event.data)
    case 'StorePurchaseSettled':
      return { settled_count: state.changes_count, leaving: [] }
    case 'StorePurchaseReversed':
      return { isRefunded: false, changedAt: event.data.reversedAt }
  }
}

function left(leaving: readonly AccountId[], former: AccountId | null): readonly AccountId[] {
  return former === null || leaving.includes(former) ? leaving : [...leaving, former]
}

/** What cannot be read any more, once the key is destroyed, is null. */
function readingAfter(before: PurchaseReading | null, data: StorePurchaseRead): PurchaseReading {
  const { asOf, readAt, facts, hashes, secrets } = data
  return {
    asOf,
    readAt,
    // The first reading has every member.
    facts: { ...before?.facts, ...facts } as PurchaseFacts,
    hashes: { token: null, latestOrder: null, ...before?.hashes, ...hashes },
    secrets: { latestTransactionId: null, ...before?.secrets, ...secrets },
  }
}

function refunded({ reason, byService, refundedAt }: StorePurchaseRefunded): Partial<StorePurchase> {
  const back = { isRefunded: true, changedAt: refundedAt }
  return byService ? { ...back, sentBack: { reason: reason ?? '', at: refundedAt } } : back
}
