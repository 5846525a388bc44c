import type { PresenceExchange, PresentSession } from '../../../application/ports/presence.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'

/** Other Gateways. The test decides what they send. */
export interface FakeExchange extends PresenceExchange {
  tell(account: AccountId, sessions: readonly PresentSession[]): void
}

export function fakeExchange(): FakeExchange {
  const elsewhere = new Map<AccountId, readonly PresentSession[]>()
  let onSessions: (account: AccountId) => void = () => undefined
  return {
    join: (_local, told) => void (onSessions = told),
    accountChanged: () => undefined,
    memberChanged: () => undefined,
    onlineElsewhere: () => 0,
    isPresentElsewhere: () => Promise.resolve(false),
    hearsOthers: () => true,
    sessionsElsewhere: (account) => elsewhere.get(account) ?? [],
    leave: () => undefined,
    tell(account, sessions) {
      elsewhere.set(account, sessions)
      onSessions(account)
    },
  }
}
