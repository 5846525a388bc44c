import type { AccountId } from '../../domain/ids/ids.ts'
import type { LocalPresence, PresenceExchange } from '../ports/presence.ts'
import type { Signals } from '../ports/signals.ts'
import { PresenceAnnouncer } from './presence-announcer.ts'
import { presenceTicks, type PresenceClock } from './presence-clock.ts'
import { presenceDirectory } from './presence-directory.ts'
import type { AccountFact } from './presence-messages.ts'
import { sealedSayings } from './sealed-sayings.ts'
import { ShadowedMembers } from './shadowed-members.ts'

export interface PresenceExchangeSettings {
  readonly signals: Signals
  /** Names the Gateway within the instance: 16 to 64 hex digits, drawn at each start. */
  readonly gatewayId: string
  readonly clock: PresenceClock
  /** Seals the custom statuses of sessions, which are personal. */
  readonly personalDataKey: Uint8Array
  /** Called with errors of reading or sending signals; presence continues. */
  readonly onError: (error: unknown) => void
}

export interface OpenPresenceExchange extends PresenceExchange {
  /** As in the directory: resolves once the other Gateways were heard, within 5 seconds. */
  readonly ready: Promise<void>
}

/**
 * Shares one Gateway's presence by signals. Listens to the others from now on, and reports this one once it has joined. Lost
 * signals are no permanent loss: gaps in the numbers show them, and a snapshot follows. The instance's counts are exact once all
 * Gateways know the same guilds of each account, which holds as soon as they have the events.
 */
export function presenceExchange(settings: PresenceExchangeSettings): OpenPresenceExchange {
  let local: LocalPresence | undefined
  let tellOfSessions: (account: AccountId) => void = () => undefined
  let hasLeft = false
  const { announcer, shadowed, directory } = partsOf(
    settings,
    () => local,
    (account) => tellOfSessions(account),
  )
  const speak = (): void => {
    if (local) announcer.tick(ticks.now_ms)
  }
  const ticks = presenceTicks(settings.clock, speak, settings.onError)
  return {
    ready: directory.ready,
    join(joined, onSessionsElsewhere) {
      local = joined
      tellOfSessions = onSessionsElsewhere
      speak()
    },
    accountChanged: (account) => {
      announcer.accountChanged(account)
    },
    memberChanged(guild, account, isOnline) {
      shadowed.memberChanged(guild, account, isOnline)
      announcer.accountChanged(account)
      announcer.guildChanged(guild)
    },
    // Accounts online here are online: late numbers must not lower the count.
    onlineElsewhere: (guild) => Math.max(0, directory.onlineCount(guild) - shadowed.count(guild)),
    isPresentElsewhere: (account) => directory.isPresent(account),
    hearsOthers: () => directory.hearsAll(),
    sessionsElsewhere: (account) => directory.sessionsOf(account),
    leave() {
      if (hasLeft) return
      hasLeft = true
      ticks.stop()
      directory.stop()
      announcer.goodbye()
    },
  }
}

/** The announcer, the directory, and the accounts that both know. */
function partsOf(
  { signals, gatewayId, clock, personalDataKey, onError }: PresenceExchangeSettings,
  local: () => LocalPresence | undefined,
  onSessionsElsewhere: (account: AccountId) => void,
) {
  const sayings = sealedSayings(personalDataKey, onError)
  const announcer = new PresenceAnnouncer({
    gatewayId,
    sayings,
    publish: (payload) => {
      signals.publish('presence', payload)
    },
    factOf: (account) => factOf(local(), account),
    countOf: (guild) => (local()?.onlineCount(guild) ?? 0) - shadowed.count(guild),
  })
  const shadowed = new ShadowedMembers({
    onlineIn: (account) => local()?.onlineIn(account),
    isCountedBefore: (account) => directory.isCountedBefore(account, gatewayId),
    onGuild: (guild) => {
      announcer.guildChanged(guild)
    },
  })
  const own = {
    gatewayId,
    sayings,
    onAsked: () => {
      announcer.asked()
    },
    onAccounts: (accounts: Iterable<AccountId>) => {
      for (const account of accounts) {
        shadowed.reconsider(account)
        onSessionsElsewhere(account)
      }
    },
  }
  const directory = presenceDirectory({ signals, clock, onError, own })
  return { announcer, shadowed, directory }
}

function factOf(local: LocalPresence | undefined, account: AccountId): AccountFact | undefined {
  const sessions = local?.sessionsOf(account) ?? []
  if (local?.onlineIn(account)) return { standing: 'counted', sessions }
  return sessions.length > 0 ? { standing: 'present', sessions } : undefined
}
