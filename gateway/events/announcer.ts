import type { AccountId } from '../../domain/ids/ids.js'
import type { AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { UserGuildSettingsRecord } from '../../application/ports/queries/user-settings-queries.js'
import type { ChosenSettings } from '../../domain/user-settings/settings.js'
import { deliver } from '../dispatches/deliver.js'
import type { Scene } from '../dispatches/dispatch.js'
import { tellingOf } from '../dispatches/telling.js'
import type { GatewayLog } from '../log.js'
import type { Session } from '../sessions/session.js'
import type { OnlineMembers } from '../visibility/online-members.js'
import type { Change, Opening, World } from '../visibility/world.js'
import { accountOf, guildOf, type Known, type KnownEvent } from './known-event.js'
import type { Lookups } from './lookups.js'
import { renewAccount, renewSettings } from './renew-sessions.js'

export interface AnnouncerSettings {
  readonly lookups: Lookups
  readonly online: OnlineMembers
  readonly log: GatewayLog
  /** Ends sessions that could not be told of an event: they would have a hole. */
  readonly end: (session: Session) => void
  /** Told how many sessions each dispatch went to. */
  readonly onDispatched: (sessions: number) => void
}

/** Takes an event into a world and tells whoever is to hear of it. Never rejects. */
export type Announce = (world: World, event: KnownEvent) => Promise<void>

type Accounts = ReadonlyMap<AccountId, AccountRecord>

/**
 * Makes the one way in which events become dispatches. What has to be looked up is looked up first; then the world changes
 * and everybody is told in one go, so that nobody ever sees one without the other.
 */
export function announcer(settings: AnnouncerSettings): Announce {
  return async (world, event) => {
    if (!world.concerns(event)) return
    try {
      const { opening, ...found } = await prepare(settings.lookups, world, event)
      renewAccount(world, event, found.accounts)
      renewSettings(world, event, found.settings)
      const scene = sceneOf(settings, world, event, found, world.apply(event, opening))
      for (const dispatch of tellingOf(event).dispatches(scene)) {
        settings.onDispatched(deliver(dispatch, scene.room, event.position))
      }
    } catch (error) {
      giveUp(settings, world, event, error)
    }
  }
}

/** Looks up whom the event tells of, and the guild where nobody here is in it yet. */
async function prepare(
  lookups: Lookups,
  world: World,
  event: KnownEvent,
): Promise<Found & { readonly opening: Opening | undefined }> {
  const { accounts: ids, passkeysOf, settingsOf, guildSettingsOf } = tellingOf(event)
  const accounts = ids.length === 0 ? none : await lookups.accountsOf(ids)
  const passkeys = passkeysOf === undefined ? [] : await lookups.passkeysOf(passkeysOf)
  const settings = settingsOf && (await lookups.settingsOf(settingsOf))
  const guildSettings = guildSettingsOf && (await lookups.guildSettingsOf(guildSettingsOf))
  const opening = world.needsOpening(event) ? await openingFor(lookups, event) : undefined
  return { accounts, passkeys, settings, guildSettings, opening }
}

/** What was looked up to tell of an event. */
interface Found {
  readonly accounts: Accounts
  readonly passkeys: readonly PasskeyRecord[]
  readonly settings: ChosenSettings | undefined
  readonly guildSettings: UserGuildSettingsRecord | undefined
}

const none: Accounts = new Map()

/** How the joiner finds the guild at the event or later; undefined where the joiner was gone again by then. */
async function openingFor(lookups: Lookups, { data, position }: Known<'MemberJoined'>): Promise<Opening | undefined> {
  const snapshot = await lookups.snapshot(data.accountId, position)
  const found = snapshot?.guilds.find(({ guild }) => guild.id === data.guildId)
  return snapshot && found && { ...found, position: snapshot.position }
}

function sceneOf(
  { online }: AnnouncerSettings,
  world: World,
  event: KnownEvent,
  { accounts, passkeys, guildSettings }: Found,
  change: Change,
): Scene {
  return {
    ...change,
    passkeys,
    guildSettings,
    account: (id) => {
      const record = accounts.get(id)
      if (!record) throw new Error(`${event.type} tells of an account that it did not ask for`)
      return record
    },
    staysOf: (session) => world.membershipsOf(session),
    onlineCount: (guild) => online.count(guild),
    sessionsOf: (account) => world.sessionsOf(account).filter(({ since }) => since < event.position),
  }
}

/** Ends every session that the event concerned, since it was not told. */
function giveUp({ log, end }: AnnouncerSettings, world: World, event: KnownEvent, error: unknown): void {
  log.error({ error, event: event.type, position: event.position.toString() }, 'an event could not be dispatched')
  const guild = guildOf(event)
  const account = accountOf(event)
  const inGuild = [...((guild && world.room(guild)?.links) ?? [])].map(({ session }) => session)
  for (const session of [...inGuild, ...(account ? world.sessionsOf(account) : [])]) end(session)
}
