import * as core from '@discordjs/core'
import * as rest from '@discordjs/rest'
import * as ws from '@discordjs/ws'
import { coreActions } from './core.mjs'

export const story = {
  modules: { '@discordjs/core': core, '@discordjs/rest': rest, '@discordjs/ws': ws },
  events: Object.values(core.GatewayDispatchEvents),
  actions: coreActions,
}
