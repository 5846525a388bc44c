import { z } from 'zod'
import { renameEmoji, deleteEmoji } from '../../../../application/communities/expressions/change-expressions.ts'
import { cloneEmoji } from '../../../../application/communities/expressions/clone-expression.ts'
import { createEmoji, createEmojis } from '../../../../application/communities/expressions/create-expressions.ts'
import {
  emojiMetadata,
  listEmojis,
  readEmoji,
} from '../../../../application/communities/expressions/read-expressions.ts'
import {
  emojiSchema,
  expressionMetadataSchema,
  listedEmojiSchema,
} from '../../../../application/wire-objects/communities/expression-objects.ts'
import { accounts } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  createdEmojis,
  emojiChanges,
  emojiParams,
  emojiSource,
  emojiWishes,
  guildParams,
  severalEmojis,
} from '../../schemas/communities/expression-inputs.ts'
import { queryBoolean } from '../../schemas/query-inputs.ts'
import { emojiIdInput } from '../../schemas/scalars.ts'
import { failuresInWords } from './failures-in-words.ts'

const ofMember = ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'] as const

const listEmojisOperation = operation({
  name: 'List guild emojis',
  description: 'The emojis of a guild with who made them.',
  route: 'GET /v1/guilds/:guild_id/emojis',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emojis:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: guildParams,
  replies: { 200: z.array(listedEmojiSchema).readonly() },
  refuses: ofMember,
  useCase: listEmojis,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const readEmojiOperation = operation({
  name: 'Get guild emoji',
  description: 'An emoji of a guild with who made it.',
  route: 'GET /v1/guilds/:guild_id/emojis/:emoji_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emojis:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: emojiParams,
  replies: { 200: listedEmojiSchema },
  refuses: [...ofMember, 'UNKNOWN_EMOJI'],
  useCase: readEmoji,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.emoji_id),
})

const createEmojiOperation = operation({
  name: 'Create guild emoji',
  description: 'Makes an emoji of an image.',
  route: 'POST /v1/guilds/:guild_id/emojis',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emoji:create::guild_id', 'guild_id', { requests: 10, seconds: 30 }),
  params: guildParams,
  body: emojiWishes,
  takesImage: true,
  replies: { 200: emojiSchema },
  refuses: [...ofMember, 'MAX_EMOJIS'],
  useCase: createEmoji,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

const createEmojisOperation = operation({
  name: 'Create several guild emojis',
  description: 'Makes up to 50 emojis, one after another, and says of each that could not be made why.',
  route: 'POST /v1/guilds/:guild_id/emojis/bulk',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emoji:bulk_create::guild_id', 'guild_id', { requests: 6, seconds: 60 }),
  params: guildParams,
  body: severalEmojis,
  takesImage: true,
  replies: { 200: createdEmojis },
  refuses: ofMember,
  useCase: createEmojis,
  handle: async ({ caller, params, body }, run) => {
    const { success, failed } = await run(caller, params.guild_id, body.emojis)
    return { success, failed: failuresInWords(caller, failed) }
  },
})

const cloneEmojiOperation = operation({
  name: 'Clone guild emoji',
  description: 'Makes a copy of an emoji of another guild that allows it.',
  route: 'POST /v1/guilds/:guild_id/emojis/clone',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emoji:clone::guild_id', 'guild_id', { requests: 10, seconds: 30 }),
  params: guildParams,
  body: emojiSource,
  keepsNoText: true,
  replies: { 200: emojiSchema },
  refuses: [...ofMember, 'MAX_EMOJIS', 'UNKNOWN_EMOJI'],
  useCase: cloneEmoji,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body.source_emoji_id),
})

const changeEmojiOperation = operation({
  name: 'Modify guild emoji',
  description: 'Renames an emoji.',
  route: 'PATCH /v1/guilds/:guild_id/emojis/:emoji_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emoji:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: emojiParams,
  body: emojiChanges,
  replies: { 200: emojiSchema },
  refuses: [...ofMember, 'UNKNOWN_EMOJI'],
  useCase: renameEmoji,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, params.emoji_id, body.name),
})

const deleteEmojiOperation = operation({
  name: 'Delete guild emoji',
  description: 'Deletes an emoji. Its image stays for the messages that show it, unless it is purged.',
  route: 'DELETE /v1/guilds/:guild_id/emojis/:emoji_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:emoji:delete::guild_id', 'guild_id', { requests: 10, seconds: 30 }),
  params: emojiParams,
  query: z.object({ purge: queryBoolean }),
  replies: { 204: none },
  refuses: [...ofMember, 'UNKNOWN_EMOJI'],
  useCase: deleteEmoji,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, params.emoji_id, query.purge),
})

const emojiMetadataOperation = operation({
  name: 'Get emoji metadata',
  description: 'What everybody may know of an emoji: its guild, and whether other guilds may clone it.',
  route: 'GET /v1/emojis/:emoji_id/metadata',
  callers: accounts({ bots: true }),
  bucket: perUser('guild:emoji:metadata::user_id', { requests: 60, seconds: 10 }),
  params: z.object({ emoji_id: emojiIdInput }),
  replies: { 200: expressionMetadataSchema },
  refuses: ['UNKNOWN_EMOJI', 'UNKNOWN_GUILD'],
  useCase: emojiMetadata,
  handle: ({ caller, params }, run) => run(caller, params.emoji_id),
})

/** The emojis of guilds. */
export const emojiOperations: readonly Operation[] = [
  listEmojisOperation,
  readEmojiOperation,
  createEmojiOperation,
  createEmojisOperation,
  cloneEmojiOperation,
  changeEmojiOperation,
  deleteEmojiOperation,
  emojiMetadataOperation,
]
