import type { Cast, ModelCaller } from './cast.ts'

/** What a member of the cast may know of a guild channel. */
export interface ModelChannel {
  readonly id: string
  readonly name: string
  /** 0 text, 2 voice, 4 category, 5 announcement, 15 forum, 16 media. */
  readonly type: number
  readonly parentId: string | null
  readonly position: number
  /** The overwrite of the everyone role, the only one that the test writes. */
  allow: bigint
  deny: bigint
}

export interface ModelMember {
  readonly roles: Set<string>
}

/** The fields of Modify guild except images, by their names on the wire. */
export interface ModelSettings {
  name: string
  system_channel_id: string | null
  system_channel_flags: number
  afk_channel_id: string | null
  afk_timeout: number
  default_message_notifications: number
  verification_level: number
  mfa_level: number
  nsfw: boolean
  content_warning_level: number
  content_warning_text: string | null
  explicit_content_filter: number
  splash_card_alignment: number
  disabled_operations: number
  /** Undefined until an answer has shown it: nothing says it for a new guild. */
  message_history_cutoff: string | null | undefined
}

export interface ModelGuild {
  readonly id: string
  readonly ownerId: string
  readonly createdAt_ms: number
  readonly settings: ModelSettings
  readonly features: Set<string>
  /** Masks by role; the everyone role has the guild's id. */
  readonly roles: Map<string, bigint>
  /** Undefined until Get guild has shown them. */
  channels: ModelChannel[] | undefined
  /** What the channels must be, once they are known. */
  readonly layout: Layout
  readonly members: Map<string, ModelMember>
  readonly bans: Set<string>
  customCode: string | null
  customUses: number
  /** The newest known entry of its audit log; undefined after others were added that the model does not follow. */
  lastEntry: string | undefined
  /** Texts in the guild's channels: authors by message. */
  readonly messages: Map<string, { readonly channelId: string; readonly author: string }>
}

/** The initial state of a guild. Here names distinguish channels. */
export interface Layout {
  readonly everyone: bigint
  /** Masks of the other roles, in order from position 1. */
  readonly roles: readonly { readonly name: string; readonly permissions: bigint }[]
  readonly channels: readonly { readonly name: string; readonly type: number; readonly parent: string | null }[]
  readonly system: string
}

export interface ModelInvite {
  readonly code: string
  readonly guildId: string
  readonly channelId: string
  readonly inviterId: string
  readonly maxUses: number
  readonly maxAge: number
  readonly temporary: boolean
  readonly createdAt: string
  uses: number
}

/** The body of Create channel invite. */
export interface InviteWishes {
  readonly max_uses?: number | null
  readonly max_age?: number | null
  readonly unique?: boolean | null
  readonly temporary?: boolean | null
}

/** A group, or the direct messages of two. */
export interface ModelPrivateChannel {
  readonly id: string
  readonly kind: 'direct' | 'group'
  /** Null for direct messages. */
  ownerId: string | null
  readonly recipients: string[]
}

export type PrivateInvite = Omit<ModelInvite, 'guildId'>

/** In descending creation time; among those created at once, the later ones first. */
export function newestFirst<Invite extends Pick<ModelInvite, 'createdAt'>>(invites: readonly Invite[]): Invite[] {
  return invites.toReversed().toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
}

/** The word that the instance blocks. */
export const blockedWord = 'cursed'

export const limits = {
  max_guilds: 3,
  max_guild_invites: 3,
  max_guild_members: 4,
  max_group_dm_recipients: 3,
} as const

/** Everything that the rules mention, as far as requests can show it. */
export class World {
  readonly cast: Cast
  /** By id, and so in the order of their creation. */
  readonly guilds: ModelGuild[] = []
  /** In the order of their creation. */
  readonly invites: ModelInvite[] = []
  readonly privateChannels: ModelPrivateChannel[] = []
  readonly privateInvites: PrivateInvite[] = []
  /** Whether the listener may have heard things that the model does not follow. */
  isUnheard = true
  /** Ids of deleted guilds and channels, and every code ever seen: requests still name them. */
  readonly goneGuilds = new Set<string>()
  readonly goneChannels = new Set<string>()
  readonly gonePrivateChannels: string[] = []
  readonly codes: string[] = []
  readonly channelIds: string[] = []
  /** Codes of deleted guilds, whose records a background job removes. */
  readonly fadingCodes = new Set<string>()
  /** How many members were online at the last look at a guild. */
  readonly onlineCounts = new Map<string, number>()

  constructor(cast: Cast) {
    this.cast = cast
  }

  guild(id: string): ModelGuild | undefined {
    return this.guilds.find((guild) => guild.id === id)
  }

  guildsOf(accountId: string): readonly ModelGuild[] {
    return this.guilds.filter(({ members }) => members.has(accountId))
  }

  /** The guild of a channel. */
  guildOfChannel(channelId: string): readonly [ModelGuild, ModelChannel] | undefined {
    for (const guild of this.guilds) {
      const channel = guild.channels?.find(({ id }) => id === channelId)
      if (channel) return [guild, channel]
    }
    return undefined
  }

  invite(code: string): ModelInvite | undefined {
    return this.invites.find((invite) => invite.code === code)
  }

  privateChannel(id: string): ModelPrivateChannel | undefined {
    return this.privateChannels.find((channel) => channel.id === id)
  }

  removePrivateChannel(id: string): void {
    const index = this.privateChannels.findIndex((channel) => channel.id === id)
    if (index !== -1) this.privateChannels.splice(index, 1)
    this.gonePrivateChannels.push(id)
  }

  privateInvite(code: string): PrivateInvite | undefined {
    return this.privateInvites.find((invite) => invite.code === code)
  }

  byId(accountId: string): ModelCaller | undefined {
    return this.cast.people.find(({ person }) => person?.id === accountId)
  }

  note(code: string): void {
    const place = this.codes.indexOf(code)
    if (place !== -1) this.codes.splice(place, 1)
    this.codes.push(code)
  }

  removeInvite(code: string): void {
    for (const list of [this.invites, this.privateInvites]) {
      const index = list.findIndex((invite) => invite.code === code)
      if (index !== -1) list.splice(index, 1)
    }
  }

  removeGuild(id: string): void {
    const index = this.guilds.findIndex((guild) => guild.id === id)
    const [guild] = index === -1 ? [] : this.guilds.splice(index, 1)
    if (!guild) return
    this.goneGuilds.add(id)
    for (const channel of guild.channels ?? []) this.goneChannels.add(channel.id)
    for (const { code } of this.invites.filter(({ guildId }) => guildId === id)) {
      this.fadingCodes.add(code)
      this.removeInvite(code)
    }
  }
}
