import type { Operation } from '../../operation.js'
import {
  changeChannelOperation,
  deleteChannelOperation,
  readChannelOperation,
  removeOverwriteOperation,
  setOverwriteOperation,
} from './any-channel.js'
import { createGuildChannelOperation, listGuildChannelsOperation, reorderGuildChannelsOperation } from './channels.js'
import {
  createGuildOperation,
  deleteGuildOperation,
  getGuildOperation,
  leaveGuildOperation,
  modifyGuildOperation,
  listOwnGuildsOperation,
  readAuditLogOperation,
  transferOwnershipOperation,
} from './guilds.js'
import {
  acceptInviteOperation,
  createChannelInviteOperation,
  deleteInviteOperation,
  getInviteOperation,
  listChannelInvitesOperation,
  listGuildInvitesOperation,
} from './invites.js'
import { memberOperations } from './member-operations.js'
import {
  changeRoleHoistPositionsOperation,
  changeRoleOperation,
  changeRolePositionsOperation,
  createRoleOperation,
  deleteRoleOperation,
  listRolesOperation,
  resetRoleHoistPositionsOperation,
} from './roles.js'
import { getVanityUrlOperation, modifyVanityUrlOperation } from './vanity-url.js'

/** Guilds, their roles and invites. */
export const guildOperations: readonly Operation[] = [
  createGuildOperation,
  listOwnGuildsOperation,
  getGuildOperation,
  leaveGuildOperation,
  modifyGuildOperation,
  deleteGuildOperation,
  getVanityUrlOperation,
  modifyVanityUrlOperation,
  transferOwnershipOperation,
  readAuditLogOperation,
  listRolesOperation,
  createRoleOperation,
  changeRolePositionsOperation,
  changeRoleHoistPositionsOperation,
  resetRoleHoistPositionsOperation,
  changeRoleOperation,
  deleteRoleOperation,
  ...memberOperations,
  listGuildChannelsOperation,
  createGuildChannelOperation,
  reorderGuildChannelsOperation,
  readChannelOperation,
  changeChannelOperation,
  deleteChannelOperation,
  setOverwriteOperation,
  removeOverwriteOperation,
  createChannelInviteOperation,
  getInviteOperation,
  acceptInviteOperation,
  deleteInviteOperation,
  listChannelInvitesOperation,
  listGuildInvitesOperation,
]
