import { z } from 'zod'
import { customCodeLength, parseCustomCode } from '../../../../domain/text/normalise.ts'
import { getVanityUrl, modifyVanityUrl } from '../../../../application/communities/guilds/vanity-url.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import { vanityUrl, vanityUrlSelection } from '../../schemas/communities/invites.ts'
import { guildIdInput, readBy } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'

const params = z.object({ guild_id: guildIdInput })

const getVanityUrlOperation = operation({
  name: 'Get guild custom invite URL',
  description: 'The custom invite URL of a guild, and how many accounts joined by it.',
  route: 'GET /v1/guilds/:guild_id/vanity-url',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:vanity_url:get::guild_id', 'guild_id', { requests: 100, seconds: 10 }),
  params,
  replies: { 200: vanityUrl },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: getVanityUrl,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller, guildId),
})

const modifyVanityUrlOperation = operation({
  name: 'Modify guild custom invite URL',
  description: 'Sets, replaces or removes the custom invite URL.',
  route: 'PATCH /v1/guilds/:guild_id/vanity-url',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:vanity_url:update::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params,
  body: z.object({ code: readBy(parseCustomCode, customCodeLength).nullish() }),
  showsCode: true,
  replies: { 200: vanityUrlSelection },
  refuses: [...ofGuild, 'CONFLICT', 'MISSING_ACCESS'],
  useCase: modifyVanityUrl,
  handle: ({ caller, params: { guild_id: guildId }, body }, run) => run(caller, guildId, body.code),
})

/** The custom invite URL of a guild. */
export const vanityUrlOperations: readonly Operation[] = [getVanityUrlOperation, modifyVanityUrlOperation]
