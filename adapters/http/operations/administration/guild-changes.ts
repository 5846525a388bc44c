import { changeGuildFeaturesAsAdmin } from '../../../../application/administration/guilds/change-guild-features.ts'
import { deleteGuildAsAdmin } from '../../../../application/administration/guilds/delete-guild-as-admin.ts'
import { setGuildOwner } from '../../../../application/administration/guilds/set-guild-owner.ts'
import { setGuildVanityUrl } from '../../../../application/administration/guilds/set-guild-vanity-url.ts'
import { updateGuild } from '../../../../application/administration/guilds/update-guild.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  adminGuildChanges,
  changedGuildReply,
  featureChanges,
  newVanityCode,
} from '../../schemas/administration/guild-changes.ts'
import { newOwner } from '../../schemas/communities/role-inputs.ts'
import { adminGuildModify } from './buckets.ts'
import { guildParams, ofGuild } from './of-guilds.ts'

const nameAction = 'update_name'
const settingsAction = 'update_settings'

const updateAdminGuildOperation = operation({
  name: 'Update Admin guild',
  description:
    'Changes the name of a guild and settings of it, and takes images away, as the instance does it: members do not learn who did.',
  route: 'PATCH /v1/admin/guilds/:guild_id',
  callers: admin({ acls: [], onceValidated: ['guild:update:name', 'guild:update:settings'] }),
  bucket: adminGuildModify,
  params: guildParams,
  body: adminGuildChanges,
  exampleBody: { name: 'Engine' },
  replies: { 200: changedGuildReply },
  adminAudit: {
    action: {
      anyOf: [nameAction, settingsAction],
      of: ({ body }) => (body.name === undefined ? settingsAction : nameAction),
    },
    ...ofGuild,
    also: { action: settingsAction, target: 'guild' },
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: updateGuild,
  handle: async ({ caller, params, body, noteAudited, noteSecondEntry }, run) => {
    const { name, settings, sentSettings } = body
    const { guild, oldName } = await run(caller, params.guild_id, { name, settings })
    if (name === undefined) noteAudited(sentSettings)
    else {
      noteAudited({ old_name: oldName, new_name: name })
      if (Object.keys(sentSettings).length > 0) noteSecondEntry(sentSettings)
    }
    return { guild }
  },
})

const updateGuildFeaturesOperation = operation({
  name: 'Update guild features',
  description:
    'Adds features to a guild and removes others, also those that its members cannot toggle. DISCOVERABLE goes by its application to the directory.',
  route: 'PATCH /v1/admin/guilds/:guild_id/features',
  callers: admin({ acls: ['guild:update:features'] }),
  bucket: adminGuildModify,
  params: guildParams,
  body: featureChanges,
  exampleBody: { add_features: ['VERIFIED'] },
  replies: { 200: changedGuildReply },
  adminAudit: { action: 'update_features', ...ofGuild },
  refuses: ['DISCOVERY_APPLICATION_NOT_FOUND', 'UNKNOWN_GUILD'],
  useCase: changeGuildFeaturesAsAdmin,
  handle: async ({ caller, params, body, noteAudited }, run) => {
    const { guild, entry } = await run(caller, params.guild_id, body)
    noteAudited(entry)
    return { guild }
  },
})

const setGuildOwnerOperation = operation({
  name: 'Set guild owner',
  description: 'Makes a member the owner of its guild, whoever owns it.',
  route: 'PUT /v1/admin/guilds/:guild_id/owner',
  callers: admin({ acls: ['guild:transfer_ownership'] }),
  bucket: adminGuildModify,
  params: guildParams,
  body: newOwner,
  keepsNoText: true,
  replies: { 200: changedGuildReply },
  adminAudit: {
    action: 'transfer_ownership',
    ...ofGuild,
    metadata: ({ body }) => ({ new_owner_user_id: body.new_owner_id }),
  },
  refuses: ['CANNOT_TRANSFER_OWNERSHIP_TO_BOT', 'RESOURCE_LOCKED', 'UNKNOWN_GUILD', 'UNKNOWN_MEMBER'],
  useCase: setGuildOwner,
  handle: async ({ caller, params, body, noteAudited }, run) => {
    const { guild, oldOwnerId } = await run(caller, params.guild_id, body.new_owner_id)
    noteAudited({ old_owner_user_id: oldOwnerId })
    return { guild }
  },
})

const setVanityUrlOperation = operation({
  name: 'Set guild custom invite URL',
  description: 'Sets or replaces the custom invite URL of a guild, also of one without VANITY_URL.',
  route: 'PUT /v1/admin/guilds/:guild_id/vanity-url',
  callers: admin({ acls: ['guild:update:vanity'] }),
  bucket: adminGuildModify,
  params: guildParams,
  body: newVanityCode,
  showsCode: true,
  replies: { 200: changedGuildReply },
  adminAudit: { action: 'update_vanity', ...ofGuild, metadata: ({ body }) => ({ new_code: body.code }) },
  refuses: ['CONFLICT', 'UNKNOWN_GUILD'],
  useCase: setGuildVanityUrl,
  handle: async ({ caller, params, body, noteAudited }, run) => {
    const { guild, oldCode } = await run(caller, params.guild_id, body.code)
    noteAudited({ old_code: String(oldCode) })
    return { guild }
  },
})

const removeVanityUrlOperation = operation({
  name: 'Remove guild custom invite URL',
  description: 'Takes the custom invite URL of a guild away, if it has one.',
  route: 'DELETE /v1/admin/guilds/:guild_id/vanity-url',
  callers: admin({ acls: ['guild:update:vanity'] }),
  bucket: adminGuildModify,
  params: guildParams,
  replies: { 200: changedGuildReply },
  adminAudit: { action: 'update_vanity', ...ofGuild, metadata: () => ({ new_code: 'null' }) },
  refuses: ['UNKNOWN_GUILD'],
  useCase: setGuildVanityUrl,
  handle: async ({ caller, params, noteAudited }, run) => {
    const { guild, oldCode } = await run(caller, params.guild_id, null)
    noteAudited({ old_code: String(oldCode) })
    return { guild }
  },
})

const deleteAdminGuildOperation = operation({
  name: 'Delete Admin guild',
  description: 'Deletes a guild for good, whoever owns it.',
  route: 'DELETE /v1/admin/guilds/:guild_id',
  callers: admin({ acls: ['guild:delete'] }),
  bucket: adminGuildModify,
  params: guildParams,
  replies: { 204: none },
  adminAudit: { action: 'delete_guild', ...ofGuild },
  refuses: ['SINGLE_COMMUNITY_CANNOT_DELETE', 'UNKNOWN_GUILD'],
  useCase: deleteGuildAsAdmin,
  handle: async ({ caller, params, noteAudited }, run) => {
    const { name, ownerId } = await run(caller, params.guild_id)
    noteAudited({ name, owner_user_id: ownerId })
  },
})

/** Changes of guilds as wholes. */
export const guildChangeOperations: readonly Operation[] = [
  updateAdminGuildOperation,
  updateGuildFeaturesOperation,
  setGuildOwnerOperation,
  setVanityUrlOperation,
  removeVanityUrlOperation,
  deleteAdminGuildOperation,
]
