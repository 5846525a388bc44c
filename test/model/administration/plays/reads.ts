import { expect } from 'vitest'
import { instant, paddedTag, resolvedUser, userObject, type Body, type ModelAccount } from '../account.ts'
import { at, faultsOf, read, readable, sees, type AdminPlay, type Ask } from '../play.ts'

/** Get user, List users, and the lists of guilds, direct messages and applications. */

export function getUser(ask: Ask): AdminPlay {
  return {
    method: 'GET',
    path: at(ask.id),
    acls: ['user:lookup'],
    faults: faultsOf(ask),
    judge() {
      const account = ask.world.accounts.get(ask.id)
      const isGone = ask.world.gone === ask.id
      const users = isGone ? [goneObject(ask)] : account ? [userObject(account, sees(ask.actor))] : []
      return read(ask, 'get_user', { users }, { found: String(users.length > 0) })
    },
  }
}

/** An erased account has every key too, and no personal data. */
function goneObject({ world, actor }: Ask): Body {
  const [some] = world.accounts.values()
  const keys = some ? Object.keys(userObject(some, sees(actor))) : []
  return {
    ...Object.fromEntries(keys.map((key) => [key, expect.toSatisfy((value: unknown) => value !== undefined)])),
    id: world.gone,
    username: 'DeletedUser',
    discriminator: 0,
    global_name: 'Deleted User',
    email: null,
    email_verified: false,
    date_of_birth: null,
    last_active_ip: null,
    acls: [],
    traits: [],
  }
}

export interface GuildPage {
  readonly before?: string
  readonly after?: string
  readonly limit?: number
  readonly with_counts?: string
}

const queryOf = (wishes: object): string => {
  const given = Object.entries(wishes).filter(([, value]: [string, unknown]) => value !== undefined)
  const text = given.map(([name, value]: [string, unknown]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return text === '' ? '' : `?${text}`
}

/** Each account is in one guild, or in none. */
export function listGuilds(ask: Ask, page: GuildPage): AdminPlay {
  const { before, after, limit = 200, with_counts: counts } = page
  const withCounts = ['true', 'True', '1'].includes(counts ?? '')
  const { home, accounts } = ask.world
  return {
    method: 'GET',
    path: at(ask.id, `/guilds${queryOf(page)}`),
    acls: ['user:list:guilds'],
    faults: faultsOf(ask, (limit < 1 || limit > 200) && 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'),
    judge() {
      const account = readable(ask)
      const isIn = account !== undefined && home.members.includes(account.id)
      const isOnPage = isIn && before !== home.id && after !== home.id
      const owner = accounts.get(home.ownerId)
      const guild = {
        id: home.id,
        name: 'Home',
        features: expect.any(Array),
        owner_id: home.ownerId,
        owner_username: owner?.username,
        owner_global_name: owner?.globalName,
        owner_discriminator: paddedTag(owner?.discriminator ?? 0),
        icon: null,
        banner: null,
        member_count: home.members.length,
        nsfw_level: 0,
        ...(withCounts
          ? { approximate_member_count: home.members.length, approximate_presence_count: expect.any(Number) }
          : {}),
      }
      const guilds = isOnPage ? [guild] : []
      return read(
        ask,
        'list_user_guilds',
        { guilds },
        {
          limit: String(limit),
          with_counts: String(withCounts),
          guild_count: String(guilds.length),
          ...(before === undefined ? {} : { before_guild_id: before }),
          ...(after === undefined ? {} : { after_guild_id: after }),
        },
      )
    },
  }
}

export interface ChannelPage {
  readonly type?: string
  readonly before?: string
  readonly after?: string
  readonly limit?: number
}

/** Each account has direct messages with one other at most, and no group. */
export function listDirectMessages(ask: Ask, page: ChannelPage): AdminPlay {
  const { type = 'dm', before, after, limit = 50 } = page
  const hasBoth = before !== undefined && after !== undefined
  return {
    method: 'GET',
    path: at(ask.id, `/dm-channels${queryOf(page)}`),
    acls: ['user:list:dm_channels'],
    faults: faultsOf(
      ask,
      (limit < 1 || limit > 200) && 'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      type !== 'dm' && type !== 'group_dm' && 'type',
      hasBoth && 'before CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER',
    ),
    judge() {
      const account = readable(ask)
      const [held] = type === 'dm' ? (account?.directMessages ?? []) : []
      const isOnPage =
        held &&
        (before === undefined || BigInt(held.channel) < BigInt(before)) &&
        (after === undefined || BigInt(held.channel) > BigInt(after))
      const channels = account && held && isOnPage ? [directMessages(ask, account, held)] : []
      const { settle: _, ...verdict } = read(
        ask,
        'list_user_dm_channels',
        {},
        {
          type,
          channel_count: String(channels.length),
          ...(type === 'dm' ? { limit: String(limit) } : {}),
          ...(type === 'dm' && before !== undefined ? { before_channel_id: before } : {}),
          ...(type === 'dm' && after !== undefined ? { after_channel_id: after } : {}),
        },
      )
      return { ...verdict, settle: (answer) => ({ channels: sameOrder(answer, channels) }) }
    },
  }
}

/** The order of recipients is not promised. */
function sameOrder(answer: Body, channels: readonly ReturnType<typeof directMessages>[]): readonly Body[] {
  const [first] = answer['channels'] as readonly { readonly recipient_ids: readonly string[] }[]
  const order = first?.recipient_ids ?? []
  const place = (id: unknown): number => order.indexOf(String(id))
  return channels.map((channel) => ({
    ...channel,
    recipient_ids: channel.recipient_ids.toSorted((one, other) => place(one) - place(other)),
    recipients: channel.recipients.toSorted((one, other) => place(one['id']) - place(other['id'])),
  }))
}

function directMessages({ world }: Ask, account: ModelAccount, held: ModelAccount['directMessages'][number]) {
  const other = world.accounts.get(held.other)
  const both = [account, ...(other ? [other] : [])]
  return {
    channel_id: held.channel,
    channel_type: 1,
    channel_nsfw: false,
    guild_nsfw_level: null,
    recipient_ids: both.map(({ id }) => id),
    recipients: both.map(resolvedUser),
    last_message_id: null,
    is_open: true,
    name: null,
    icon: null,
    owner_id: null,
  }
}

/** Either ACL suffices. */
export function listApplications(ask: Ask): AdminPlay {
  return {
    method: 'GET',
    path: at(ask.id, '/applications'),
    acls: ['application:lookup', 'application:list:by_owner'],
    faults: faultsOf(ask),
    judge() {
      const owner = readable(ask)
      const applications = (owner?.applications ?? []).map((bot) => applicationObject(bot, owner))
      return read(ask, 'list_user_applications', { applications }, { application_count: String(applications.length) })
    },
  }
}

/** An application whose bot has become a person has no bot (decision 78). */
function applicationObject(bot: ModelAccount, owner: ModelAccount | undefined): Body {
  return {
    id: bot.id,
    name: bot.applicationName,
    owner_user_id: owner?.id,
    owner_username: owner?.username,
    owner_global_name: owner?.globalName,
    owner_discriminator: paddedTag(owner?.discriminator ?? 0),
    bot_user_id: bot.id,
    bot_username: bot.username,
    bot_global_name: bot.globalName,
    bot_discriminator: paddedTag(bot.discriminator),
    bot_is_public: expect.any(Boolean),
    bot_require_code_grant: expect.any(Boolean),
    oauth2_redirect_uris: [],
    has_client_secret: true,
    has_bot_token: true,
    bot_token_preview: null,
    bot_token_created_at: instant,
    client_secret_created_at: instant,
    version: expect.any(Number),
  }
}
