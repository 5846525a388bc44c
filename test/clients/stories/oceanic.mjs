import * as library from 'oceanic.js'
import { guildActions } from './oceanic-guild.mjs'
import { messageActions } from './oceanic-message.mjs'

export const story = {
  modules: { 'oceanic.js': library },
  events: [
    'ready shardResume guildCreate guildUpdate guildDelete channelCreate channelUpdate channelDelete',
    'guildRoleCreate guildRoleUpdate guildRoleDelete inviteCreate inviteDelete guildMemberAdd',
    'guildMemberUpdate guildMemberRemove guildBanAdd guildBanRemove messageCreate messageUpdate messageDelete',
    'messageDeleteBulk messageReactionAdd messageReactionRemoveAll messageReactionRemoveEmoji typingStart',
    'channelPinsUpdate threadCreate threadUpdate threadDelete webhooksUpdate guildEmojisUpdate',
    'guildAuditLogEntryCreate presenceUpdate',
  ].flatMap((names) => names.split(' ')),
  actions: [...guildActions, ...messageActions],
}
