import type { Operation } from '../../operation.js'
import {
  createGuildOperation,
  deleteGuildOperation,
  getGuildOperation,
  leaveGuildOperation,
  listOwnGuildsOperation,
  readAuditLogOperation,
} from './guilds.js'
import {
  acceptInviteOperation,
  createChannelInviteOperation,
  deleteInviteOperation,
  getInviteOperation,
  listChannelInvitesOperation,
  listGuildInvitesOperation,
} from './invites.js'

/** Guilds and invites. */
export const guildOperations: readonly Operation[] = [
  createGuildOperation,
  listOwnGuildsOperation,
  getGuildOperation,
  leaveGuildOperation,
  deleteGuildOperation,
  readAuditLogOperation,
  createChannelInviteOperation,
  getInviteOperation,
  acceptInviteOperation,
  deleteInviteOperation,
  listChannelInvitesOperation,
  listGuildInvitesOperation,
]
