import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Presence, PresentSession } from '../ports/presence.ts'
import type { SignalPayload, Signals } from '../ports/signals.ts'
import { KnownGateways } from './known-gateways.ts'
import { firstSnapshots_ms_max, firstWords_ms, lag_ms, nobodyThere_ms } from './presence-bounds.ts'
import { presenceTicks, type PresenceClock } from './presence-clock.ts'
import type { SealedSayings } from './sealed-sayings.ts'
import { readPresenceMessage } from './presence-messages.ts'

export interface PresenceDirectorySettings {
  readonly signals: Signals
  readonly clock: PresenceClock
  readonly onError: (error: unknown) => void
  /** For a process with its own Gateway. */
  readonly own?: OwnGateway
}

export interface OwnGateway {
  readonly gatewayId: string
  readonly sayings: Pick<SealedSayings, 'open'>
  /** Somebody requests a snapshot of it. */
  readonly onAsked: () => void
  /** How present these accounts are at other Gateways, or their sessions there, may have changed. */
  readonly onAccounts: (accounts: Iterable<AccountId>) => void
}

/** The presence reported by the instance's Gateways, except this process's own. */
export interface PresenceDirectory extends Presence {
  /** Resolves once all Gateways were heard, or none answered: within 5 seconds. Before that, nobody seems to be present. */
  readonly ready: Promise<void>
  /** Gateways heard within the last 7 seconds. */
  readonly gateways: number
  onlineCount(guild: GuildId): number
  isCountedBefore(account: AccountId, gatewayId: string): boolean
  /** The account's sessions at other Gateways. Only kept by a process with its own Gateway. */
  sessionsOf(account: AccountId): readonly PresentSession[]
  /** Stops listening, and answers open questions. Safe to repeat. */
  stop(): void
}

/**
 * Listens to Gateways from now on, and requests a snapshot from all of them. Its knowledge is late by tens of milliseconds, so
 * `isPresent` keeps checking for `lag_ms` before it says no. A Gateway that is silent for 7 seconds is forgotten. The next signal
 * reveals a lost one, and a snapshot is requested again. If signals do not work, nobody seems to be present.
 */
export function presenceDirectory(settings: PresenceDirectorySettings): PresenceDirectory {
  const { own, onError } = settings
  const onAccounts = own?.onAccounts ?? (() => undefined)
  const known = new KnownGateways({ onAccounts, onError, sayings: own?.sayings })
  const questions = openQuestions(known)
  const readiness = pendingReadiness(known)
  const listening = listen(settings, known, (now_ms) => {
    questions.answer(now_ms)
    readiness.look(now_ms)
  })
  return {
    ready: readiness.ready,
    get gateways() {
      return known.count
    },
    isPresent: (account) => questions.ask(account, listening.now_ms),
    hearsAll: () => settings.signals.isConnected() && (own !== undefined || known.count > 0),
    onlineCounts: (guilds) => Promise.resolve(new Map(guilds.map((guild) => [guild, known.onlineCount(guild)]))),
    onlineCount: (guild) => known.onlineCount(guild),
    isCountedBefore: (account, gatewayId) => known.isCountedBefore(account, gatewayId),
    sessionsOf: (account) => known.sessionsOf(account),
    stop() {
      listening.stop()
      questions.end()
      readiness.end()
    },
  }
}

/** Keeps the directory up to date, and calls `onTick` once per tick. */
function listen(
  { signals, clock, onError, own }: PresenceDirectorySettings,
  known: KnownGateways,
  onTick: (now_ms: number) => void,
) {
  const ask = (gateways?: readonly string[]): void => {
    known.asked(gateways, ticks.now_ms)
    const asker = own?.gatewayId
    signals.publish('presence', { type: 'ask', ...(asker && { asker }), ...(gateways && { gateways }) })
  }
  const hear = (payload: SignalPayload): void => {
    const message = readPresenceMessage(payload)
    if (message.type !== 'ask') {
      if (message.gateway !== own?.gatewayId) known.take(message, ticks.now_ms)
      return
    }
    known.asked(message.gateways, ticks.now_ms)
    if (!own || message.asker === own.gatewayId) return
    if (message.gateways?.includes(own.gatewayId) ?? true) own.onAsked()
  }
  const ticks = presenceTicks(
    clock,
    () => {
      known.forgetSilent(ticks.now_ms)
      onTick(ticks.now_ms)
      const wanting = known.wanting(ticks.now_ms)
      if (wanting.length > 0) ask(wanting)
    },
    onError,
  )
  const unsubscribe = signals.subscribe('presence', hear)
  ask()
  return {
    get now_ms() {
      return ticks.now_ms
    },
    stop() {
      unsubscribe()
      ticks.stop()
    },
  }
}

/** An open question whether an account is present. There are at most as many as concurrent requests. */
interface Question {
  readonly account: AccountId
  readonly until_ms: number
  readonly tell: (isPresent: boolean) => void
}

/** Questions that are answered with no, unless the account shows up in time. */
function openQuestions(known: KnownGateways) {
  let open: Question[] = []
  let isEnded = false
  const answer = (now_ms: number): void => {
    const asked = open
    open = []
    for (const question of asked) {
      if (known.isPresent(question.account)) question.tell(true)
      else if (question.until_ms <= now_ms) question.tell(false)
      else open.push(question)
    }
  }
  return {
    answer,
    ask(account: AccountId, now_ms: number): Promise<boolean> {
      if (isEnded || known.isPresent(account)) return Promise.resolve(known.isPresent(account))
      return new Promise((tell) => {
        open.push({ account, until_ms: now_ms + lag_ms, tell })
      })
    },
    end(): void {
      isEnded = true
      answer(Number.POSITIVE_INFINITY)
    },
  }
}

/** Watches for the moment when a new directory knows enough. */
function pendingReadiness(known: KnownGateways) {
  let end = (): void => undefined
  const ready = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    ready,
    end: () => end(),
    look(now_ms: number): void {
      const hasHeardAll = known.count > 0 && known.isComplete && now_ms >= firstWords_ms
      const isAlone = known.count === 0 && now_ms >= nobodyThere_ms
      if (hasHeardAll || isAlone || now_ms >= firstSnapshots_ms_max) end()
    },
  }
}
