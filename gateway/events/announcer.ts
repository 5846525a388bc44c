import type { AccountId, ChannelId } from '../../domain/ids/ids.js'
import { has } from '../../domain/guild/channel.js'
import { working } from '../../application/ports/at-work.js'
import type { Membership } from '../../domain/membership/state.js'
import type { ThreadTally } from '../../application/wire-objects/conversations/thread-objects.js'
import type { AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { UserGuildSettingsRecord } from '../../application/ports/queries/user-settings-queries.js'
import type { ActiveThread, FoundThread } from '../../application/ports/thread-lookups.js'
import type { ChosenSettings } from '../../domain/user-settings/settings.js'
import { mayChangeSight } from '../dispatches/channels/channels.js'
import { deliver } from '../dispatches/deliver.js'
import type { Entries, FoundPrivateChannel, Scene } from '../dispatches/dispatch.js'
import { tellingOf } from '../dispatches/telling.js'
import type { GatewayLog } from '../log.js'
import type { NewestMessages } from '../messages/newest-messages.js'
import type { Session } from '../sessions/session.js'
import type { OnlineMembers } from '../visibility/online-members.js'
import type { Link } from '../visibility/room.js'
import { keepThread, renewTallies, threadsKnownTo } from '../visibility/threads.js'
import type { Change, Opening, World } from '../visibility/world.js'
import { accountsOf, guildOf, isOfThread, type Known, type KnownEvent } from './known-event.js'
import type { Lookups } from './lookups.js'
import { renewAccount, renewSettings } from './renew-sessions.js'

export interface AnnouncerSettings {
  readonly lookups: Lookups
  readonly newest: NewestMessages
  readonly online: OnlineMembers
  readonly log: GatewayLog
  /** Ends sessions that could not be notified of an event: they would have missed one. */
  readonly end: (session: Session) => void
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** Applies an event to a world and sends its dispatches. Never rejects. */
export type Announce = (world: World, event: KnownEvent) => Promise<void>

type Accounts = ReadonlyMap<AccountId, AccountRecord>

/**
 * The one way in which events become dispatches. All lookups come first. Then the world changes and everybody is notified in one
 * go, so that nobody sees one without the other.
 */
export function announcer(settings: AnnouncerSettings): Announce {
  return async (world, event) => {
    if (!world.concerns(event)) return
    try {
      const { opening, ...found } = await prepare(settings, world, event)
      working(`gateway ${event.type}`, () => {
        renewAccount(world, event, found.accounts)
        renewSettings(world, event, found.settings)
        const scene = sceneOf(settings, world, event, found, world.apply(event, opening))
        showThreads(scene, event, found)
        for (const dispatch of tellingOf(event).dispatches(scene)) {
          settings.onDispatched(deliver(dispatch, scene.room, event.position))
        }
      })
    } catch (error) {
      giveUp(settings, world, event, error)
    }
  }
}

/** Looks up whom the event tells of, and the guild where nobody here is in it yet. */
async function prepare(
  { lookups, newest }: AnnouncerSettings,
  world: World,
  event: KnownEvent,
): Promise<Found & { readonly opening: Opening | undefined }> {
  const {
    accounts: ids,
    passkeysOf,
    settingsOf,
    guildSettingsOf,
    memberOf,
    privateChannelOf,
    threadOf,
    entriesOf,
  } = tellingOf(event)
  const accounts = ids.length === 0 ? none : await lookups.accountsOf(ids)
  const passkeys = passkeysOf === undefined ? [] : await lookups.passkeysOf(passkeysOf)
  const settings = settingsOf && (await lookups.settingsOf(settingsOf))
  const guildSettings = guildSettingsOf && (await lookups.guildSettingsOf(guildSettingsOf))
  const member = memberOf && (await lookups.memberOf(memberOf))
  const privateChannel = privateChannelOf && (await lookups.privateChannelOf(privateChannelOf))
  const thread = threadOf && (await lookups.threadOf(threadOf))
  const entries = entriesOf ? await lookups.entriesOf(entriesOf) : noEntries
  const arriving = event.type === 'MemberJoined' ? await threadsOfBot(lookups, world, event) : []
  const opening = world.needsOpening(event) ? await openingFor(lookups, event) : undefined
  if (event.type === 'MemberJoined' || mayChangeSight(event)) await newest.learn(channelsOf(world, event, opening))
  const tallies = await lookups.talliesOf(threadsKnownTo(regaining(world, event)))
  return {
    accounts,
    passkeys,
    settings,
    guildSettings,
    member,
    privateChannel,
    thread,
    entries,
    arriving,
    tallies,
    opening,
  }
}

/** The links to which an event may tell again of threads that they know. */
function regaining(world: World, event: KnownEvent): readonly Link[] {
  if (!mayChangeSight(event) && event.type !== 'GuildFeaturesChanged') return []
  const guild = guildOf(event)
  const links = [...((guild && world.room(guild)?.links) ?? [])]
  if (event.type !== 'MemberRolesChanged') return links
  return links.filter(({ member }) => member.accountId === event.data.accountId)
}

/** The threads shown to a bot that joins a guild; a user has joined none there yet. */
async function threadsOfBot(
  lookups: Lookups,
  world: World,
  { data }: Known<'MemberJoined'>,
): Promise<readonly ActiveThread[]> {
  const bot = world.sessionsOf(data.accountId).find(({ account }) => account.bot)
  const active = bot ? await lookups.activeThreadsFor(bot.account) : []
  return active.filter(({ thread }) => thread.guildId === data.guildId)
}

/** The channels of the event's guild that hold messages. */
function channelsOf(world: World, event: KnownEvent, opening: Opening | undefined): readonly ChannelId[] {
  const guild = guildOf(event)
  const channels = (opening?.guild ?? (guild && world.room(guild)?.guild))?.channels ?? []
  return channels.filter(({ type }) => has(type, 'messages')).map(({ id }) => id)
}

/** The data looked up for an event's dispatches. */
interface Found {
  readonly accounts: Accounts
  readonly passkeys: readonly PasskeyRecord[]
  readonly settings: ChosenSettings | undefined
  readonly guildSettings: UserGuildSettingsRecord | undefined
  readonly member: Membership | undefined
  readonly privateChannel: FoundPrivateChannel | undefined
  readonly thread: FoundThread | undefined
  readonly entries: Entries
  /** The active threads of the guild that a bot joins. */
  readonly arriving: readonly ActiveThread[]
  /** The message counts of threads that the event may show again. */
  readonly tallies: ReadonlyMap<ChannelId, ThreadTally>
}

const none: Accounts = new Map()
const noEntries: Entries = new Map()

/** The joiner's view of the guild at the event or later; undefined if the joiner has left again by then. */
async function openingFor(lookups: Lookups, { data, position }: Known<'MemberJoined'>): Promise<Opening | undefined> {
  const snapshot = await lookups.snapshot(data.accountId, position)
  const found = snapshot?.guilds.find(({ guild }) => guild.id === data.guildId)
  return snapshot && found && { ...found, position: snapshot.position }
}

function sceneOf(
  { online, newest }: AnnouncerSettings,
  world: World,
  event: KnownEvent,
  { accounts, passkeys, guildSettings, member, privateChannel, thread, entries }: Found,
  change: Change,
): Scene {
  return {
    ...change,
    passkeys,
    guildSettings,
    member,
    privateChannel,
    thread,
    entries,
    lastMessages: newest,
    account: (id) => {
      const record = accounts.get(id)
      if (!record) throw new Error(`${event.type} tells of an account that it did not ask for`)
      return record
    },
    staysOf: (session) => world.membershipsOf(session),
    onlineCount: (guild) => online.count(guild),
    now: event.metadata.at,
    sessionsOf: (account) => world.sessionsOf(account).filter(({ since }) => since < event.position),
  }
}

/** Has the links know the threads that they are shown with the guild. */
function showThreads({ room, arrived }: Change, event: KnownEvent, { thread, arriving, tallies }: Found): void {
  if (room && tallies.size > 0) renewTallies(room.links, tallies)
  for (const { threads } of arrived) for (const active of arriving) threads.set(active.thread.threadId, active)
  if (room && isOfThread(event)) keepThread(room, event, thread)
}

/** Ends every session that the event concerns, since it was not notified. */
function giveUp({ log, end }: AnnouncerSettings, world: World, event: KnownEvent, error: unknown): void {
  log.error({ error, event: event.type, position: event.position.toString() }, 'an event could not be dispatched')
  const guild = guildOf(event)
  const own = accountsOf(event).flatMap((account) => world.sessionsOf(account))
  const inGuild = [...((guild && world.room(guild)?.links) ?? [])].map(({ session }) => session)
  for (const session of [...inGuild, ...own]) end(session)
}
