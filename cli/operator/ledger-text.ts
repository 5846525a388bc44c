import { secondsOf, type Granted } from '../../application/administration/stores/purchase-ledger.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import type { GiftEvent } from '../../domain/gift/events.ts'
import type { Span } from '../../domain/premium/gift-ledger.ts'
import type { StorePurchaseEvent } from '../../domain/store-purchase/events.ts'

/** The first characters of a keyed hash: enough to compare two, and it tells nothing else. */
const fingerprint_chars = 12

/** A keyed hash for the screen. Secrets of purchases are shown by their hashes alone. */
export function fingerprint(hash: string): string {
  return hash.slice(0, fingerprint_chars)
}

/** What an event of a purchase, of its gift or of an account says, without secrets. */
export function eventText(event: StorePurchaseEvent | GiftEvent | AccountEvent): string {
  switch (event.type) {
    case 'StorePurchaseRead':
      return readingText(event.data)
    case 'StorePurchaseSeen':
      return `first seen, ${event.data.provider}`
    case 'StorePurchaseLinked': {
      const { accountId, before } = event.data
      return `linked to account ${accountId}${before === null ? '' : `, which takes it from account ${before}`}`
    }
    case 'StorePurchaseReleased':
      return `released by account ${event.data.accountId}`
    case 'StorePurchaseSuperseded':
      return `replaced by purchase ${fingerprint(event.data.by)}`
    case 'StorePurchaseVoided':
      return `the store voided order ${fingerprint(event.data.orderHash)} at ${event.data.voidedAt}`
    case 'StorePurchaseCodeMinted':
      return `its gift code is gift ${fingerprint(event.data.gift)}`
    case 'StorePurchaseFulfilled':
      return 'the store knows that it was delivered'
    case 'StorePurchaseRefunded': {
      const { byService, reason } = event.data
      return `the money went back, ${byService ? 'because this service asked for it' : 'says the store'}${reason === null ? '' : `: ${reason}`}`
    }
    case 'StorePurchaseReversed':
      return 'the store took the refund back'
    case 'StorePurchaseSettled':
      return 'accounts and gift code follow it'
    case 'GiftMinted':
      return `the gift code exists: ${event.data.quantity} ${event.data.unit}`
    case 'GiftRedemptionBegan':
      return `account ${event.data.accountId} redeems the gift code`
    case 'GiftRedeemed':
      return `account ${event.data.accountId} has redeemed the gift code`
    case 'GiftRedemptionUndone':
      return 'the redemption was undone'
    case 'GiftRevoked':
      return 'the gift code is revoked'
    case 'GiftReinstated':
      return 'the gift code is valid again'
    case 'GiftTimeTakenBack':
      return `${event.data.time_ms / 1000} s of the gift are taken back`
    case 'GiftTimeReturned':
      return `${event.data.time_ms / 1000} s of the gift are given back`
    default:
      return accountText(event)
  }
}

function accountText(event: AccountEvent): string {
  switch (event.type) {
    case 'PurchaseLinked':
      return `account ${event.data.accountId} names it`
    case 'PurchaseUnlinked':
      return `account ${event.data.accountId} names it no more`
    case 'PremiumPaid':
    case 'PremiumCut':
    case 'PremiumReversed':
    case 'PremiumEnded':
    case 'GiftTimeAdded':
    case 'GiftTimeTaken': {
      const { accountId, premium } = event.data
      return `${event.type} of account ${accountId}: paid until ${premium.until ?? 'never'}, gift time until ${premium.giftUntil ?? 'never'}`
    }
    default:
      return event.type
  }
}

function readingText({
  asOf,
  facts,
  hashes,
}: Extract<StorePurchaseEvent, { type: 'StorePurchaseRead' }>['data']): string {
  const prints = Object.entries(hashes).map(([name, hash]) => `${name} ${hash === null ? 'none' : fingerprint(hash)}`)
  const said = [...Object.entries(facts).map(([name, fact]) => `${name}=${JSON.stringify(fact)}`), ...prints]
  return `the store says, as of ${asOf}: ${said.length === 0 ? 'nothing new' : said.join(', ')}`
}

/** Who was given, or lost, which seconds; nothing where no time changed. */
export function grantedText({ accountId, given, taken, gift_ms }: Granted): readonly string[] {
  return [
    ...given.map((span) => `account ${accountId} gets ${spanText(span)}`),
    ...taken.map((span) => `account ${accountId} loses ${spanText(span)}`),
    ...(gift_ms > 0 ? [`account ${accountId} gets ${gift_ms / 1000} s of gift time`] : []),
    ...(gift_ms < 0 ? [`account ${accountId} loses ${-gift_ms / 1000} s of gift time`] : []),
  ]
}

/** A span of paid time. */
export function spanText(span: Span): string {
  return `${span.from} to ${span.to}, ${secondsOf([span])} s`
}
