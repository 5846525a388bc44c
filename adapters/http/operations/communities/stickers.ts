import { z } from 'zod'
import { changeSticker, deleteSticker } from '../../../../application/communities/expressions/change-expressions.ts'
import { cloneSticker } from '../../../../application/communities/expressions/clone-expression.ts'
import { createSticker, createStickers } from '../../../../application/communities/expressions/create-expressions.ts'
import {
  stickerMetadata,
  listStickers,
  readSticker,
} from '../../../../application/communities/expressions/read-expressions.ts'
import {
  stickerSchema,
  expressionMetadataSchema,
  listedStickerSchema,
} from '../../../../application/wire-objects/communities/expression-objects.ts'
import { accounts } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  createdStickers,
  stickerChanges,
  stickerParams,
  stickerSource,
  stickerWishes,
  guildParams,
  severalStickers,
} from '../../schemas/communities/expression-inputs.ts'
import { queryBoolean } from '../../schemas/query-inputs.ts'
import { stickerIdInput } from '../../schemas/scalars.ts'
import { failuresInWords } from './failures-in-words.ts'

const ofMember = ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'] as const

const listStickersOperation = operation({
  name: 'List guild stickers',
  description: 'The stickers of a guild with who made them.',
  route: 'GET /v1/guilds/:guild_id/stickers',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: guildParams,
  replies: { 200: z.array(listedStickerSchema).readonly() },
  refuses: ofMember,
  useCase: listStickers,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const readStickerOperation = operation({
  name: 'Get guild sticker',
  description: 'A sticker of a guild with who made it.',
  route: 'GET /v1/guilds/:guild_id/stickers/:sticker_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: stickerParams,
  replies: { 200: listedStickerSchema },
  refuses: [...ofMember, 'UNKNOWN_STICKER'],
  useCase: readSticker,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.sticker_id),
})

const createStickerOperation = operation({
  name: 'Create guild sticker',
  description: 'Makes a sticker of an image.',
  route: 'POST /v1/guilds/:guild_id/stickers',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:create::guild_id', 'guild_id', { requests: 10, seconds: 30 }),
  params: guildParams,
  body: stickerWishes,
  takesImage: true,
  replies: { 200: stickerSchema },
  refuses: [...ofMember, 'MAX_STICKERS'],
  useCase: createSticker,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

const createStickersOperation = operation({
  name: 'Create several guild stickers',
  description: 'Makes up to 50 stickers, one after another, and says of each that could not be made why.',
  route: 'POST /v1/guilds/:guild_id/stickers/bulk',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:bulk_create::guild_id', 'guild_id', { requests: 6, seconds: 60 }),
  params: guildParams,
  body: severalStickers,
  takesImage: true,
  replies: { 200: createdStickers },
  refuses: ofMember,
  useCase: createStickers,
  handle: async ({ caller, params, body }, run) => {
    const { success, failed } = await run(caller, params.guild_id, body.stickers)
    return { success, failed: failuresInWords(caller, failed) }
  },
})

const cloneStickerOperation = operation({
  name: 'Clone guild sticker',
  description: 'Makes a copy of a sticker of another guild that allows it.',
  route: 'POST /v1/guilds/:guild_id/stickers/clone',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:clone::guild_id', 'guild_id', { requests: 10, seconds: 30 }),
  params: guildParams,
  body: stickerSource,
  keepsNoText: true,
  replies: { 200: stickerSchema },
  refuses: [...ofMember, 'MAX_STICKERS', 'UNKNOWN_STICKER'],
  useCase: cloneSticker,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body.source_sticker_id),
})

const changeStickerOperation = operation({
  name: 'Modify guild sticker',
  description: 'Writes the name, the description and the tags of a sticker.',
  route: 'PATCH /v1/guilds/:guild_id/stickers/:sticker_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: stickerParams,
  body: stickerChanges,
  replies: { 200: stickerSchema },
  refuses: [...ofMember, 'UNKNOWN_STICKER'],
  useCase: changeSticker,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, params.sticker_id, body),
})

const deleteStickerOperation = operation({
  name: 'Delete guild sticker',
  description: 'Deletes a sticker. Its image stays for the messages that show it, unless it is purged.',
  route: 'DELETE /v1/guilds/:guild_id/stickers/:sticker_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:sticker:delete::guild_id', 'guild_id', { requests: 10, seconds: 30 }),
  params: stickerParams,
  query: z.object({ purge: queryBoolean }),
  replies: { 204: none },
  refuses: [...ofMember, 'UNKNOWN_STICKER'],
  useCase: deleteSticker,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, params.sticker_id, query.purge),
})

const stickerMetadataOperation = operation({
  name: 'Get sticker metadata',
  description: 'What everybody may know of a sticker: its guild, and whether other guilds may clone it.',
  route: 'GET /v1/stickers/:sticker_id/metadata',
  callers: accounts({ bots: true }),
  bucket: perUser('guild:sticker:metadata::user_id', { requests: 60, seconds: 10 }),
  params: z.object({ sticker_id: stickerIdInput }),
  replies: { 200: expressionMetadataSchema },
  refuses: ['UNKNOWN_STICKER', 'UNKNOWN_GUILD'],
  useCase: stickerMetadata,
  handle: ({ caller, params }, run) => run(caller, params.sticker_id),
})

/** The stickers of guilds. */
export const stickerOperations: readonly Operation[] = [
  listStickersOperation,
  readStickerOperation,
  createStickerOperation,
  createStickersOperation,
  cloneStickerOperation,
  changeStickerOperation,
  deleteStickerOperation,
  stickerMetadataOperation,
]
