import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { Account } from '../../../domain/account/state.ts'
import { storePurchaseId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { AppliedPurchase, PremiumCommand } from '../../../domain/premium/premium-commands.ts'
import { registered } from '../account/account-story.ts'

/** Instants as tests write them: `2027-03-01`, `2027-03-01 12:00`. */
export const at = (text: string): Timestamp =>
  `${text.length === 10 ? `${text} 00:00` : text}:00.000Z`.replace(' ', 'T') as Timestamp

export const purchaseId = storePurchaseId(snowflake('600001'))
export const subscription = (given: Partial<AppliedPurchase> = {}): AppliedPurchase => ({
  purchase: 'p1',
  entitled: true,
  state: 'active',
  expiresAt: null,
  graceEndsAt: null,
  autoRenew: true,
  startedAt: null,
  revokedAt: null,
  ...given,
})

export const linked = (purchase = 'p1'): AccountEvent => ({
  type: 'PurchaseLinked',
  data: { accountId: registeredAccount().id, purchase, purchaseId, kind: 'subscription', linkedAt: at('2027-01-01') },
})

export function registeredAccount(): Account {
  const state = fold(account, [registered])
  if (state.status !== 'registered') throw new Error('nobody')
  return state
}

/** An account that lives through commands. A refusal is an error. */
export function life(...past: readonly AccountEvent[]) {
  let state = fold(account, [registered, ...past])
  const events: AccountEvent[] = []
  return {
    events,
    does(command: PremiumCommand): readonly AccountEvent[] {
      const decision = account.decide(state, command)
      if (decision.outcome === 'refused') throw new Error(`refused: ${decision.refusal.code}`)
      events.push(...decision.events)
      state = fold(account, decision.events, state)
      return decision.events
    },
    get account(): Account {
      if (state.status !== 'registered') throw new Error('nobody')
      return state
    },
    get premium() {
      return this.account.premium
    },
  }
}
