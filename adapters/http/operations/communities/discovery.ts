import { z } from 'zod'
import { applyForDiscovery } from '../../../../application/communities/discovery/apply-for-discovery.ts'
import {
  updateDiscoveryApplication,
  withdrawDiscoveryApplication,
} from '../../../../application/communities/discovery/change-discovery-application.ts'
import { getDiscoveryStatus } from '../../../../application/communities/discovery/get-discovery-status.ts'
import { perUserAnd } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { changesIn, discoveryStatus, listingChanges, newListing } from '../../schemas/communities/discovery.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'
import { discoveryApplicationSchema } from '../../../../application/wire-objects/communities/discovery-application-object.ts'

const params = z.object({ guild_id: guildIdInput })
const callers = accounts({ bots: true })
/** Shared by all that change an application. */
const changing = perUserAnd('discovery:apply::guild_id', 'guild_id', { requests: 5, seconds: 60 })

const applyOperation = operation({
  name: 'Apply for discovery',
  description: 'Applies for the directory of guilds.',
  route: 'POST /v1/guilds/:guild_id/discovery',
  callers,
  bucket: changing,
  params,
  body: newListing,
  replies: { 200: discoveryApplicationSchema },
  refuses: [
    ...ofGuild,
    'DISCOVERY_ALREADY_APPLIED',
    'DISCOVERY_APPLICATION_NOT_FOUND',
    'DISCOVERY_DISABLED',
    'DISCOVERY_INSUFFICIENT_MEMBERS',
    'MISSING_ACCESS',
  ],
  useCase: applyForDiscovery,
  handle: ({ caller, params: { guild_id: guildId }, body }, run) => run(caller, guildId, body),
})

const updateOperation = operation({
  name: 'Update discovery application',
  description: 'Changes what a pending or approved application says; an approved one stays approved.',
  route: 'PATCH /v1/guilds/:guild_id/discovery',
  callers,
  bucket: changing,
  params,
  body: listingChanges,
  replies: { 200: discoveryApplicationSchema },
  refuses: [...ofGuild, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED', 'DISCOVERY_APPLICATION_NOT_FOUND', 'MISSING_ACCESS'],
  useCase: updateDiscoveryApplication,
  handle: ({ caller, params: { guild_id: guildId }, body }, run) => run(caller, guildId, changesIn(body)),
})

const withdrawOperation = operation({
  name: 'Withdraw discovery application',
  description:
    "Takes a guild's application to the directory back, whatever its status; a listed guild leaves the directory.",
  route: 'DELETE /v1/guilds/:guild_id/discovery',
  callers,
  bucket: changing,
  params,
  replies: { 204: none },
  refuses: [...ofGuild, 'DISCOVERY_APPLICATION_NOT_FOUND', 'MISSING_ACCESS'],
  useCase: withdrawDiscoveryApplication,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller, guildId),
})

const getStatusOperation = operation({
  name: 'Get discovery status',
  description: "The guild's application, and whether the guild may apply: never while the directory is turned off.",
  route: 'GET /v1/guilds/:guild_id/discovery',
  callers,
  bucket: perUserAnd('discovery:status::guild_id', 'guild_id', { requests: 30, seconds: 10 }),
  params,
  replies: { 200: discoveryStatus },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: getDiscoveryStatus,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller, guildId),
})

/** A guild's application to the directory. */
export const discoveryOperations: readonly Operation[] = [
  applyOperation,
  updateOperation,
  withdrawOperation,
  getStatusOperation,
]
