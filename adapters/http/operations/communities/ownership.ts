import { z } from 'zod'
import { transferOwnership } from '../../../../application/communities/guilds/transfer-ownership.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import { newOwner } from '../../schemas/communities/role-inputs.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { alwaysSudo } from '../../sudo.ts'
import { guildSchema } from '../../../../application/wire-objects/communities/guild-objects.ts'

const guildParams = z.object({ guild_id: guildIdInput })

const transferOwnershipOperation = operation({
  name: 'Transfer guild ownership',
  description: "Makes another member the guild's owner; only the owner may.",
  route: 'POST /v1/guilds/:guild_id/transfer-ownership',
  callers: accounts({ bots: 'refused' }),
  bucket: perUserAnd('guild:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  body: newOwner,
  keepsNoText: true,
  sudo: alwaysSudo,
  replies: { 200: guildSchema },
  refuses: [
    'CANNOT_TRANSFER_OWNERSHIP_TO_BOT',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'RESOURCE_LOCKED',
    'UNKNOWN_GUILD',
    'UNKNOWN_MEMBER',
  ],
  useCase: transferOwnership,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body.new_owner_id),
})

/** The ownership of a guild. */
export const ownershipOperations: readonly Operation[] = [transferOwnershipOperation]
