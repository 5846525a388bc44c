import { z } from 'zod'
import type { DispatchName } from '../../gateway/protocol/dispatch-names.ts'
import * as objects from './dispatch-objects.ts'
import { memberSchema } from '../../application/wire-objects/communities/member-objects.ts'
import { messageSchema } from '../../application/wire-objects/conversations/message-objects.ts'
import { reactionEmojiSchema } from '../../application/wire-objects/conversations/reaction-objects.ts'
import { snowflakeOutput, timestampOutput } from '../../application/wire-objects/scalars.ts'
import { auditLogEntrySchema } from '../../application/wire-objects/communities/audit-log-objects.ts'
import { emojiSchema, stickerSchema } from '../../application/wire-objects/communities/expression-objects.ts'
import { guildSchema, roleSchema } from '../../application/wire-objects/communities/guild-objects.ts'
import { relationshipSchema } from '../../application/wire-objects/conversations/relationship-objects.ts'
import { threadSchema } from '../../application/wire-objects/conversations/thread-objects.ts'
import { userGuildSettingsSchema } from '../../application/wire-objects/identity/user-guild-settings-object.ts'
import { userSettingsSchema } from '../../application/wire-objects/identity/user-settings-object.ts'
import { privateUserSchema, partialUserSchema } from '../../application/wire-objects/identity/user-objects.ts'
import { passkeySchema } from '../../application/wire-objects/identity/passkey-object.ts'
import {
  guildReadySchema,
  unavailableGuildSchema,
} from '../../application/wire-objects/communities/guild-ready-object.ts'
import { presenceSchema } from '../../application/wire-objects/identity/presence-object.ts'

/** What clients need to know about a dispatch. */
export interface DescribedDispatch {
  /** Who receives it, in words that complete "Received by". */
  readonly heardBy: string
  /** `d`. */
  readonly d: z.ZodType
}

const id = snowflakeOutput
const ofGuild = { guild_id: id }
const member = 'the members of the guild'
const viewers = 'the members who can view the channel'
const own = 'the sessions of the account'
const asker = 'the session that asked'
const followers = 'bots in a guild with the account, sessions that follow it, its friends and groups'
const threadViewers = 'the sessions with thread access that can view the thread'
const managers = 'the members with MANAGE_CHANNELS in the channel, and the recipients of a group'

/**
 * Every dispatch: a name without an entry does not compile. `test/gateway/dispatches/recipients.test.ts` holds the dispatches that
 * the Gateway sends to these schemas.
 */
const readers = `${viewers} and READ_MESSAGE_HISTORY, and the recipients of a private channel`
const reactedMessage = { channel_id: id, message_id: id, guild_id: id.optional() }
const oneReaction = {
  ...reactedMessage,
  user_id: id,
  emoji: reactionEmojiSchema,
  session_id: z.string().optional().describe('In a private channel: the session that the request named.'),
  member: memberSchema.optional().describe('In a guild: who reacted.'),
}

export const dispatchCatalogue: Readonly<Record<DispatchName, DescribedDispatch>> = {
  READY: { heardBy: 'a session that begins', d: objects.ready },
  RESUMED: { heardBy: 'a session that was resumed, after what it missed', d: z.object({}) },
  AUTH_SECURITY_NOTICE: {
    heardBy: own,
    d: z.object({
      kind: z.string(),
      at: timestampOutput,
      session_id_hash: z.string().nullable(),
      credential_id: z.string().nullable(),
      key_id: id.nullable(),
    }),
  },
  AUTH_SESSION_CHANGE: {
    heardBy: 'the sessions that began with the token that a new one replaces',
    d: z.object({
      old_auth_session_id_hash: z.string(),
      new_auth_session_id_hash: z.string(),
      new_token: z.string(),
    }),
  },
  CHANNEL_CREATE: { heardBy: `${viewers}; ${own} for a private channel`, d: objects.dispatchedChannel },
  CHANNEL_DELETE: {
    heardBy: `${viewers}, and those who no longer can; ${own} for a private channel`,
    d: z.union([objects.dispatchedChannel, z.object({ id, ...ofGuild })]),
  },
  CHANNEL_MEMBER_COUNTS_UPDATE: {
    heardBy: asker,
    d: z.object({
      counts: z.array(objects.counts.extend({ channel_id: id })),
      nonce: z
        .string()
        .optional()
        .describe(
          'Chosen by the sender: comes back with the message. A repeated one within minutes gives the first message again.',
        ),
    }),
  },
  CHANNEL_PINS_ACK: {
    heardBy: `${own} that has seen the pins of a channel`,
    d: z.object({ channel_id: id, timestamp: timestampOutput.describe('When the last of them was pinned.') }),
  },
  CHANNEL_PINS_UPDATE: {
    heardBy: `${viewers}, and the recipients of a private channel`,
    d: z.object({
      channel_id: id,
      last_pin_timestamp: timestampOutput
        .nullable()
        .describe('When a message was last pinned, even if it is no longer; null for never.'),
      guild_id: id.optional(),
    }),
  },
  CHANNEL_RECIPIENT_ADD: {
    heardBy: 'the recipients of the group',
    d: z.object({ channel_id: id, user: partialUserSchema }),
  },
  CHANNEL_RECIPIENT_REMOVE: {
    heardBy: 'the recipients of the group',
    d: z.object({ channel_id: id, user: partialUserSchema }),
  },
  CHANNEL_UPDATE: { heardBy: `${viewers}; ${own} for a group`, d: objects.dispatchedChannel },
  CHANNEL_UPDATE_BULK: {
    heardBy: `${member}, each with the channels that it can view`,
    d: z.object({ ...ofGuild, channels: z.array(objects.dispatchedChannel) }),
  },
  GUILD_AUDIT_LOG_ENTRY_CREATE: { heardBy: 'the members with VIEW_AUDIT_LOG', d: auditLogEntrySchema.extend(ofGuild) },
  GUILD_BAN_ADD: { heardBy: member, d: z.object({ ...ofGuild, user: z.object({ id }) }) },
  GUILD_BAN_REMOVE: { heardBy: member, d: z.object({ ...ofGuild, user: z.object({ id }) }) },
  GUILD_COUNTS_UPDATE: {
    heardBy: asker,
    d: z.object({
      counts: z.array(objects.counts),
      nonce: z
        .string()
        .optional()
        .describe(
          'Chosen by the sender: comes back with the message. A repeated one within minutes gives the first message again.',
        ),
    }),
  },
  GUILD_CREATE: { heardBy: `${own} that joined; a bot after READY, for each guild`, d: guildReadySchema },
  GUILD_DELETE: {
    heardBy: `${member}; ${own} that left; with \`unavailable\`, the members whom the guild is closed to`,
    d: z.union([unavailableGuildSchema, z.object({ id, guild_id: id.optional() })]),
  },
  GUILD_MEMBER_ADD: { heardBy: member, d: objects.guildMember },
  GUILD_MEMBER_LIST_UPDATE: {
    heardBy: 'sessions that look at the channel’s list of members (op 14), as the rows change that they look at',
    d: objects.memberListUpdate,
  },
  GUILD_MEMBER_REMOVE: { heardBy: member, d: z.object({ ...ofGuild, user: z.object({ id }) }) },
  GUILD_MEMBER_UPDATE: { heardBy: member, d: objects.guildMember },
  GUILD_MEMBERS_CHUNK: {
    heardBy: asker,
    d: z.object({
      ...ofGuild,
      members: z.array(objects.guildMember.partial({ guild_id: true })),
      chunk_index: z.int(),
      chunk_count: z.int(),
      presences: z.array(presenceSchema).optional(),
      nonce: z
        .string()
        .optional()
        .describe(
          'Chosen by the sender: comes back with the message. A repeated one within minutes gives the first message again.',
        ),
    }),
  },
  GUILD_EMOJIS_UPDATE: {
    heardBy: member,
    d: z.object({ ...ofGuild, emojis: z.array(emojiSchema).describe('All emojis of the guild.') }),
  },
  GUILD_ROLE_CREATE: { heardBy: member, d: z.object({ ...ofGuild, role: roleSchema }) },
  GUILD_ROLE_DELETE: { heardBy: member, d: z.object({ ...ofGuild, role_id: id }) },
  GUILD_ROLE_UPDATE: { heardBy: member, d: z.object({ ...ofGuild, role: roleSchema }) },
  GUILD_ROLE_UPDATE_BULK: { heardBy: member, d: z.object({ ...ofGuild, roles: z.array(roleSchema) }) },
  GUILD_STICKERS_UPDATE: {
    heardBy: member,
    d: z.object({ ...ofGuild, stickers: z.array(stickerSchema).describe('All stickers of the guild.') }),
  },
  GUILD_SYNC: { heardBy: asker, d: guildReadySchema },
  GUILD_UPDATE: { heardBy: member, d: guildSchema.extend(ofGuild) },
  INVITE_CREATE: { heardBy: managers, d: objects.createdInvite },
  INVITE_DELETE: { heardBy: managers, d: z.object({ code: z.string(), channel_id: id, guild_id: id.optional() }) },
  MESSAGE_ACK: {
    heardBy: `${own} that has read a channel`,
    d: z.object({
      channel_id: id,
      message_id: id,
      mention_count: z.int().describe('How many messages that the account has not read mention it.'),
      manual: z.boolean().optional().describe('As the request says; absent where several channels were read together.'),
      version: z.literal('0').describe('Read states have no versions here.'),
    }),
  },
  MESSAGE_CREATE: { heardBy: `${viewers}, and the recipients of a private channel`, d: objects.dispatchedMessage },
  MESSAGE_DELETE: {
    heardBy: readers,
    d: z.object({
      id,
      channel_id: id,
      author_id: id.optional(),
      guild_id: id.optional(),
      content: z.string().optional().describe('Text in Markdown. At most 2000 characters, 4000 with premium.'),
    }),
  },
  MESSAGE_DELETE_BULK: {
    heardBy: readers,
    d: z.object({ ids: z.array(id), channel_id: id, guild_id: id.optional() }),
  },
  MESSAGE_REACTION_ADD: { heardBy: readers, d: z.object(oneReaction) },
  MESSAGE_REACTION_ADD_MANY: {
    heardBy: 'the recipients of a private channel whose session asked for reactions together, with flag 2 of Identify',
    d: z.object({
      channel_id: id,
      message_id: id,
      reactions: z.array(z.object({ user_id: id, emoji: reactionEmojiSchema })),
    }),
  },
  MESSAGE_REACTION_REMOVE: { heardBy: readers, d: z.object(oneReaction) },
  MESSAGE_REACTION_REMOVE_ALL: { heardBy: readers, d: z.object(reactedMessage) },
  MESSAGE_REACTION_REMOVE_EMOJI: { heardBy: readers, d: z.object({ ...reactedMessage, emoji: reactionEmojiSchema }) },
  MESSAGE_UPDATE: {
    heardBy: readers,
    d: objects.dispatchedMessage,
  },
  PASSIVE_UPDATES: {
    heardBy: 'the passive sessions of a large guild',
    d: z.object({
      ...ofGuild,
      channels: z.record(z.string(), id).meta({ description: 'The newest message by channel.' }),
    }),
  },
  PRESENCE_UPDATE: { heardBy: followers, d: presenceSchema },
  PRESENCE_UPDATE_BULK: {
    heardBy: `${followers}, after its guild was unavailable`,
    d: z.object({ ...ofGuild, presences: z.array(presenceSchema) }),
  },
  RATE_LIMITED: {
    heardBy: asker,
    d: z.object({
      opcode: z.int(),
      retry_after: z.number().meta({ description: 'Seconds.' }),
      meta: z.object({
        ...ofGuild,
        nonce: z
          .string()
          .optional()
          .describe(
            'Chosen by the sender: comes back with the message. A repeated one within minutes gives the first message again.',
          ),
      }),
    }),
  },
  RECENT_MENTION_DELETE: {
    heardBy: `${own} that took a message out of its recent mentions`,
    d: z.object({ message_id: id }),
  },
  RELATIONSHIP_ADD: { heardBy: own, d: relationshipSchema },
  RELATIONSHIP_REMOVE: { heardBy: own, d: z.object({ id }) },
  RELATIONSHIP_UPDATE: { heardBy: own, d: relationshipSchema },
  SAVED_MESSAGE_CREATE: { heardBy: `${own} that saved a message`, d: messageSchema },
  SAVED_MESSAGE_DELETE: {
    heardBy: `${own} that took a message out of those that it saved`,
    d: z.object({ message_id: id }),
  },
  SESSIONS_REPLACE: { heardBy: own, d: z.array(objects.sessionEntry) },
  THREAD_CREATE: { heardBy: `${threadViewers}, and the account that was added`, d: threadSchema },
  THREAD_DELETE: { heardBy: threadViewers, d: objects.threadGone },
  THREAD_MEMBERS_UPDATE: { heardBy: `${threadViewers}, and those it is about`, d: objects.threadMembers },
  THREAD_MEMBER_UPDATE: { heardBy: own, d: objects.ownThreadMembership },
  THREAD_UPDATE: { heardBy: threadViewers, d: threadSchema },
  TYPING_START: {
    heardBy: `${viewers}, and the recipients of a private channel; in a large guild only if the session asks for it or is active`,
    d: z.object({
      channel_id: id,
      user_id: id,
      timestamp: z.int().describe('Seconds since the Unix epoch. It ends by itself, after about ten seconds.'),
      guild_id: id.optional(),
      member: memberSchema.optional().describe('In a guild: who is writing.'),
    }),
  },
  USER_GUILD_SETTINGS_UPDATE: { heardBy: own, d: userGuildSettingsSchema },
  USER_NOTE_UPDATE: {
    heardBy: `${own} that noted something about another`,
    d: z.object({ id, note: z.string().describe('Empty if there is none any more.') }),
  },
  USER_SETTINGS_UPDATE: { heardBy: own, d: userSettingsSchema },
  USER_UPDATE: { heardBy: own, d: privateUserSchema },
  WEBAUTHN_CREDENTIALS_UPDATE: { heardBy: own, d: z.array(passkeySchema) },
  WEBHOOKS_UPDATE: { heardBy: viewers, d: z.object({ ...ofGuild, channel_id: id }) },
}
