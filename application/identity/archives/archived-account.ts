import type { Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ArchiveEntry } from '../../ports/archives.ts'
import type { SavedPlace } from '../../ports/saved-messages.ts'
import type { HeldReaction } from '../../ports/reactions.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Relationship } from '../../ports/queries/relationship-queries.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { passkeyObject } from '../../wire-objects/identity/passkey-object.ts'
import { userGuildSettingsObject } from '../../wire-objects/identity/user-guild-settings-object.ts'
import { userSettingsObject } from '../../wire-objects/identity/user-settings-object.ts'
import { privateUserObject } from '../../wire-objects/identity/user-objects.ts'
import { clientInfo } from '../sessions/client-info.ts'
import { everySession } from '../sessions/every-session.ts'
import { paymentPages, type PaymentNeeds } from './archived-payments.ts'
import { jsonFile, jsonList } from './json-pieces.ts'

type Needs = Pick<
  Ports,
  'accountNotes' | 'queries' | 'reactions' | 'readStates' | 'savedMessages' | 'sessionActivity'
> &
  PaymentNeeds

/** The account whose archive is built. */
export interface ArchivedAccount {
  readonly account: AccountRecord
  /** With secrets, of which the archive shows nothing. */
  readonly state: Account
  /** The account's guilds, last joined first. */
  readonly stays: readonly Membership[]
  readonly now: Timestamp
}

/**
 * Everything about the account but its messages and images, one file for each kind. No secret is in it: neither a hash,
 * a key or a token, nor what proves who somebody is. Other people are ids.
 */
export async function* archivedAccount(ports: Needs, archived: ArchivedAccount): AsyncGenerator<ArchiveEntry> {
  const { account } = archived
  yield { path: 'user.json', content: jsonFile(profileOf(archived)) }
  yield { path: 'account/settings.json', content: jsonFile(await settingsOf(ports, archived)) }
  yield { path: 'account/security.json', content: jsonFile(await securityOf(ports, archived)) }
  yield { path: 'account/relationships.json', content: jsonFile(await relationshipsOf(ports, account.id)) }
  yield { path: 'account/guilds.json', content: jsonFile(await guildsOf(ports, archived)) }
  yield { path: 'account/private_channels.json', content: jsonFile(await privateChannelsOf(ports, account.id)) }
  yield { path: 'account/webhooks.json', content: jsonFile(await webhooksOf(ports, account.id)) }
  yield { path: 'account/reactions.json', content: jsonList(reactionPages(ports, account.id)) }
  yield { path: 'account/read_states.json', content: jsonFile(await readStatesOf(ports, archived)) }
  yield { path: 'account/notes.json', content: jsonFile(await notesOf(ports, account.id)) }
  yield { path: 'account/saved_messages.json', content: jsonList(savedPages(ports, account.id)) }
  yield { path: 'payments/payment_history.json', content: jsonList(paymentPages(ports, archived)) }
  yield { path: 'integrations/oauth.json', content: jsonFile(await integrationsOf(ports, account)) }
}

function profileOf({ account, now }: ArchivedAccount) {
  return {
    ...privateUserObject(account, now),
    date_of_birth: account.dateOfBirth,
    locale: account.locale,
    registered_at: account.registeredAt,
  }
}

async function settingsOf({ queries }: Needs, { account, stays, now }: ArchivedAccount) {
  const chosen = (await queries.userSettings.find(account.id)) ?? {}
  const ofGuilds = []
  for (const guildId of [null, ...stays.map((stay) => stay.guildId)]) {
    const settings = await queries.userSettings.findForGuild(account.id, guildId)
    if (settings) ofGuilds.push(userGuildSettingsObject(settings))
  }
  return { settings: userSettingsObject({ account, chosen, stays }, now), guild_settings: ofGuilds }
}

async function securityOf(ports: Needs, { account, state }: ArchivedAccount) {
  return {
    sessions: (await everySession(ports, account.id)).map((session) => ({
      started_at: session.startedAt,
      approx_last_used_at: session.lastUsedAt,
      ended_at: session.endedAt,
      ip: session.ip,
      user_agent: session.userAgent,
      client_info: clientInfo(session.userAgent),
    })),
    has_password: account.hasPassword,
    password_last_changed_at: account.passwordChangedAt,
    has_totp: account.secondFactors.totp,
    passkeys: (await ports.queries.passkeys.ofAccount(account.id)).map(passkeyObject),
    authorized_networks: state.authorizedNetworks,
    single_sign_on: account.hasSingleSignOn,
    banned_until: account.bannedUntil,
  }
}

const categories: Readonly<Record<Relationship['type'], string>> = {
  [relationshipTypes.friend]: 'friend',
  [relationshipTypes.blocked]: 'blocked',
  [relationshipTypes.incomingRequest]: 'incoming_request',
  [relationshipTypes.outgoingRequest]: 'outgoing_request',
}

async function relationshipsOf({ queries }: Needs, accountId: AccountId) {
  const held = await queries.relationships.ofAccount(accountId)
  return held.map(({ otherId, type, since, nickname }) => ({
    user_id: otherId,
    category: categories[type],
    since,
    nickname,
  }))
}

/** A guild's name is not the account's, but the account has seen it in its list. */
async function guildsOf({ queries }: Needs, { account, stays }: ArchivedAccount) {
  const names = new Map(
    (await queries.guilds.namesOf(stays.map(({ guildId }) => guildId))).map((each) => [each.id, each.name]),
  )
  return stays.map((stay) => ({
    guild_id: stay.guildId,
    guild_name: names.get(stay.guildId) ?? null,
    joined_at: stay.joinedAt,
    nick: stay.nick,
    bio: stay.bio,
    pronouns: stay.pronouns,
    avatar: stay.avatar,
    banner: stay.banner,
    accent_color: stay.accentColor,
    roles: stay.roles,
    mute: stay.mute,
    deaf: stay.deaf,
    communication_disabled_until: stay.communicationDisabledUntil,
    temporary: stay.temporary,
    user_id: account.id,
  }))
}

/** The webhooks that the account has created, in guilds that it may have left; without their tokens. */
async function webhooksOf({ queries }: Needs, accountId: AccountId) {
  const created = await queries.webhooks.createdBy(accountId)
  return created.map(({ id, guildId, channelId, name }) => ({
    id,
    guild_id: guildId,
    channel_id: channelId,
    name,
  }))
}

const directAtOnce_max = 200

/** Groups, and direct messages even if they are closed. Names and nicknames in them are what others may have written. */
async function privateChannelsOf({ queries }: Needs, accountId: AccountId) {
  const groups = (await queries.privateChannels.openFor(accountId)).filter(({ kind }) => kind === 'group')
  const direct: PrivateChannel[] = []
  let page: readonly PrivateChannel[] = []
  do {
    const before = page.at(-1)?.id
    page = await queries.privateChannels.directOf(accountId, {
      limit: directAtOnce_max,
      ...(before === undefined ? {} : { before }),
    })
    direct.push(...page)
  } while (page.length === directAtOnce_max)
  return [...groups, ...direct].map(({ id, kind, recipients, closedFor, ownerId }) => ({
    channel_id: id,
    kind,
    recipient_ids: recipients,
    is_open: !closedFor.includes(accountId),
    is_owner: ownerId === accountId,
  }))
}

const reactionsAtOnce_max = 500

/** What the account reacted to. Whoever wrote the messages is not in it. */
async function* reactionPages({ reactions }: Needs, accountId: AccountId): AsyncGenerator<readonly object[]> {
  let page: readonly HeldReaction[] = []
  do {
    page = await reactions.ofAccount(accountId, page.at(-1), reactionsAtOnce_max)
    yield page.map(({ channelId, messageId, emoji }) => ({ channel_id: channelId, message_id: messageId, emoji }))
  } while (page.length === reactionsAtOnce_max)
}

async function notesOf({ accountNotes }: Needs, accountId: AccountId) {
  return [...(await accountNotes.of(accountId))].map(([about, note]) => ({ user_id: about, note }))
}

/** What the account has read, and how many mentions of it came since. */
async function readStatesOf({ readStates }: Needs, { account, stays }: ArchivedAccount) {
  const held = await readStates.of(account.id, stays)
  return held.map(({ channelId, lastMessageId, mentionCount, lastPinAt, later }) => ({
    channel_id: channelId,
    last_message_id: lastMessageId,
    mention_count: mentionCount + (later?.count ?? 0),
    last_pin_timestamp: lastPinAt,
  }))
}

const savedAtOnce_max = 100

/** Which messages the account has saved. What they say is not the account's. */
async function* savedPages({ savedMessages }: Needs, accountId: AccountId): AsyncGenerator<readonly object[]> {
  let page: readonly SavedPlace[] = []
  do {
    page = await savedMessages.page(accountId, page.at(-1)?.messageId, savedAtOnce_max)
    yield page.map(({ channelId, messageId }) => ({ channel_id: channelId, message_id: messageId }))
  } while (page.length === savedAtOnce_max)
}

/** Applications that the account has authorised, and its own. Their secrets are not in the read models. */
async function integrationsOf({ queries }: Needs, account: AccountRecord) {
  const [authorized, owned] = await Promise.all([
    queries.oauth2.authorizationsOf(account),
    queries.applications.ofOwner(account.id),
  ])
  return {
    authorizations: authorized.map(({ applicationId, scopes, authorizedAt }) => ({
      application_id: applicationId,
      scopes,
      authorized_at: authorizedAt,
    })),
    applications: owned.map(({ id, name, redirectUris, botPublic, createdAt }) => ({
      id,
      name,
      redirect_uris: redirectUris,
      bot_public: botPublic,
      created_at: createdAt,
    })),
  }
}
