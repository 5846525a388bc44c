import { z } from 'zod'
import { countsIfAsked, guildMembers, partialGuildMembers, roleSchema } from './guild-objects.ts'
import { maskOutput } from '../scalars.ts'
import { wireObject, type ObjectOf } from '../declaration.ts'
import { emojiSchema, stickerSchema } from './expression-objects.ts'
import { channelSchema } from './channel-objects.ts'

/** A guild as List current user guilds shows it. */
export const listedGuildSchema = wireObject('ListedGuild', {
  ...guildMembers,
  permissions: maskOutput.optional(),
  ...countsIfAsked,
  threads_active: z
    .literal(true)
    .optional()
    .describe('Always true. Present for bots and for clients that declare channel_threads.'),
})

export type ListedGuildObject = ObjectOf<typeof listedGuildSchema>

/** A guild as Get guild preview shows it. */
export const guildPreviewSchema = wireObject('GuildPreview', {
  ...partialGuildMembers,
  discovery_splash: z.null(),
  description: z.null(),
  emojis: z.array(emojiSchema).readonly(),
  stickers: z.array(stickerSchema).readonly(),
  approximate_member_count: z.int().describe('All members.'),
  approximate_presence_count: z.int().describe('Members that are online.'),
})

export type GuildPreviewObject = ObjectOf<typeof guildPreviewSchema>

/** A guild as Get guild shows it. */
export const fullGuildSchema = wireObject('FullGuild', {
  ...guildMembers,
  roles: z.array(roleSchema).readonly().describe('All roles, that of everyone included.'),
  emojis: z.array(emojiSchema).readonly(),
  stickers: z.array(stickerSchema).readonly(),
  channels: z.array(channelSchema).readonly(),
  member_count: z.int().describe('All members.'),
  online_count: z.int().describe('Members that are online.'),
})

export type FullGuildObject = ObjectOf<typeof fullGuildSchema>
