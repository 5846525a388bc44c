import { currentUser } from '../../../application/accounts/current-user.js'
import { login } from '../../../application/accounts/login.js'
import { logout } from '../../../application/accounts/logout.js'
import { register } from '../../../application/accounts/registering/register.js'
import { suggestUsernames } from '../../../application/accounts/registering/suggest-usernames.js'
import {
  changeApplication,
  resetBotToken,
  resetClientSecret,
} from '../../../application/applications/change-application.js'
import { changeBot } from '../../../application/applications/change-bot.js'
import { createApplication } from '../../../application/applications/create-application.js'
import { deleteApplication } from '../../../application/applications/delete-application.js'
import {
  applicationsOfCaller,
  currentBotApplication,
  getApplication,
  getPublicApplication,
  listOwnApplications,
} from '../../../application/applications/read-applications.js'
import { readAuditLog } from '../../../application/audit-log/read-audit-log.js'
import { changeChannel, deleteChannel, readChannel } from '../../../application/channels/channel-kinds.js'
import {
  createGuildChannel,
  listGuildChannels,
  reorderGuildChannels,
} from '../../../application/channels/guild-channels.js'
import { removeOverwrite, setOverwrite } from '../../../application/channels/overwrites.js'
import { createGuild } from '../../../application/guilds/create-guild.js'
import { deleteGuild } from '../../../application/guilds/delete-guild.js'
import { getGuild } from '../../../application/guilds/get-guild.js'
import { leaveGuild } from '../../../application/guilds/leave-guild.js'
import { modifyGuild } from '../../../application/guilds/modify-guild.js'
import { listOwnGuilds } from '../../../application/guilds/list-own-guilds.js'
import { getVanityUrl, modifyVanityUrl } from '../../../application/guilds/vanity-url.js'
import { transferOwnership } from '../../../application/guilds/transfer-ownership.js'
import { botGateway } from '../../../application/instance/bot-gateway.js'
import { changeInstanceConfig } from '../../../application/instance/change-instance-config.js'
import { discoveryDocument } from '../../../application/instance/discovery-document.js'
import { setBrandingAsset } from '../../../application/instance/set-branding-asset.js'
import { changeLimitConfig, readLimitConfig } from '../../../application/instance/limit-config.js'
import { readInstanceConfig } from '../../../application/instance/read-instance-config.js'
import { acceptInvite } from '../../../application/invites/accept-invite.js'
import { createChannelInvite } from '../../../application/invites/create-channel-invite.js'
import { deleteInvite } from '../../../application/invites/delete-invite.js'
import { getInvite } from '../../../application/invites/get-invite.js'
import { listChannelInvites, listGuildInvites } from '../../../application/invites/list-invites.js'
import type { Ports } from '../../../application/ports.js'
import { addRecipient, removeRecipient } from '../../../application/private-channels/change-recipients.js'
import { createGroup } from '../../../application/private-channels/create-group.js'
import { listPrivateChannels } from '../../../application/private-channels/list-private-channels.js'
import { openDirectChannel } from '../../../application/private-channels/open-direct-channel.js'
import {
  changeRole,
  createRole,
  deleteRole,
  reorderHoistedRoles,
  reorderRoles,
} from '../../../application/roles/change-roles.js'
import { listRoles } from '../../../application/roles/list-roles.js'
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
