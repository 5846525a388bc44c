import { z } from 'zod'
import type { WantedChannels } from '../../../../application/administration/users/list-user-private-channels.ts'
import { adminRelationshipSchema } from '../../../../application/wire-objects/administration/admin-relationship-object.ts'
import { queryInteger } from '../query-inputs.ts'
import { channelIdInput } from '../scalars.ts'
import { adminUserSchema } from '../../../../application/wire-objects/administration/admin-user-object.ts'
import { adminGuildSchema } from '../../../../application/wire-objects/administration/admin-guild-object.ts'
import { adminApplicationSchema } from '../../../../application/wire-objects/administration/admin-application-object.ts'
import { adminPrivateChannelSchema } from '../../../../application/wire-objects/administration/admin-private-channel-object.ts'
import { adminSessionSchema } from '../../../../application/wire-objects/administration/admin-session-object.ts'

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const foundUsers = z.object({ users: listOf(adminUserSchema) })

export const userGuilds = z.object({ guilds: listOf(adminGuildSchema) })

export const userApplications = z.object({ applications: listOf(adminApplicationSchema) })

export const userRelationships = z.object({
  friends: listOf(adminRelationshipSchema),
  incoming_requests: listOf(adminRelationshipSchema),
  outgoing_requests: listOf(adminRelationshipSchema),
  blocked: listOf(adminRelationshipSchema),
})

export const userPrivateChannels = z.object({ channels: listOf(adminPrivateChannelSchema) })

export const userSessions = z.object({ sessions: listOf(adminSessionSchema) })

const channelsPage_max = 200
const channelsPageDefault = 50

/** The query of List user direct message channels: both cursors are refused, for groups too. */
export const userPrivateChannelsPage = z
  .object({
    type: z.enum(['dm', 'group_dm']).default('dm'),
    before: channelIdInput.optional(),
    after: channelIdInput.optional(),
    limit: queryInteger({ min: 1, max: channelsPage_max }, channelsPageDefault),
  })
  .superRefine(({ before, after }, context) => {
    if (before === undefined || after === undefined) return
    const code = 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'
    context.addIssue({ code: 'custom', path: ['before'], message: code, params: { code } })
  })
  .transform(({ type, before, after, limit }): WantedChannels => {
    if (type === 'group_dm') return { type }
    const page = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), limit }
    return { type, page }
  })
