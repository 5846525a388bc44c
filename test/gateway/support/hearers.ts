import { everybody, type Name } from './crowd.ts'

export const without = (names: readonly Name[], ...gone: readonly Name[]) =>
  names.filter((name) => !gone.includes(name))
export const inGuild = without(everybody, 'stranger')
/** The sessions that a large guild sends everything to. */
export const active = without(inGuild, 'passive')
/** Those of them who can view the channel. */
export const sighted = without(active, 'unsighted')
export const aware = without(sighted, 'plain')
