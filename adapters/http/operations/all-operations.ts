import type { Operation } from '../operation.js'
import { loginOperation, logoutOperation, registerOperation } from './auth.js'
import {
  createGuildOperation,
  deleteGuildOperation,
  getGuildOperation,
  leaveGuildOperation,
  listOwnGuildsOperation,
  readAuditLogOperation,
} from './guilds.js'
import { getBotGatewayOperation, getDiscoveryDocumentOperation } from './instance.js'
import {
  acceptInviteOperation,
  createChannelInviteOperation,
  deleteInviteOperation,
  getInviteOperation,
  listChannelInvitesOperation,
  listGuildInvitesOperation,
} from './invites.js'
import { getCurrentUserOperation } from './users.js'

/** Every operation that the server has: what is not here is 404 NOT_FOUND. */
export const allOperations: readonly Operation[] = [
  getDiscoveryDocumentOperation,
  registerOperation,
  loginOperation,
  logoutOperation,
  getCurrentUserOperation,
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
  getBotGatewayOperation,
]
