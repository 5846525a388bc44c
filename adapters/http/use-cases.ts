import { currentUser } from '../../application/accounts/current-user.js'
import { login } from '../../application/accounts/login.js'
import { logout } from '../../application/accounts/logout.js'
import { register } from '../../application/accounts/register.js'
import { readAuditLog } from '../../application/audit-log/read-audit-log.js'
import { createGuild } from '../../application/guilds/create-guild.js'
import { deleteGuild } from '../../application/guilds/delete-guild.js'
import { getGuild } from '../../application/guilds/get-guild.js'
import { leaveGuild } from '../../application/guilds/leave-guild.js'
import { listOwnGuilds } from '../../application/guilds/list-own-guilds.js'
import { botGateway } from '../../application/instance/bot-gateway.js'
import { discoveryDocument } from '../../application/instance/discovery-document.js'
import { acceptInvite } from '../../application/invites/accept-invite.js'
import { createChannelInvite } from '../../application/invites/create-channel-invite.js'
import { deleteInvite } from '../../application/invites/delete-invite.js'
import { getInvite } from '../../application/invites/get-invite.js'
import { listChannelInvites, listGuildInvites } from '../../application/invites/list-invites.js'
import type { Ports } from '../../application/ports.js'

/** Every use case, given its ports once at start. */
export function useCases(ports: Ports) {
  return {
    accounts: {
      current: currentUser,
      login: login(ports),
      logout: logout(ports),
      register: register(ports),
    },
    auditLogs: {
      read: readAuditLog(ports),
    },
    guilds: {
      create: createGuild(ports),
      delete: deleteGuild(ports),
      get: getGuild(ports),
      leave: leaveGuild(ports),
      listOwn: listOwnGuilds(ports),
    },
    instance: {
      botGateway: botGateway(ports),
      discoveryDocument: discoveryDocument(ports),
    },
    invites: {
      accept: acceptInvite(ports),
      createForChannel: createChannelInvite(ports),
      delete: deleteInvite(ports),
      get: getInvite(ports),
      listForChannel: listChannelInvites(ports),
      listForGuild: listGuildInvites(ports),
    },
  }
}

export type UseCases = ReturnType<typeof useCases>
