import * as library from 'discord.js'
import { guildActions } from './discord-js-guilds.mjs'
import { messageActions } from './discord-js-messages.mjs'
import { peopleActions } from './discord-js-people.mjs'
import { otherActions } from './discord-js-rest.mjs'
import { threadActions } from './discord-js-threads.mjs'

export const story = {
  modules: { 'discord.js': library },
  events: Object.values(library.Events),
  actions: [...guildActions, ...peopleActions, ...messageActions, ...threadActions, ...otherActions],
}
