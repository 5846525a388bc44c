import { inProcessSignals } from '../../../../adapters/bus/in-process-signals.ts'
import type { LocalPresence, PresentSession } from '../../../../application/ports/presence.ts'
import type { SignalPayload, Signals } from '../../../../application/ports/signals.ts'
import { tick_ms } from '../../../../application/presence/presence-bounds.ts'
import { presenceDirectory, type PresenceDirectory } from '../../../../application/presence/presence-directory.ts'
import { presenceExchange, type OpenPresenceExchange } from '../../../../application/presence/presence-exchange.ts'
import { accountId, guildId, type AccountId, type GuildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { manualClock } from '../../../gateway/support/manual-clock.ts'

export const account = (number: number): AccountId => accountId(snowflake(String(1000 + number)))
export const guild = (number: number): GuildId => guildId(snowflake(String(2000 + number)))
export const session = (number: number, status: PresentSession['status'] = 'online'): PresentSession => ({
  id: number.toString(16).padStart(32, '0'),
  status,
  afk: false,
  mobile: false,
})
/** The ids of Gateways sort like their numbers. */
export const gatewayId = (number: number): string => number.toString(16).padStart(32, '0')

/** One Gateway as presence sees it: accounts, each present, and online in the named guilds. */
export interface FakeGateway {
  readonly exchange: OpenPresenceExchange
  /** From now on an account is here with these sessions, and online only in these guilds. */
  put(account: AccountId, guilds: readonly GuildId[], sessions?: readonly PresentSession[]): void
  remove(account: AccountId): void
  /** What it would send to its sessions. */
  onlineCount(guild: GuildId): number
  /** The accounts whose sessions elsewhere have changed according to its notifications. */
  readonly toldOf: AccountId[]
  /** It disappears from one instant to the next, and says nothing. */
  crash(): void
}

/** The processes of one instance, within this process, with a clock that the test moves. */
export interface Instance {
  readonly errors: unknown[]
  /** Every signal that was published, including lost ones. */
  readonly said: SignalPayload[]
  /** Decides which signals nobody hears. */
  isLost: (payload: SignalPayload) => boolean
  gateway(number: number): FakeGateway
  directory(): PresenceDirectory
  publish(payload: SignalPayload): void
  /** Lets time pass tick by tick, with every signal heard before the next. */
  advance(ms: number): Promise<void>
}

const personalDataKey = new Uint8Array(32)

export function openInstance(): Instance {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const clock = manualClock()
  const honest = inProcessSignals(onError)
  const said: SignalPayload[] = []
  const instance: Instance = {
    errors,
    said,
    isLost: () => false,
    gateway: (number) =>
      fakeGateway((isHere) =>
        presenceExchange({
          signals: whileHere(signals, isHere),
          gatewayId: gatewayId(number),
          clock,
          personalDataKey,
          onError,
        }),
      ),
    directory: () => presenceDirectory({ signals, clock, onError }),
    publish: (payload) => honest.publish('presence', payload),
    async advance(ms) {
      for (let passed_ms = 0; passed_ms < ms; passed_ms += tick_ms) {
        clock.advance(tick_ms)
        await heard()
      }
    },
  }
  const signals: Signals = {
    ...honest,
    publish(kind, payload) {
      said.push(payload)
      if (!instance.isLost(payload)) honest.publish(kind, payload)
    },
  }
  return instance
}

/** A signal within one process is heard in its next turn; the answer in the turn after that. */
async function heard(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The signals of a process that may crash: from then on it neither sends nor hears any. */
function whileHere(signals: Signals, isHere: () => boolean): Signals {
  return {
    isConnected: isHere,
    publish: (kind, payload) => {
      if (isHere()) signals.publish(kind, payload)
    },
    subscribe: (kind, handle) =>
      signals.subscribe(kind, (payload) => {
        if (isHere()) handle(payload)
      }),
  }
}

function fakeGateway(open: (isHere: () => boolean) => OpenPresenceExchange): FakeGateway {
  const guilds = new Map<AccountId, Set<GuildId>>()
  const counts = new Map<GuildId, number>()
  const sessions = new Map<AccountId, readonly PresentSession[]>()
  const toldOf: AccountId[] = []
  let isHere = true
  const exchange = open(() => isHere)
  const local: LocalPresence = {
    sessionsOf: (one) => sessions.get(one) ?? [],
    onlineIn: (one) => (guilds.get(one)?.size ? guilds.get(one) : undefined),
    onlineCount: (one) => counts.get(one) ?? 0,
  }
  const set = (one: AccountId, wanted: readonly GuildId[]): void => {
    const online = guilds.get(one) ?? new Set()
    guilds.set(one, online)
    for (const gone of [...online].filter((id) => !wanted.includes(id))) {
      online.delete(gone)
      counts.set(gone, local.onlineCount(gone) - 1)
      exchange.memberChanged(gone, one, false)
    }
    for (const come of wanted.filter((id) => !online.has(id))) {
      online.add(come)
      counts.set(come, local.onlineCount(come) + 1)
      exchange.memberChanged(come, one, true)
    }
    exchange.accountChanged(one)
  }
  exchange.join(local, (one) => void toldOf.push(one))
  return {
    exchange,
    put(one, wanted, having = [session(1)]) {
      sessions.set(one, having)
      set(one, wanted)
    },
    toldOf,
    remove(one) {
      set(one, [])
      guilds.delete(one)
      sessions.delete(one)
      exchange.accountChanged(one)
    },
    onlineCount: (one) => local.onlineCount(one) + exchange.onlineElsewhere(one),
    crash() {
      isHere = false
    },
  }
}
