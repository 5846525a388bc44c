import type { Payload } from '../gateway/support/client.ts'

type Members = Readonly<Record<string, unknown>>

/** A thread that a session heard of. */
interface ToldThread {
  readonly guild: string
  readonly parent: string
  readonly type: number
  readonly isArchived: boolean
  readonly hasJoined: boolean
}

/** A guild as a client knows it. */
interface ToldGuild {
  readonly channels: Set<string>
  readonly roles: Set<string>
  /** The roles of the session's own member that the guild has. */
  ownRoles: readonly string[]
  memberCount: number
}

/** What a client knows, by ids. */
export interface Told {
  readonly guilds: Map<string, ToldGuild>
  readonly threads: Map<string, ToldThread>
  /** The other recipients of each private channel. */
  readonly privateChannels: Map<string, Set<string>>
  /** For each channel and thread, the messages that came during the session and were not deleted. */
  readonly messages: Map<string, Set<string>>
  /** The codes of the invites that it heard of. */
  readonly invites: Map<string, string>
}

const privateThread = 12

/**
 * What a client of an account knows after a dispatch. It does what clients do: with a guild it removes its channels, with a
 * channel its threads, with a thread its messages. An account that was removed from a private thread loses it, unless it
 * moderates.
 */
export function fold(
  dispatches: readonly Payload[],
  viewer: { readonly id: string; readonly moderates: boolean },
): Told {
  const told: Told = {
    guilds: new Map(),
    threads: new Map(),
    privateChannels: new Map(),
    messages: new Map(),
    invites: new Map(),
  }
  for (const { t, d } of dispatches) takeIn(told, t ?? '', d, viewer)
  return told
}

function takeIn(told: Told, t: string, d: Members, viewer: { readonly id: string; readonly moderates: boolean }): void {
  const id = String(d['id'])
  const guild = told.guilds.get(String(d['guild_id']))
  switch (t) {
    case 'READY':
      for (const each of listIn(d, 'guilds')) addGuild(told, each, viewer.id)
      for (const each of listIn(d, 'private_channels')) addPrivate(told, each)
      return
    case 'GUILD_CREATE':
      return addGuild(told, d, viewer.id)
    case 'GUILD_DELETE':
      return removeGuild(told, id)
    case 'GUILD_MEMBER_ADD':
      if (guild) guild.memberCount += 1
      return
    case 'GUILD_MEMBER_REMOVE':
      if (guild) guild.memberCount -= 1
      return
    case 'GUILD_MEMBER_UPDATE':
      if (guild && idOf(d['user']) === viewer.id) guild.ownRoles = d['roles'] as readonly string[]
      return
    case 'GUILD_ROLE_CREATE':
      guild?.roles.add(idOf(d['role']))
      return
    case 'GUILD_ROLE_DELETE':
      guild?.roles.delete(String(d['role_id']))
      if (guild) guild.ownRoles = guild.ownRoles.filter((role) => role !== d['role_id'])
      return
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
      if (d['guild_id'] === undefined) addPrivate(told, d)
      else guild?.channels.add(id)
      return
    case 'CHANNEL_DELETE':
      return removeChannel(told, guild, id)
    case 'CHANNEL_RECIPIENT_ADD':
      told.privateChannels.get(String(d['channel_id']))?.add(idOf(d['user']))
      return
    case 'CHANNEL_RECIPIENT_REMOVE':
      told.privateChannels.get(String(d['channel_id']))?.delete(idOf(d['user']))
      return
    case 'INVITE_CREATE':
      told.invites.set(String(d['code']), idOf(d['guild']))
      return
    case 'INVITE_DELETE':
      told.invites.delete(String(d['code']))
      return
    default:
      if (t.startsWith('THREAD_')) takeInThread(told, t, d, viewer)
      else if (t.startsWith('MESSAGE_')) takeInMessage(told, t, d)
  }
}

function takeInThread(
  told: Told,
  t: string,
  d: Members,
  viewer: { readonly id: string; readonly moderates: boolean },
): void {
  const id = String(d['id'])
  const known = told.threads.get(id)
  if (t === 'THREAD_CREATE' || t === 'THREAD_UPDATE') addThread(told, d, String(d['guild_id']))
  else if (t === 'THREAD_DELETE') removeThread(told, id)
  else if (t === 'THREAD_MEMBERS_UPDATE' && known) {
    const added = listIn(d, 'added_members').some((member) => member['user_id'] === viewer.id)
    const isRemoved = ((d['removed_member_ids'] ?? []) as readonly string[]).includes(viewer.id)
    if (isRemoved && known.type === privateThread && !viewer.moderates) removeThread(told, id)
    else told.threads.set(id, { ...known, hasJoined: added || (known.hasJoined && !isRemoved) })
  }
}

function takeInMessage(told: Told, t: string, d: Members): void {
  const channel = String(d['channel_id'])
  const messages = told.messages.get(channel) ?? new Set<string>()
  if (t === 'MESSAGE_CREATE') told.messages.set(channel, messages.add(String(d['id'])))
  else if (t === 'MESSAGE_DELETE') messages.delete(String(d['id']))
  else if (t === 'MESSAGE_DELETE_BULK') for (const id of d['ids'] as readonly string[]) messages.delete(id)
}

function addGuild(told: Told, d: Members, account: string): void {
  const guild = String(d['id'])
  const own = listIn(d, 'members').find(({ user }) => idOf(user) === account)
  told.guilds.set(guild, {
    channels: new Set(listIn(d, 'channels').map(idOf)),
    roles: new Set(listIn(d, 'roles').map(idOf)),
    ownRoles: (own?.['roles'] ?? []) as readonly string[],
    memberCount: Number(d['member_count']),
  })
  for (const thread of listIn(d, 'threads')) addThread(told, thread, guild)
}

function removeGuild(told: Told, guild: string): void {
  const known = told.guilds.get(guild)
  for (const channel of known?.channels ?? []) removeChannel(told, known, channel)
  for (const [code, of] of told.invites) if (of === guild) told.invites.delete(code)
  told.guilds.delete(guild)
}

function removeChannel(told: Told, guild: ToldGuild | undefined, channel: string): void {
  guild?.channels.delete(channel)
  told.privateChannels.delete(channel)
  told.messages.delete(channel)
  for (const [thread, { parent }] of told.threads) if (parent === channel) removeThread(told, thread)
}

function addThread(told: Told, d: Members, guild: string): void {
  const id = String(d['id'])
  const metadata = d['thread_metadata'] as Members
  told.threads.set(id, {
    guild,
    parent: String(d['parent_id']),
    type: Number(d['type']),
    isArchived: metadata['archived'] === true,
    hasJoined: d['member'] !== undefined || told.threads.get(id)?.hasJoined === true,
  })
}

function removeThread(told: Told, thread: string): void {
  told.threads.delete(thread)
  told.messages.delete(thread)
}

function addPrivate(told: Told, d: Members): void {
  told.privateChannels.set(idOf(d), new Set(listIn(d, 'recipients').map(idOf)))
}

function listIn(d: Members, name: string): readonly Members[] {
  return (d[name] ?? []) as readonly Members[]
}

function idOf(value: unknown): string {
  return String((value as Members | undefined)?.['id'])
}
