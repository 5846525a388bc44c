import { Agent } from 'node:http'
import * as library from 'eris'
import { guildActions } from './eris-guild.mjs'
import { messageActions } from './eris-message.mjs'

/** Eris speaks TLS alone, which a proxy ends before the server: here it speaks to the server itself. */
function plainly(url) {
  return Object.assign(new Agent(), { protocol: 'https:', defaultPort: Number(new URL(url).port) })
}

export const story = {
  modules: { eris: library },
  /** The proxy of the page is this agent. */
  beside: ({ url }) => ({ agent: plainly(url) }),
  replaced: { "domain: 'chat.example.com'": "domain: '127.0.0.1', agent" },
  events: [
    'ready shardResume guildCreate guildUpdate guildDelete channelCreate channelUpdate channelDelete',
    'inviteCreate inviteDelete guildMemberAdd guildMemberUpdate guildMemberRemove guildBanAdd guildBanRemove',
    'messageCreate messageUpdate messageDelete messageDeleteBulk messageReactionAdd messageReactionRemove',
    'messageReactionRemoveAll typingStart channelPinUpdate threadCreate guildEmojisUpdate presenceUpdate',
  ].flatMap((names) => names.split(' ')),
  actions: [...guildActions, ...messageActions],
}
