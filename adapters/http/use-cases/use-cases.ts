import { currentUser } from '../../../application/identity/accounts/current-user.js'
import { login } from '../../../application/identity/accounts/login.js'
import { logout } from '../../../application/identity/accounts/logout.js'
import { register } from '../../../application/identity/accounts/registering/register.js'
import { suggestUsernames } from '../../../application/identity/accounts/registering/suggest-usernames.js'
import {
  changeApplication,
  resetBotToken,
  resetClientSecret,
} from '../../../application/apps/applications/change-application.js'
import { changeBot } from '../../../application/apps/applications/change-bot.js'
import { createApplication } from '../../../application/apps/applications/create-application.js'
import { deleteApplication } from '../../../application/apps/applications/delete-application.js'
import {
  applicationsOfCaller,
  currentBotApplication,
  getApplication,
  getPublicApplication,
  listOwnApplications,
} from '../../../application/apps/applications/read-applications.js'
import { readAuditLog } from '../../../application/communities/audit-log/read-audit-log.js'
import { changeChannel, deleteChannel, readChannel } from '../../../application/communities/channels/channel-kinds.js'
import {
  createGuildChannel,
  listGuildChannels,
  reorderGuildChannels,
} from '../../../application/communities/channels/guild-channels.js'
import { removeOverwrite, setOverwrite } from '../../../application/communities/channels/overwrites.js'
import { createGuild } from '../../../application/communities/guilds/create-guild.js'
import { deleteGuild } from '../../../application/communities/guilds/delete-guild.js'
import { getGuild } from '../../../application/communities/guilds/get-guild.js'
import { leaveGuild } from '../../../application/communities/guilds/leave-guild.js'
import { modifyGuild } from '../../../application/communities/guilds/modify-guild.js'
import { listOwnGuilds } from '../../../application/communities/guilds/list-own-guilds.js'
import { getVanityUrl, modifyVanityUrl } from '../../../application/communities/guilds/vanity-url.js'
import { transferOwnership } from '../../../application/communities/guilds/transfer-ownership.js'
import { botGateway } from '../../../application/administration/instance/bot-gateway.js'
import { changeInstanceConfig } from '../../../application/administration/instance/change-instance-config.js'
import { discoveryDocument } from '../../../application/administration/instance/discovery-document.js'
import { setBrandingAsset } from '../../../application/administration/instance/set-branding-asset.js'
import { changeLimitConfig, readLimitConfig } from '../../../application/administration/instance/limit-config.js'
import { readInstanceConfig } from '../../../application/administration/instance/read-instance-config.js'
import { acceptInvite } from '../../../application/communities/invites/accept-invite.js'
import { createChannelInvite } from '../../../application/communities/invites/create-channel-invite.js'
import { deleteInvite } from '../../../application/communities/invites/delete-invite.js'
import { getInvite } from '../../../application/communities/invites/get-invite.js'
import { listChannelInvites, listGuildInvites } from '../../../application/communities/invites/list-invites.js'
import type { Ports } from '../../../application/ports.js'
import { addRecipient, removeRecipient } from '../../../application/conversations/private-channels/change-recipients.js'
import { createGroup } from '../../../application/conversations/private-channels/create-group.js'
import { listPrivateChannels } from '../../../application/conversations/private-channels/list-private-channels.js'
import { openDirectChannel } from '../../../application/conversations/private-channels/open-direct-channel.js'
import {
  changeRole,
  createRole,
  deleteRole,
  reorderHoistedRoles,
  reorderRoles,
} from '../../../application/communities/roles/change-roles.js'
import { listRoles } from '../../../application/communities/roles/list-roles.js'
import { adminUseCases } from './admin-use-cases.js'
import { identityUseCases } from './identity-use-cases.js'
import { memberUseCases } from './member-use-cases.js'
import { messageUseCases } from './message-use-cases.js'
import { oauth2UseCases } from './oauth2-use-cases.js'
import { threadUseCases } from './thread-use-cases.js'

/** Every use case, given its ports once at start. */
export function useCases(ports: Ports) {
  return {
    accounts: {
      current: currentUser,
      login: login(ports),
      logout: logout(ports),
      register: register(ports),
      suggestUsernames: suggestUsernames(ports),
    },
    applications: applicationUseCases(ports),
    oauth2: oauth2UseCases(ports),
    channels: channelUseCases(ports),
    auditLogs: {
      read: readAuditLog(ports),
    },
    ...guildUseCases(ports),
    instance: {
      botGateway: botGateway(ports),
      discoveryDocument: discoveryDocument(ports),
      changeConfig: changeInstanceConfig(ports),
      changeLimitConfig: changeLimitConfig(ports),
      readConfig: readInstanceConfig(ports),
      readLimitConfig: readLimitConfig(ports),
      setBrandingAsset: setBrandingAsset(ports),
      testMailServer: ports.testMailServer,
    },
    invites: {
      accept: acceptInvite(ports),
      createForChannel: createChannelInvite(ports),
      delete: deleteInvite(ports),
      get: getInvite(ports),
      listForChannel: listChannelInvites(ports),
      listForGuild: listGuildInvites(ports),
    },
    messages: messageUseCases(ports),
    privateChannels: {
      addRecipient: addRecipient(ports),
      createGroup: createGroup(ports),
      list: listPrivateChannels(ports),
      openDirect: openDirectChannel(ports),
      removeRecipient: removeRecipient(ports),
    },
    ...memberUseCases(ports),
    threads: threadUseCases(ports),
    ...identityUseCases(ports),
    ...adminUseCases(ports),
  }
}

/** Guilds and their roles. */
function guildUseCases(ports: Ports) {
  return {
    guilds: {
      create: createGuild(ports),
      delete: deleteGuild(ports),
      get: getGuild(ports),
      getVanityUrl: getVanityUrl(ports),
      leave: leaveGuild(ports),
      modify: modifyGuild(ports),
      modifyVanityUrl: modifyVanityUrl(ports),
      listOwn: listOwnGuilds(ports),
      transferOwnership: transferOwnership(ports),
    },
    roles: {
      change: changeRole(ports),
      create: createRole(ports),
      delete: deleteRole(ports),
      list: listRoles(ports),
      reorder: reorderRoles(ports),
      reorderHoisted: reorderHoistedRoles(ports),
    },
  }
}

/** Channels of every kind, and those of guilds. */
function channelUseCases(ports: Ports) {
  return {
    change: changeChannel(ports),
    createInGuild: createGuildChannel(ports),
    delete: deleteChannel(ports),
    listOfGuild: listGuildChannels(ports),
    read: readChannel(ports),
    removeOverwrite: removeOverwrite(ports),
    reorderInGuild: reorderGuildChannels(ports),
    setOverwrite: setOverwrite(ports),
  }
}

/** Applications and their bots. */
function applicationUseCases(ports: Ports) {
  return {
    change: changeApplication(ports),
    changeBot: changeBot(ports),
    create: createApplication(ports),
    currentBot: currentBotApplication(ports),
    delete: deleteApplication(ports),
    get: getApplication(ports),
    getPublic: getPublicApplication(ports),
    listOwn: listOwnApplications(ports),
    ofCaller: applicationsOfCaller(ports),
    resetBotToken: resetBotToken(ports),
    resetClientSecret: resetClientSecret(ports),
  }
}

export type UseCases = ReturnType<typeof useCases>
